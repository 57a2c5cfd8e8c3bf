"""Hundreds of problems in one command: what is asked, who answers it, and the table of all answers."""
