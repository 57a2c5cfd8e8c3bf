"""What may be removed? Interval arithmetic, tapes, and pure narrowing operators."""
