"""The trees that searches leave behind."""
