"""The functions of formulas: one table, and what it is made of."""
