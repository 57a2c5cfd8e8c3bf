"""Groups under a Euclidean norm: smallest distances that are known exactly, certified, accepted by both checkers."""

from dataclasses import replace
from fractions import Fraction

import pytest
from two_checkers import both

import certify
from certify.problems.errors import InputError
from certify.problems.model.groups import Group
from certify.records.options import Options
from certify.records.verdicts import Verdict


def points(*places, half=0, box=9, norm="euclidean"):
    """An unknown point, measured in a plane or in space at these places, whose coordinates lie within `half`."""
    names = "xyz"[: len(places[0])]
    half = Fraction(half)
    tape = certify.trace(lambda x, m: x.p - m.q, {"p": ()}, {"q": ()})
    variables = tuple(certify.Variable(name, "mm", Fraction(-box), Fraction(box)) for name in names)
    columns, families = [], []
    for axis, name in enumerate(names):
        read = [Fraction(place[axis]) for place in places]
        columns.append(certify.Column(f"m{name}", "mm", tuple(v - half for v in read), tuple(v + half for v in read)))
        families.append(
            certify.Family(name, tape, len(places), (certify.Binding(False, axis), certify.Binding(True, axis)), "mm")
        )
    group = Group("position", tuple(names), norm)
    return certify.Problem(variables, tuple(columns), tuple(families), groups=(group,))


APART = [
    (points((0, 0), (4, 3)), Fraction(25, 4)),
    (points((0, 0, 0), (2, 3, 6)), Fraction(49, 4)),
    (points((0, 0), (4, 3), half="1/2"), Fraction(13, 4)),
]


@pytest.mark.parametrize(("problem", "square"), APART)
def test_the_smallest_distance_is_enclosed(problem, square):
    answer = certify.adequacy(problem, options=Options(gap=Fraction(1, 10**4)))
    (part,) = answer.parts
    assert part.verdict is Verdict.INADEQUATE
    assert both(answer.canonical, part.certificate) == "VERIFIED"
    assert b"group model euclidean 0 1 " in part.certificate
    lower, upper = part.epsilon
    assert lower**2 <= square <= upper**2


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (Group("g", ("x", "y"), "round"), "group g has the norm 'round'; choose largest or euclidean"),
        (Group("g", ()), "group g has no families; name at least one"),
        (Group("g", ("x", "w")), "group g names the family 'w'; the problem has x, y"),
        (Group("g", ("y", "x")), "group g names its families out of the problem's order; name them in order"),
        (Group("g", ("x", "x")), "family x stands in the groups g and g; leave it in one"),
    ],
)
def test_groups_that_cannot_be_are_refused(group, message):
    problem = APART[0][0]
    with pytest.raises(InputError) as refused:
        replace(problem, groups=(group,))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unit": "m"}, "the families of group position have different units (mm, m); they must agree"),
        (
            {"role": "equation"},
            "family y of group position has the role equation; only errors of a model can stand in a group",
        ),
    ],
)
def test_what_cannot_be_one_member_is_refused(change, message):
    problem = APART[0][0]
    with pytest.raises(InputError) as refused:
        replace(problem, families=(problem.families[0], replace(problem.families[1], **change)))
    assert str(refused.value) == message
