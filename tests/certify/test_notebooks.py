"""What notebooks show of answers: nothing is called proved before a checker has judged it, numbers are those of the
record, names stay text, and the page follows from certificates that are judged once more.
"""

import json
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest

import certify
from certify.notebooks.frames import rows
from certify.notebooks.view import view
from certify.problems.errors import InputError
from certify.reports.record import schema

ANCHORS = {"a.x [m]": ["0", "4", "0"], "a.y [m]": ["0", "0", "3"], "d [m]": ["2.5", "2.5", "2.2"]}
BOX = {"p.x [m]": (0, 5), "p.y [m]": (0, 5)}
HALF = {"a.x": "0.01", "a.y": "0.01", "d": "0.02"}
X = [77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1]
Y = [10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4]
CLAIMS = ("proved", "verified", "witness", "guarantee")


def problem():
    return certify.Problem.from_table(lambda x, m: certify.norm(x.p - m.a) - m.d, ANCHORS, BOX, HALF, unit="m")


def misra():
    def model(x, a, b):
        return a * (1 - np.exp(-b * x))

    return certify.fit(model, X, Y, start=[250, 0.0005], box=[(0, 500), (0, 0.002)])


def regression():
    generator = np.random.default_rng(3)
    W = generator.uniform(-1, 1, (40, 2))
    return certify.linear(W, W @ [2.0, -3.0] + generator.uniform(-0.1, 0.1, 40), 0.1, names=["M", "Fv"])


def circle():
    return certify.solve(certify.system({"x": (-9, 9), "y": (-9, 9)}, ["x^2 + y^2 = 25", "3*x = 4*y"]))


@pytest.fixture(scope="module")
def answers():
    made = problem()
    found = [certify.adequacy(made), certify.enclose(made, "0.2"), certify.least_squares(made), regression()]
    return found, [answer.checked() for answer in found]


def test_nothing_is_called_proved_before_it_was_judged(answers):
    for found, judged in zip(*answers, strict=True):
        assert not any(word in found._repr_html_() + repr(found) for word in CLAIMS)
        assert "not judged" in repr(found) and "no checker has judged it yet" in found._repr_html_()
        assert "judged by the checker" in repr(judged) and any(word in judged._repr_html_() for word in CLAIMS)


def test_what_the_checker_refused_is_not_shown_as_proved():
    found = certify.adequacy(problem())
    part = found.parts[0]
    forged = replace(found, parts=(replace(part, certificate=part.certificate.replace(b"lower ", b"lower 9")),))
    assert "no (proved)" not in forged.checked()._repr_html_() and "undecided" in forged.checked()._repr_html_()


def test_frames_have_the_numbers_rounded_outwards(answers):
    pytest.importorskip("pandas")
    _, (adequate, enclosed, minimum, linear) = answers
    (row,) = adequate.to_frame().to_dict("records")
    lower, upper = adequate.parts[0].epsilon
    assert Fraction(row["lower"]) <= lower <= upper <= Fraction(row["upper"]) and row["judged"]
    hull = enclosed.parts[0].box
    for row, low, high in zip(rows(enclosed), hull.lower, hull.upper, strict=True):
        assert Fraction(row["lower"]) <= low <= high <= Fraction(row["upper"])
    assert [row["parameter"] for row in rows(minimum)] == ["p.x", "p.y"]
    for row, (low, high) in zip(linear.to_frame().to_dict("records"), linear.box, strict=True):
        assert Fraction(row["lower"]) <= low <= high <= Fraction(row["upper"])
    assert list(circle().to_frame()["kind"]) == ["solution"] * 2


def test_a_fit_and_a_system_show_themselves():
    answer = misra()
    assert repr(answer).startswith("<FittedModel residuals: the only global minimum in the search box (proved)")
    assert list(answer.to_frame()["parameter"]) == ["a", "b"]
    assert "standard error" in answer._repr_html_()
    assert "exactly 2 solutions" in circle()._repr_html_()


def test_the_solutions_of_an_interval_system_show_themselves():
    """2 x = 1, 4 y in [1, 3]: x = 1/2, y in [1/4, 3/4]; x + y is not both 0 and 1."""
    found = certify.linear_system([[2, 0], [0, 4]], [1, (1, 3)])
    frame = found.to_frame()
    for (low, high), (_, lower, upper) in zip([(0.5, 0.5), (0.25, 0.75)], frame.itertuples(index=False), strict=True):
        assert low - 1e-9 < lower <= low <= high <= upper < high + 1e-9
    assert "not certified: every solution" in found._repr_html_() and "x[1]" in found._repr_html_()
    empty = certify.linear_system([[1, 1], [1, 1]], [0, 1])
    assert len(empty.to_frame()) == 0 and "there is no solution" in empty._repr_html_()


def test_pictures_are_png_and_say_whose_word_it_is(answers):
    found, judged = answers
    for answer in (*judged, misra(), circle()):
        assert answer.plot()._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="have the answer judged first"):
        found[0].plot()


class Text(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.text = set(), ""
        self.feed(text)

    def handle_starttag(self, name, attributes):
        self.names.add(name)

    def handle_data(self, text):
        self.text += text


def test_names_stay_text():
    part = replace(certify.adequacy(problem()).parts[0], name="<script>alert(1)</script>")
    shown = Text(certify.Result((part,), b"")._repr_html_())
    assert "script" not in shown.names and "<script>" in shown.text


@pytest.mark.parametrize("make", [lambda: certify.adequacy(problem()), misra, regression, circle])
def test_a_page_and_a_record_follow_from_certificates(make, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    answer = make()
    page = answer.report(tmp_path / "report.html").read_text()
    assert "accepted" in page and "How to check it again" in page and "<script" in page
    record = json.loads(answer.report(tmp_path / "report.json").read_text())
    jsonschema.validate(record, schema())
    assert record["exit_code"] == 0 and all(found["accepted"] for found in record["certificates"])


def test_what_is_no_answer_says_so():
    with pytest.raises(TypeError, match="int cannot be shown"):
        view(3)
