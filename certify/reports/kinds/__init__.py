"""The kinds of answer that a report tells, one file each, discovered; see `certify.reports.kind`."""
