"""Floats that guess points: fits and minimax."""
