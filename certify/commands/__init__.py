"""The commands, one file each, discovered; see `certify.command`."""
