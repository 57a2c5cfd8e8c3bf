"""What `certify accuracy` says of a workspace, read back: its table, its sentences and its record."""

from __future__ import annotations

from collections.abc import Iterator

from running import Told
from statements import Said, compiled, nothing, number, read_line, table_cells

from certify.claims.proved_words import NOTHING

SENTENCES = compiled(
    [
        (
            "deviation: the Euclidean length of the difference between what the model computes with the parameters in "
            "use ({W}) and with any parameters of the search box that are consistent with all measurements within {W}, "
            "for all joint values of the workspace, in the frame of the measuring device.",
            lambda used, levels: [("used", "", (used,)), ("levels", "", tuple(levels.split(", ")))],
        ),
        (
            "deviation: the Euclidean length of the difference between what the model computes with the parameters in "
            "use ({W}) and with any parameters of the search box that are consistent with all measurements within {W}, "
            "for all joint values of the workspace, with {W} held at the values in use, as after a common rigid motion "
            "if these are the base's.",
            lambda used, levels, held: [
                ("used", "", (used,)),
                ("levels", "", tuple(levels.split(", "))),
                ("held", "", tuple(held.split(", "))),
            ],
        ),
        (
            "deviation: the Euclidean length of the difference between what the model computes with the parameters in "
            "use ({W}) and with any parameters of the search box that are consistent with all measurements within {W}, "
            "for all joint values of the workspace, after the best common rigid motion.",
            lambda used, levels: [
                ("used", "", (used,)),
                ("levels", "", tuple(levels.split(", "))),
                ("aligned", "", (True,)),
            ],
        ),
        (
            "deviation: the Euclidean length of the difference between what the model computes with the parameters in "
            "use ({W}) and with any parameters of the search box that are consistent with all measurements within {W}, "
            "for all joint values of the workspace, after the best common rigid motion, with {W} held at the values in "
            "use.",
            lambda used, levels, held: [
                ("used", "", (used,)),
                ("levels", "", tuple(levels.split(", "))),
                ("held", "", tuple(held.split(", "))),
                ("aligned", "", (True,)),
            ],
        ),
        (
            "best common rigid motion: before they are compared all poses of the workspace that such parameters give "
            "are moved by one rigid motion, that which makes the largest difference smallest; it may be another one "
            "for other parameters, and for each row of the table.",
            nothing,
        ),
        (
            "{W}: {W} are taken for the Cartesian coordinates of a point, which the motion moves; whether they are is "
            "for the problem file to know.",
            nothing,
        ),
        (
            "{W}: the positions no further along any axis than half the edge from that of the configuration {W}, as "
            "the parameters in use have it, each reached with the joints that follow from that configuration without "
            "a jump.",
            lambda name, configuration: [("cube", "", (name, configuration))],
        ),
        (
            "deviation: how far the platform stands from the pose for which the model with the parameters in use ({W}) "
            "gives the legs their readings, if each leg has any parameters of the search box that are consistent with "
            "all measurements of this leg within {W}, for all poses of the workspace. Near each pose there is exactly "
            "one where the platform stands, and it is not singular there: a platform that stands elsewhere, beyond a "
            "singularity, is another one.",
            lambda used, levels: [("used", "", (used,)), ("levels of legs", "", tuple(levels.split(", ")))],
        ),
        (
            "with the error: the same where each leg may differ from its model by the assumed error, too. That it "
            "differs by no more anywhere in the workspace is assumed: measurements show it where they were made, and "
            "nowhere else.",
            nothing,
        ),
        ("orientation: the angle by which the platform is turned from where it should be.", nothing),
        ("angles: the root of the sum of the squares by which the angles of the pose differ.", nothing),
        ("Not proved as closely as was wanted (time): {W}.", nothing),
        (
            "with the error: the same and the assumed error of the model itself, by its length. That with the true "
            "parameters the model errs by no more anywhere in the workspace is assumed: measurements show it where "
            "they were made, and nowhere else.",
            nothing,
        ),
        (
            "Not narrowed by the measurements before directions were looked at, so that the search box may answer for "
            "them: {W}.",
            lambda names: [("not narrowed", "", tuple(names.split(", ")))],
        ),
        ("written to {W}: {I} certificates, each beside its problem", lambda _, count: [("count", "", (int(count),))]),
    ]
)


def read_accuracy(told: Told) -> Iterator[Said]:
    """The statements of the text and of the record."""
    lines = told.text.split("\n")
    begin = next(place for place, line in enumerate(lines) if line.startswith("error of"))
    end = next(place for place, line in enumerate(lines) if line.startswith("deviation: "))
    for row in table_cells(lines[begin:end], right=True):
        name = row["error of"]
        *errors, unit = row["assumed error"].split(" ")  # of legs the least and the largest: "0.1 .. 0.2 mm"
        assert errors[1:2] in ([], [".."])
        yield Said("assumed", name, (number(errors[-1]), unit), str(row))
        unit = row["deviation at most"].split(" ")[1]
        for heading, mark in (("deviation at most", "(proved)"), ("with the error", "(proved)")):
            value, its, said = row[heading].split(" ")
            assert (its, said) == (unit, mark)
            yield Said(heading, name, (number(value),), str(row))
        if row["somewhere at least"] != NOTHING:
            value, its, said = row["somewhere at least"].split(" ")
            assert (its, said) == (unit, "(witness)")
            yield Said("somewhere at least", name, (number(value),), str(row))
    for line in lines[end:]:
        yield from read_line(line, SENTENCES)
    for found in told.json["guarantees"]:
        low, high = map(number, map(repr, found["deviation"]))
        yield Said("deviation at most", found["name"], (high,), "record")
        yield Said("somewhere at least", found["name"], (low,), "record")
        yield Said("with the error", found["name"], (number(repr(found["with_error"])),), "record")
