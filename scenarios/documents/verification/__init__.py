"""Verification against the source documents, row by row: printed, exact and computed values.

One file for each document, each a list of functions that compute one row; to add a row, add a function to the list.
"""

from .mesh_table import verify_mesh
from .row import Row
from .table import DOCUMENTS, verify_documents

__all__ = ["DOCUMENTS", "Row", "verify_documents", "verify_mesh"]
