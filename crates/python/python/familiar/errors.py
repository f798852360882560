"""What Familiar raises. The texts are those of the command line."""

from __future__ import annotations

__all__ = ["CorpusError", "FamiliarError", "InputError", "UsageError"]


class FamiliarError(Exception):
    """Something went wrong: the base of all errors of this package."""


class UsageError(FamiliarError, ValueError):
    """An argument has a value that is not allowed, or arguments do not go together."""


class InputError(FamiliarError, ValueError):
    """A path, a table or a text cannot be read."""


class CorpusError(FamiliarError, LookupError):
    """A corpus is not there, or not as it should be."""


for _error in (FamiliarError, UsageError, InputError, CorpusError):
    _error.__module__ = "familiar"
