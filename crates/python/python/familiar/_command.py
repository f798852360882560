"""The command ``familiar``, in the library that the package loads anyway."""

from __future__ import annotations

import sys

from ._familiar import command

__all__ = ["main"]


def main() -> int:
    """Runs the command line that started this process, and tells its exit code."""
    return command(sys.argv)
