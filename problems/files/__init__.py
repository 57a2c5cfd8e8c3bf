"""Files of users, read and written with messages that say where."""
