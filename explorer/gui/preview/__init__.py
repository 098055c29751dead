"""The strip that asks what a file is meant as, and shows what it holds."""
