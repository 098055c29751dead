"""Teaching material that comes with the program."""
