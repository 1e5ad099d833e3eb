"""Verification against the source documents: reference and computed value of each equation group.

Each document has one file, with a list of functions that compute one row each. To add a row, add a function to that
list.
"""

from .mesh_table import verify_mesh
from .row import Row
from .table import DOCUMENTS, verify_documents

__all__ = ["DOCUMENTS", "Row", "verify_documents", "verify_mesh"]
