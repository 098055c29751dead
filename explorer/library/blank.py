"""New documents to start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from explorer.core.matrices import Matrix
from explorer.core.problem import QKV, SOURCES, Problem, Projection, Scores, Source, Weights
from explorer.errors import ExplorerError
from explorer.state.document import NOTHING, Document, Texts

FILLS = ("zeros", "identity", "integers")
LIMITS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"n_q": (1, 512), "n_k": (1, 512), "d_k": (1, 512), "d_v": (0, 512), "d_model": (1, 512)}
)
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "projection": "New X and W problem",
        "qkv": "New Q K V problem",
        "scores": "New scores problem",
        "weights": "New weights problem",
    }
)

Fill = Callable[[int, int], Matrix]


def blank(
    kind: str,
    *,
    n_q: int,
    n_k: int,
    d_k: int,
    d_v: int,
    fill: str = "integers",
    seed: int = 1,
    d_model: int | None = None,
    has_memory: bool = False,
) -> Document:
    """A new document of a kind of source; a size the kind does not have is ignored, ``d_v`` 0 means no values."""
    if kind not in TITLES:
        raise ExplorerError(f"source {kind!r} is not known", f"use one of {', '.join(s.kind for s in SOURCES)}")
    is_shared = kind == "projection" and not has_memory
    sizes = _Sizes(n_q, n_q if is_shared else n_k, d_k, d_v, d_k if d_model is None else d_model)
    sizes.check(kind)
    rng = _generator(fill, seed)
    typed: Mapping[str, Texts] = NOTHING
    source: Source
    if kind == "weights":
        counts = np.ones((n_q, n_k), dtype=int) if fill != "integers" else rng.integers(1, 5, (n_q, n_k))
        weights, texts = _shares(counts)
        typed = MappingProxyType({"weights": texts})
        source = Weights(weights, _values(sizes, _filling(fill, rng)))
    else:
        source = _source(kind, sizes, _filling(fill, rng), has_memory=has_memory)
    scale = "sqrt_dk" if kind in ("projection", "qkv") else 1.0
    return Document(Problem(source, scale=scale), typed=typed, title=TITLES[kind])


@dataclass(frozen=True)
class _Sizes:
    n_q: int
    n_k: int
    d_k: int
    d_v: int
    d_model: int

    def check(self, kind: str) -> None:
        """Refuse a size outside its limits, if the kind has it."""
        unused = {"projection": (), "weights": ("d_k", "d_model")}.get(kind, ("d_model",))
        for name, (least, most) in LIMITS.items():
            size = getattr(self, name)
            if name not in unused and not least <= size <= most:
                raise ExplorerError(f"{name} is {size}", f"give a whole number from {least} to {most}")


def _generator(fill: str, seed: int) -> np.random.Generator:
    if fill not in FILLS:
        raise ExplorerError(f"fill {fill!r} is not known", f"use one of {', '.join(FILLS)}")
    if seed < 0:
        raise ExplorerError(f"seed is {seed}", "give a whole number from 0")
    return np.random.default_rng(seed)


def _filling(fill: str, rng: np.random.Generator) -> Fill:
    if fill == "zeros":
        return lambda rows, columns: np.zeros((rows, columns))
    if fill == "identity":
        return lambda rows, columns: np.eye(rows, columns)
    return lambda rows, columns: rng.integers(-2, 3, (rows, columns), endpoint=True).astype(np.float64)


def _source(kind: str, sizes: _Sizes, filled: Fill, *, has_memory: bool) -> Source:
    n_q, n_k, d_k, d_model = sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_model
    if kind == "scores":
        return Scores(filled(n_q, n_k), _values(sizes, filled), d_k)
    if kind == "qkv":
        return QKV(filled(n_q, d_k), filled(n_k, d_k), _values(sizes, filled))
    return Projection(
        filled(n_q, d_model),
        filled(d_model, d_k),
        filled(d_model, d_k),
        filled(d_model, sizes.d_v) if sizes.d_v else None,
        filled(n_k, d_model) if has_memory else None,
    )


def _values(sizes: _Sizes, filled: Fill) -> Matrix | None:
    return filled(sizes.n_k, sizes.d_v) if sizes.d_v else None


def _shares(counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> tuple[Matrix, Texts]:
    """Counts (n_q, n_k) as shares of their row's total, kept as the fraction a person would type ("2/7")."""
    totals = counts.sum(axis=1)  # (n_q,)
    weights = np.asarray(counts / totals[:, None], dtype=np.float64)
    texts = np.full(counts.shape, None, dtype=object)
    for (i, j), count in np.ndenumerate(counts):
        if count != totals[i]:
            texts[i, j] = f"{count}/{totals[i]}"
    texts.setflags(write=False)
    return weights, texts
