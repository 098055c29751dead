"""Text from files made safe to print."""


def printable(text: str) -> str:
    """One line without control characters, which a file could use to take over a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
