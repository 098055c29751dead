"""Matrices as programming languages write and print them."""
