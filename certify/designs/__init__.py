"""A designed experiment: what it would gain, in words, in files and in a picture. All of it is estimated."""
