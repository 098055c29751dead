"""The mathematics of attention, in NumPy and the standard library only."""
