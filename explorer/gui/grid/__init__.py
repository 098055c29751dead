"""Grids to type matrices into, and the only place in the window that reads numbers as people type them."""

from explorer.gui.grid.clipboard import Copied
from explorer.gui.grid.grid import Grid
from explorer.gui.grid.model import Axes
from explorer.gui.grid.reading import full_text, read_number

__all__ = ["Axes", "Copied", "Grid", "full_text", "read_number"]
