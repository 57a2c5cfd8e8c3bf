"""Large sparse systems: the band of one, and its overlapping parts."""
