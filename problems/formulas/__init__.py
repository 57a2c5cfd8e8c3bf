"""Formulas as text: their grammar, their meaning, their units."""
