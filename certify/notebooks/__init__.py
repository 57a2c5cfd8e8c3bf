"""What notebooks show of answers: a line, a table, a frame, a picture, a page."""
