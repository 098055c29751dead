"""The only error a user reads."""


class ExplorerError(Exception):
    """Something the user can act on: ``message`` says what and where, ``hint`` what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message
