"""Programs as models see them: tokens, trees, graphs and vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _familiar
from ._flags import Progress, flags
from ._result import Result
from ._texts import as_bytes, is_column, is_table, values_of
from .errors import UsageError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__all__ = ["embed", "graph", "tokens", "tree"]

#: What stands in the place of a path, which is not read.
TEXT = ["--", "text"]


def tokens(code: str | bytes, language: str, *, with_: str | Iterable[str] | None = None) -> Result:
    """The tokens of a program, with their classes.

    Args:
        code: The text of the program.
        language: Its language, such as ``"java"``.
        with_: What the tokens also hold: ``"comments"``, ``"newlines"``, ``"continuations"``, ``"whitespace"`` or ``"all"``.

    Returns:
        A row for each token: ``line`` (from 1), ``column`` (in bytes, from 0), ``class``, ``token``, and ``directive`` in
        directives of the preprocessor.

    Raises:
        UsageError: There is no such language.
        InputError: The text is no text.

    >>> import familiar
    >>> [(row["class"], row["token"]) for row in familiar.tokens("x = 1", "python")]
    [('identifier', 'x'), ('operator', '='), ('integer', '1')]
    """
    return Result(_familiar.tokens([*flags(with_=with_), *TEXT], as_bytes(code, 0), language))


def tree(code: str | bytes, language: str, *, without_errors: bool = False, memory: str | None = None) -> dict[str, Any]:
    """The simplified parse tree of a program, as Project CodeNet has it.

    Args:
        code: The text of the program.
        language: Its language, which needs a grammar.
        without_errors: Whether a program that the grammar does not allow is an error.
        memory: A limit such as ``"2GiB"``.

    Returns:
        The tree as ``familiar tree --format json`` writes it: ``nodes``, ``edges`` and numbers under ``graph``.

    Raises:
        UsageError: There is no such language.
        InputError: The program cannot be parsed.

    >>> import familiar
    >>> graph = familiar.tree("x = 1", "python")["graph"]
    >>> graph["num-of-nodes"], [node["label"] for node in graph["nodes"]][-3:]
    (6, ['x', '=', '1'])
    """
    words = [*flags(without_errors=without_errors, memory=memory), *TEXT]
    made: dict[str, Any] = json.loads(_familiar.tree(words, as_bytes(code, 0), language))
    return made


def graph(
    code: str | bytes,
    language: str,
    *,
    kind: str = "sdg",
    function: str | None = None,
    without_errors: bool = False,
    memory: str | None = None,
) -> dict[str, Any]:
    """The code graph of a program: control flow, data flow, and what depends on what.

    Args:
        code: The text of the program.
        language: Python, Java, C, C++, JavaScript, TypeScript or Go.
        kind: Which edges: ``"cfg"``, ``"ipcfg"``, ``"dfg"``, ``"cdg"``, ``"pdg"``, ``"sdg"`` or ``"all"``.
        function: Only functions of this name, such as ``"area"`` or ``"Circle.area"``.
        without_errors: Whether a program that the grammar does not allow is an error.
        memory: A limit such as ``"2GiB"``.

    Returns:
        The graph as ``familiar graph --format json`` writes it.

    Raises:
        UsageError: There is no such language or kind.
        InputError: The program cannot be parsed.

    >>> import familiar
    >>> sorted(familiar.graph("def f(x):\\n    return x\\n", "python"))[:1]
    ['graph']
    """
    given = flags(kind=kind, function=function, without_errors=without_errors, memory=memory)
    made: dict[str, Any] = json.loads(_familiar.graph([*given, *TEXT], as_bytes(code, 0), language))
    return made


def embed(
    texts: Iterable[str | bytes],
    language: str | Iterable[str],
    *,
    encoder: str = "builtin",
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[numpy.float32]:
    """The vectors of texts. This needs numpy.

    Args:
        texts: Pieces of code, such as functions.
        language: The language of all texts, or a language for each.
        encoder: ``"builtin"``, ``"static"`` (faster), ``"weights:FILE"`` or ``"api:URL#MODEL"``.
        threads: Number of threads; one for each core where it is None.
        progress: Called with the stage, the bytes that are done, and all bytes.

    Returns:
        An array of 32-bit numbers with the shape (texts, dimensions). Each row has the Euclidean length 1, so the product of two
        rows is their cosine. The row of code without anything to read is zero. The same text gives the same row in any company.

    Raises:
        UsageError: There is no such language or encoder, there are not as many languages as texts, or the texts are no list.
        FamiliarError: A text is no text, or the encoder fails.

    >>> import familiar
    >>> vectors = familiar.embed(["def add(a, b):\\n    return a + b", "def plus(x, y):\\n    return x + y"], "python")
    >>> vectors.shape[0], vectors.dtype.name, bool(vectors[0] @ vectors[1] > 0.5)
    (2, 'float32', True)
    """
    import numpy

    if isinstance(texts, (str, bytes)) or is_table(texts):
        kind = type(texts).__name__
        raise UsageError(f"texts are a list, or one column of a table, and this is {kind}: of one text, give a list of it")
    values = values_of(texts) if is_column(texts) else texts
    codes = [as_bytes(text, row) for row, text in enumerate(values)]
    languages = [language] * len(codes) if isinstance(language, str) else list(language)
    if len(languages) != len(codes):
        raise UsageError(f"there are {len(languages)} languages for {len(codes)} texts; give one language, or one for each")
    words = [*flags(encoder=encoder, threads=threads), *TEXT]
    # Without a text, any one says how many dimensions there are.
    asked = list(zip(codes, languages)) or [(b"x", language if isinstance(language, str) else "python")]
    dimensions, made = _familiar.embed(words, asked, progress)
    return numpy.frombuffer(made, dtype=numpy.float32).reshape(len(asked), dimensions)[: len(codes)]
