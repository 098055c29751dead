"""Matrices in LaTeX, Typst, Markdown, HTML and drawn tables."""
