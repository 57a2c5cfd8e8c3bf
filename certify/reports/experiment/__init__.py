"""The sections of a report that only runs of experiments have, one file each."""
