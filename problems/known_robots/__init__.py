"""The robots whose torques are known up to parameters, a file each: `--robot NAME` of a log finds them here."""
