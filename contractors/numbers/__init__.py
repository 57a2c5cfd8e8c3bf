"""How one real operation is enclosed by doubles."""
