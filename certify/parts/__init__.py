"""One part of a problem searched, proved and tightened."""
