"""Have I seen this code before?

Familiar finds exact, renamed and edited copies of code, tells who had the code first, and checks its licenses. The functions
here are those of the command ``familiar``, and their arguments have the names of its flags. Results are Arrow.
"""

from __future__ import annotations

from . import evaluate
from ._attack import attack
from ._audit import audit
from ._bar import Bar
from ._clones import clones
from ._corpus import Corpus
from ._duplicates import duplicates
from ._encoder import Encoder
from ._familiar import __version__
from ._licenses import licenses
from ._represent import embed, graph, tokens, tree
from ._result import Audit, Clones, Duplicates, Result
from ._show import SideBySide
from ._transform import transform
from ._vectors import Vectors
from .errors import CorpusError, FamiliarError, InputError, UsageError

__all__ = [
    "Audit",
    "Bar",
    "Clones",
    "Corpus",
    "CorpusError",
    "Duplicates",
    "Encoder",
    "FamiliarError",
    "InputError",
    "Result",
    "SideBySide",
    "UsageError",
    "Vectors",
    "__version__",
    "attack",
    "audit",
    "clones",
    "duplicates",
    "embed",
    "evaluate",
    "graph",
    "licenses",
    "tokens",
    "transform",
    "tree",
]
