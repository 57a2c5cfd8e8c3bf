"""The one exception that a user's mistake ends in: its message says what, which value, where, and what to do."""


class InputError(ValueError):
    """A problem, a table or an option cannot be used as it is."""
