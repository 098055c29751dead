"""Documents and arrays, to bytes and from bytes."""
