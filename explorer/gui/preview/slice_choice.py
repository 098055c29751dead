"""Which matrix is chosen out of an array of three to five dimensions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from explorer.formats.imported import Booleans, Imported, Numbers
from explorer.gui.preview.slices import Slices, page_of
from explorer.gui.preview.tiles import MOST_CELLS, Tile, kind_of, tile_of
from explorer.library.placing import sliced


@dataclass(frozen=True, eq=False)
class SliceChoice:
    """The axes of queries and keys, and a place on every axis, of which those two do not count."""

    tensor: Imported
    axes: tuple[int, int]
    places: tuple[int, ...]

    @property
    def values(self) -> Numbers | Booleans:
        """The whole array."""
        assert self.tensor.values is not None
        return self.tensor.values

    @property
    def others(self) -> list[int]:
        """The axes on which one place is chosen."""
        return [axis for axis in range(self.values.ndim) if axis not in self.axes]

    @property
    def shown(self) -> int:
        """The axis whose slices are shown side by side: the last that has several."""
        return next((axis for axis in reversed(self.others) if self.values.shape[axis] > 1), self.others[-1])

    @property
    def chosen(self) -> Imported:
        """The matrix or mask that is chosen."""
        return sliced(self.tensor, self.axes, [self.places[axis] for axis in self.others])

    @property
    def words(self) -> str:
        """Where it lies: "layer 2, head 2"."""
        names, shape = self.tensor.axes, self.values.shape
        return ", ".join(f"{names[axis]} {self.places[axis] + 1}" for axis in self.others if shape[axis] > 1)

    def placed(self, axis: int, place: int) -> SliceChoice:
        """The same with another place on one axis."""
        return replace(self, places=(*self.places[:axis], place, *self.places[axis + 1 :]))

    def turned(self, query: int, key: int) -> SliceChoice:
        """The same with other axes for queries and keys; one that would be both changes places with the other."""
        if query == key:
            query, key = self.axes[::-1] if query in self.axes else self.axes
        return replace(self, axes=(query, key))

    @property
    def page(self) -> range:
        """The slices that are shown side by side with the chosen one."""
        return page_of(self.places[self.shown], self.values.shape[self.shown])

    def slices(self) -> Slices:
        """The slices beside the chosen one, in colours that can be compared."""
        axis, page = self.shown, self.page
        where: list[int | slice] = [*self.places]
        for whole in self.axes:
            where[whole] = slice(None)
        where[axis] = slice(page.start, page.stop)
        part = self.values[tuple(where)]
        kind = kind_of(part)
        span = 1.0 if kind == "mask" else float(np.max(np.abs(part), where=np.isfinite(part), initial=0.0))

        def tile(place: int) -> Tile:
            return tile_of(np.asarray(self.placed(axis, place).chosen.values), kind)

        length = self.values.shape[axis]
        return Slices(self.tensor.axes[axis], length, tile, span, self._caption(kind, span))

    def _caption(self, kind: str, span: float) -> str:
        name, length, page = self.tensor.axes[self.shown], self.values.shape[self.shown], self.page
        some = f"{name} {page.start + 1} to {page.stop} of {length}" if len(page) < length else ""
        colours = {
            "mask": "hatched = false",
            "weights": f"full colour = {span:.3g}",
            "signed": f"full colours = −{span:.3g} and {span:.3g}",
        }[kind]
        sides = [self.values.shape[axis] for axis in self.axes]
        pooled = "several cells a pixel: the largest is shown" if max(sides) > MOST_CELLS else ""
        return ";  ".join(filter(None, (some, colours, pooled)))


def first_of(tensor: Imported) -> SliceChoice:
    """The first slice of a tensor, its last two axes being queries and keys."""
    assert tensor.values is not None
    last = tensor.values.ndim - 1
    return SliceChoice(tensor, (last - 1, last), (0,) * (last + 1))
