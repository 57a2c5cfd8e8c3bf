"""Floats that advise: suspects, determination, next poses."""
