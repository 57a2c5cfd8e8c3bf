"""Linear least squares of very many rows, enclosed."""
