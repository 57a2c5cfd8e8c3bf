"""Proofs in pieces: a box is divided, its parts are proved one by one, kept in files, and put together."""
