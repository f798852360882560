"""``familiar.Encoder``: vectors of code as a step of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._represent import embed
from .errors import UsageError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__all__ = ["Encoder"]


class Encoder:
    """Turns code into vectors, with the methods of a transformer of scikit-learn. It learns nothing: ``fit`` does nothing.

    Args:
        language: The language of all texts, or a language for each.
        encoder: ``"builtin"``, ``"static"`` (faster), ``"weights:FILE"`` or ``"api:URL#MODEL"``.
        threads: Number of threads; one for each core where it is None.

    It needs numpy, and works without scikit-learn. It can be pickled.

    >>> import familiar
    >>> encoder = familiar.Encoder("python")
    >>> encoder.get_params()
    {'language': 'python', 'encoder': 'builtin', 'threads': None}
    >>> encoder.fit_transform(["def add(a, b):\\n    return a + b"]).shape[0]
    1
    """

    def __init__(
        self, language: str | Iterable[str] = "python", *, encoder: str = "builtin", threads: int | None = None
    ) -> None:
        self.language = language
        self.encoder = encoder
        self.threads = threads

    def fit(self, X: Iterable[str | bytes], y: object = None) -> Encoder:
        """Does nothing, and returns itself."""
        return self

    def transform(self, X: Iterable[str | bytes]) -> NDArray[numpy.float32]:
        """The vectors of texts, as :func:`familiar.embed` gives them: an array with the shape (texts, dimensions)."""
        return embed(X, self.language, encoder=self.encoder, threads=self.threads)

    def fit_transform(self, X: Iterable[str | bytes], y: object = None) -> NDArray[numpy.float32]:
        """The same as :meth:`transform`."""
        return self.fit(X, y).transform(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments that it was made with."""
        return {"language": self.language, "encoder": self.encoder, "threads": self.threads}

    def set_params(self, **params: Any) -> Encoder:
        """Changes arguments, and returns itself.

        Raises:
            UsageError: There is no such argument.
        """
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise UsageError(f"Encoder has no parameter {name}; it has {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        # It has no types, and is there where this is called.
        tags = import_module("sklearn.utils")
        return tags.Tags(
            estimator_type="transformer",
            target_tags=tags.TargetTags(required=False),
            transformer_tags=tags.TransformerTags(preserves_dtype=[]),
            input_tags=tags.InputTags(one_d_array=True, two_d_array=False, string=True),
            requires_fit=False,
        )

    def __repr__(self) -> str:
        return f"familiar.Encoder({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"
