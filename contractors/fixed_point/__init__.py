"""The checker's fixed-point interval arithmetic in compiled code, for many rows at once."""
