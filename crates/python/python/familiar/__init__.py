"""Have I seen this code before?

Familiar finds exact, renamed and edited copies of code, tells who had the code first, and checks its licenses. The functions
here are those of the command ``familiar``, and their arguments have the names of its flags. Results are Arrow.
"""

from __future__ import annotations

from ._bar import Bar
from ._clones import clones
from ._corpus import Corpus
from ._duplicates import duplicates
from ._familiar import __version__
from ._licenses import licenses
from ._represent import embed, graph, tokens, tree
from ._result import Result
from .errors import CorpusError, FamiliarError, InputError, UsageError

__all__ = [
    "Bar",
    "Corpus",
    "CorpusError",
    "FamiliarError",
    "InputError",
    "Result",
    "UsageError",
    "__version__",
    "clones",
    "duplicates",
    "embed",
    "graph",
    "licenses",
    "tokens",
    "tree",
]
