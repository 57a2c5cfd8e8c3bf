"""Answers, their verdicts and options, as records."""
