"""Candidates for models that are linear in their parameters: floats choose rows, points and weights."""
