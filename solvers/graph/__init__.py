"""Which contractors there are, and when each of them wakes."""
