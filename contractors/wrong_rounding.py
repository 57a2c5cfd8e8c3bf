"""What can make the kernels unusable, known without loading them."""


class WrongRounding(RuntimeError):
    """Something in this process has changed how the processor rounds."""
