"""Numbers as people and programs lay them out in lines and columns."""
