"""What a run tells people, in words, tables and pictures. Only `claims` says that something is proved, and it says so only of what was checked."""
