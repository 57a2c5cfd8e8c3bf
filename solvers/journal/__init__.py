"""What is done once is not done again: plain records as canonical bytes, an append-only file of them, and works."""
