"""Settings of the documentation site; `make docs` builds it with warnings as errors."""

import importlib.metadata
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from docs.generated import filled  # noqa: E402  # Sphinx runs this file outside of the repository's root

project = "TableRAG"
author = "TableRAG contributors"
project_copyright = "TableRAG contributors, Apache License 2.0"
release = importlib.metadata.version("tablerag")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
nitpicky = False
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
smartquotes = False  # "--model" in a table is an option
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"

html_theme = "furo"
html_title = "TableRAG"
html_copy_source = False


def setup(app: "Sphinx") -> None:
    """Put the generated parts into their pages."""
    app.connect("source-read", lambda _, __, source: source.__setitem__(0, filled(source[0])))
