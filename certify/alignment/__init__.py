"""Which turns a frame is made of, and what two sets of poses differ by after the best common rigid motion."""
