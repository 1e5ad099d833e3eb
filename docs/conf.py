"""Sphinx configuration of the guide: python -m sphinx -W docs build/guide."""

import sys
from pathlib import Path

from polhode import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extension"))

project = "polhode"
author = project_copyright = "polhode developers"
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "docstrings",
    "links",
    "generated_tables",
    "generated_api",
    "generated_gallery",
]
exclude_patterns = ["_extension"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# Pages with code cells are executed; what raises, and any other warning, ends the build.
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_execution_timeout = 1800  # of one cell, s; a busy machine is slow
nb_merge_streams = True
nb_render_markdown_format = "myst"  # tables that a cell returns

autodoc_typehints = "none"  # the numpydoc sections state them
autodoc_class_signature = "separated"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "pydata_sphinx_theme"
html_title = "polhode"
html_show_sourcelink = False
html_sidebars = {"**": ["globaltoc.html"]}
html_theme_options = {"navbar_center": [], "secondary_sidebar_items": {"**": ["page-toc"], "reference/case-keys": []}}
