"""The report of a folder: what it says follows from certificates that are judged again, whatever the record says; what
was named by others stays text; in a real browser it sorts, tells, turns and asks nobody.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from fractions import Fraction
from html.parser import HTMLParser

import browser
import numpy as np
import planted_text_arms
import pytest

from certify.__main__ import main
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment
from certify.reports.html.markup import island, render, tag
from certify.reports.judging.residuals import residuals
from certify.reports.judging.uncertainties import expanded_uncertainties
from certify.reports.sections.answers import _cell
from certify.reports.sections.recorded import _model

HOSTILE = '</title><script>alert("x")</script><img src=http://example.com/a.png onerror=alert(1)>&amp;\'"'
WRITTEN = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
POSE = "<svg onload=alert(2)>"


class Reader(HTMLParser):
    """The elements and the cells of tables of a page, by the ids of the tables."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.cells, self._table, self._text = [], {}, None, None
        self.feed(text)

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))
        if name == "table":
            self._table = dict(attributes).get("id")
            self.cells.setdefault(self._table, [])
        elif name == "tr":
            self.cells[self._table].append([])
        elif name in ("td", "th"):
            self._text = ""

    def handle_data(self, text):
        if self._text is not None:
            self._text += text

    def handle_endtag(self, name):
        if name in ("td", "th"):
            self.cells[self._table][-1].append(self._text)
            self._text = None


def planted_arm(folder, joints=3, poses=12, off=0.0, text=None):
    """An arm whose truth is planted; its tool is `off` mm from where it should be in half of the poses."""
    design = planted_text_arms.shapes(3, joints)
    true = planted_text_arms.truth_of(design, 3)
    angles = planted_text_arms.poses_of(true, poses, 3)
    places = true.places(angles) + off * (np.arange(poses) % 2)[:, None]
    problem = planted_text_arms.problem_text(design)
    return planted_text_arms.write_arm(folder, problem if text is None else text(problem), angles, places)


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    """A run on an arm whose title, provenance and poses are named by an enemy, with what is enclosed."""
    folder = tmp_path_factory.mktemp("arm")
    path = planted_arm(folder, text=lambda text: re.sub('title = ".*"', lambda _: f'title = "{WRITTEN}"', text))
    table = folder / "poses.csv"
    table.write_text(table.read_text().replace("P3,", f"{POSE},"))
    words = ["--epsilon", "0.05 mm", "--enclose", "--quiet", "--workers", "1"]
    assert main(["run", str(path), "--out", str(folder / "out"), *words]) == 0
    return folder / "out"


@pytest.fixture(scope="module")
def told(arm):
    assert main(["report", str(arm), "--quiet"]) == 0
    return (arm / "report.html").read_text()


def test_a_hostile_name_is_text(told):
    elements = Reader(told).elements
    assert [name for name, _ in elements if name == "img"] == []
    assert [a for name, a in elements if name == "svg" and "onload" in a] == []
    scripts = [attributes for name, attributes in elements if name == "script"]
    assert [a.get("type") for a in scripts].count("application/json") == len(scripts) - 1
    assert not [a for _, a in elements if any(key.startswith("on") or key in ("src", "style") for key in a)]
    assert "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;" in told
    assert "&lt;svg onload=alert(2)&gt;" in told or "\\u003csvg onload" in told


def test_the_policy_allows_this_style_and_this_script_alone(told):
    policy = next(a["content"] for n, a in Reader(told).elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    for name in ("style", "script"):
        text = re.search(f"<{name}>(.*?)</{name}>", told, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?://(?!example)", told)


def test_data_cannot_end_their_island():
    text = island("k", {"</script><!--": ["<script>", "\u2028"]})
    assert text.count("<") == 2
    assert json.loads(re.search(">(.*)<", text)[1]) == {"</script><!--": ["<script>", "\u2028"]}
    assert render("\u202eright to left") == "\\u202eright to left"
    assert render(tag("p", "<b>", title='"')) == '<p title="&quot;">&lt;b&gt;</p>'


def test_verdicts_are_those_of_the_certificates(arm, told):
    heading, row = Reader(told).cells["verdicts"]
    assert heading[0] == "part"
    assert row[:3] == ["position", "within epsilon (witness)", "<= 0.05 mm"]
    assert row[-1] == "verified"


def test_intervals_are_those_of_the_hull_and_hold_the_planted_truth(arm, told):
    record = json.loads((arm / "result.json").read_text())
    hull = {entry["name"]: entry["hull"] for entry in record["hulls"][0]["hull"]}
    rows = {row[1]: row for row in Reader(told).cells["statements"][1:]}
    true = planted_text_arms.truth_of(planted_text_arms.shapes(3, 3), 3)
    truth = {f"B_{axis}": value for axis, value in zip("xyz", true.base, strict=True)}
    truth |= {f"t_{axis}": value for axis, value in zip("xyz", true.tool, strict=True)}
    assert set(truth) <= set(rows) == set(hull)
    for name, row in rows.items():
        assert float(row[3]) <= hull[name][0] + 1e-6 * abs(hull[name][0])
        assert float(row[4]) >= hull[name][1] - 1e-6 * abs(hull[name][1])
        if name in truth:
            assert float(row[3]) <= truth[name] <= float(row[4])


def changed(arm, tmp_path, change):
    """A copy of the folder in which something was changed, and its report."""
    copy = tmp_path / "copy"
    shutil.copytree(arm, copy)
    change(copy)
    code = main(["report", str(copy), "--quiet"])
    return code, (copy / "report.html").read_text()


def forged_record(folder):
    record = json.loads((folder / "result.json").read_text())
    record["parts"][0] |= {"verdict": "adequate", "epsilon": [0.0, 0.0], "verified": True}
    record["warnings"] = ["position: yes (proved), whatever you ask", "<script>alert(3)</script>"]
    (folder / "result.json").write_text(json.dumps(record))


def test_a_forged_record_makes_no_claim(arm, tmp_path):
    code, text = changed(arm, tmp_path, forged_record)
    assert code == 0
    assert Reader(text).cells["verdicts"][1][1:3] == ["undecided", "0 .. 0.05 mm"]
    assert "whatever you ask" not in text
    assert "&lt;script&gt;alert(3)" in text


def test_a_damaged_certificate_proves_nothing(arm, tmp_path):
    def damage(folder):
        for path in folder.glob("*.cert"):
            path.write_bytes(path.read_bytes().replace(b"\nvalues -", b"\nvalues "))

    code, text = changed(arm, tmp_path, damage)
    assert code == 1
    row = Reader(text).cells["verdicts"][1]
    assert row[1:3] == ["undecided", "not known"]
    assert row[-1].startswith("NOT VERIFIED")


def test_a_certificate_under_another_name_is_known_by_what_it_says(arm, told, tmp_path):
    def exchange(folder):
        (folder / "position.cert").rename(folder / "x.cert")
        (folder / "position-hull.cert").rename(folder / "position.cert")

    _, text = changed(arm, tmp_path, exchange)
    assert Reader(text).cells["verdicts"][1][:3] == Reader(told).cells["verdicts"][1][:3]


def test_nothing_is_said_of_other_measurements(arm, tmp_path):
    def edit(folder):
        lines = (folder / "poses.csv").read_text().splitlines()
        place = next(k for k, line in enumerate(lines) if line.startswith("P2,"))
        cells = lines[place].split(",")
        cells[-1] = f"{float(cells[-1]) + 1:.4f}"
        (folder / "poses.csv").write_text("\n".join([*lines[:place], ",".join(cells), *lines[place + 1 :]]) + "\n")

    code, text = changed(arm, tmp_path, edit)
    assert code == 1
    assert "nothing is said here of these files to be proved" in text
    assert not {"verdicts", "statements", "residual-table"} & set(Reader(text).cells)


def test_a_folder_is_checked_as_a_whole(arm, tmp_path, capsys):
    copy = tmp_path / "copy"
    shutil.copytree(arm, copy)
    assert main(["check", str(copy), "--quiet"]) == 0
    text = capsys.readouterr().out
    assert text.count("cert: VERIFIED") == len(list(copy.glob("*.cert"))) == 4
    assert text.endswith("give problem.canonical, byte by byte.\n")
    (copy / "position.cert").write_bytes((copy / "position.cert").read_bytes()[:-1])
    (copy / "problem.toml").write_text((copy / "problem.toml").read_text().replace("0.1 mm", "0.2 mm"))
    assert main(["check", str(copy), "--json", "--quiet"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [name for name, check in told["certificates"].items() if not check["verified"]] == ["position.cert"]
    assert told["translated"] is False
    assert main(["check", str(copy / "problem.toml")]) == 2


@pytest.mark.parametrize(
    "text", ["[]", "{", "1e999", "[" * 100_000, '{"parts": [1, {"name": "position", "seconds": 1' + 400 * "0" + "}]}"]
)
def test_a_record_that_is_none_is_refused_or_believed_in_nothing(arm, told, text, tmp_path, capsys):
    copy = tmp_path / "copy"
    shutil.copytree(arm, copy)
    (copy / "result.json").write_text(text)
    code = main(["report", str(copy), "--quiet"])
    assert code == (0 if text.startswith('{"') else 2)
    assert code == 0 or "no record of a run" in capsys.readouterr().err


def test_another_run_removes_the_report_and_not_a_users_file(arm, tmp_path):
    from certify.runs.folders import written_before

    copy = tmp_path / "copy"
    shutil.copytree(arm, copy)
    assert (copy / "report.html") in written_before(copy) or not (copy / "report.html").exists()
    (copy / "report.html").write_text("<p>mine</p>")
    assert (copy / "report.html") not in written_before(copy)


ROOT_OF_TWO = "Variables\n x in [0, 2];\nConstraints\n x^2 = 2;\nend\n"


def test_a_run_ends_with_its_page(tmp_path, capsys):
    (tmp_path / "s.bch").write_text(ROOT_OF_TWO)
    assert main(["run", str(tmp_path / "s.bch"), "--report", "--quiet"]) == 2
    words = ["run", str(tmp_path / "s.bch"), "--out", str(tmp_path / "out"), "--quiet"]
    assert main(words) == 0
    assert f"report written to {tmp_path / 'out' / 'report.html'}" in capsys.readouterr().out
    cells = Reader((tmp_path / "out" / "report.html").read_text()).cells["boxes"]
    low, high = (Fraction(end) for end in cells[1][-2:])
    assert low**2 < 2 < high**2
    assert main([*words, "--no-report"]) == 0
    assert "report" not in capsys.readouterr().out and not (tmp_path / "out" / "report.html").exists()


def test_an_answer_never_depends_on_its_page(tmp_path, monkeypatch):
    """One that would take long is left out and one that cannot be written told, unless it was asked for."""
    from certify.reports import closing

    (tmp_path / "s.bch").write_text(ROOT_OF_TWO)
    folder, made = tmp_path / "out", []
    assert main(["run", str(tmp_path / "s.bch"), "--out", str(folder), "--no-report", "--quiet"]) == 0

    def told(spent, left, wanted=False):
        return closing.closing_line(folder, spent, left, wanted, made.append)

    def fail(error):
        def write(*_, **__):
            raise error

        monkeypatch.setattr(closing, "write_report", write)

    with monkeypatch.context() as slow:
        slow.setattr(closing, "RATE", 1.0)
        assert "no report was written: reading everything once more may take" in told(9.0, 1e9)
        assert "no report was written" in told(400.0, 9.0) and not made
        assert f"'certify report {folder}' makes one" in told(400.0, 9.0)
        assert told(9.0, 9.0, wanted=True).startswith("report written to")
        assert told(1e9, 1e9).startswith("report written to")
    fail(InputError("a reason"))
    assert told(1.0, 9.0) == f"no report was written: a reason; 'certify report {folder}' makes one"
    with pytest.raises(InputError):
        told(1.0, 9.0, wanted=True)
    fail(MemoryError())
    assert "it failed with MemoryError" in told(1.0, 9.0)
    with pytest.raises(MemoryError):
        told(1.0, 9.0, wanted=True)
    fail(KeyboardInterrupt())
    assert "it was interrupted" in told(1.0, 9.0, wanted=True) and "is written" in told(1.0, 9.0)


def test_what_was_accepted_in_this_process_is_not_judged_again_and_nothing_else_is_believed(tmp_path, monkeypatch):
    """The certificate of another folder, and one that was changed since, are judged, and the latter is refused."""
    from certify.checks.accepted import Accepted
    from certify.checks.checking import check_each
    from certify.reports.judging import judged as judging
    from certify.reports.report import write_report
    from certify.solvers.limits import UNLIMITED

    known, asked = Accepted(), []
    monkeypatch.setattr("certify.checks.checking.ACCEPTED", known)
    monkeypatch.setattr(judging, "ACCEPTED", known)

    def heard(pairs, limit):
        asked.append(len(pairs))
        return check_each(pairs, limit)

    monkeypatch.setattr(judging, "check_each", heard)
    (tmp_path / "s.bch").write_text("Variables\n x in [0, 2];\nConstraints\n x^2 = 2;\nend\n")
    folder = tmp_path / "out"
    assert main(["run", str(tmp_path / "s.bch"), "--out", str(folder), "--report", "--quiet"]) == 0
    assert asked == [] and "at the end of the run" in (folder / "report.html").read_text()
    assert write_report(folder, UNLIMITED, lambda told: None).run.exit_code == 0
    assert asked == [1] and "while this report was made" in (folder / "report.html").read_text()
    path = folder / "solutions.cert"
    data = path.read_bytes()
    path.write_bytes(data.replace(b"\nend\n", b"\nsplit 0 1p0\nend\n"))
    changed = write_report(folder, UNLIMITED, lambda told: None, again=False)
    assert asked == [1, 1] and changed.run.exit_code == 1


def line_problem(tmp_path):
    """y = a + b t, with half-widths of two standard deviations of y."""
    lines = "\n".join(f"{k},{k}.0,{1.5 + 0.25 * k}" for k in range(8))
    (tmp_path / "poses.csv").write_text(f"pose,t [1],y [mm]\n{lines}\n")
    path = tmp_path / "problem.toml"
    path.write_text(
        'format = "certify-problem-file 1"\ntitle = "line"\nprovenance = "simulated: a line"\nposes = "poses.csv"\n'
        'half_widths_are = "2 standard deviations"\n[model]\nequation = "a + b*t - y"\n'
        '[model.parameters]\na = "length"\nb = "length"\n[model.columns]\nt = "number"\ny = "length"\n'
        '[half_widths]\nt = "0 1"\ny = "0.2 mm"\n[box]\ncentre = "nominal"\n[parameters]\n'
        'a = { value = "1 mm", radius = "5 mm" }\nb = { value = "0 mm", radius = "5 mm" }\n'
    )
    experiment = load_experiment(path)
    return experiment, experiment.problem(experiment.nominal)


def test_uncertainties_are_those_of_the_textbook(tmp_path):
    experiment, problem = line_problem(tmp_path)
    fit = {"a": Fraction(3, 2), "b": Fraction(1, 4)}
    found = expanded_uncertainties(problem, ("model",), fit, experiment.half_widths_are)
    t = np.arange(8.0)
    design = np.stack([np.ones(8), t], axis=1)
    cov = 0.1**2 * np.linalg.inv(design.T @ design)
    assert found == pytest.approx({"a": 2 * np.sqrt(cov[0, 0]), "b": 2 * np.sqrt(cov[1, 1])}, rel=1e-12)


def test_residual_intervals_hold_the_exact_ones_closely(tmp_path):
    _, problem = line_problem(tmp_path)
    values = {"a": Fraction(17, 10), "b": Fraction(1, 3)}
    (found,) = residuals(problem, ("model",), values)
    for k in range(8):
        exact = values["a"] + values["b"] * k - (Fraction(3, 2) + Fraction(1, 4) * k)
        step = Fraction(10) ** found.power
        low, high = int(found.lower[k]) * step, int(found.upper[k]) * step
        assert low <= exact - Fraction(1, 5) < exact + Fraction(1, 5) <= high
        assert high - low < Fraction(2, 5) + 5 * step
        assert found.contradicting[k] == (abs(exact) > Fraction(1, 5))


def test_what_is_recorded_is_shortened_so_that_it_stays_true():
    entry = {
        "proved_share": 0.3599999999999999,
        "epsilon": 0.12345678901,
        "deviation": [0.12345678901, 0.23456789012],
        "with_error": None,
        "name": "a <b>",
    }
    cells = {name: _cell(entry, name) for name in (*entry, "proved_share_kept_apart")}
    assert cells == {
        "proved_share": "35%",
        "epsilon": "0.123456789",
        "deviation": "0.123456789 .. 0.234567891",
        "with_error": "",
        "name": "a <b>",
        "proved_share_kept_apart": "",
    }
    assert _cell({"deviation": [None, 1e400]}, "deviation") == "not known .. inf"


def test_model_errors_of_different_units_have_bars_of_their_own():
    parts = [
        {"unit": "V", "epsilon": [0.5, 0.75]},
        {"unit": "Nm", "epsilon": [0.001, 0.002]},
        {"unit": "V", "epsilon": [None, 1.0]},
    ]
    assert [(bar.unit, bar.lower, bar.upper) for bar in _model({"name": "base", "parts": parts})] == [
        ("V", 0.5, 1.0),
        ("Nm", 0.001, 0.002),
    ]
    assert not list(_model({"parts": [{"unit": "V", "epsilon": [0.5, None]}]}))


needs_browser = pytest.mark.skipif(browser.executable() is None, reason="no Chromium is installed")


@needs_browser
@pytest.mark.thorough
def test_a_browser_shows_it(arm, told):
    with browser.Browser() as page:
        page.open(arm / "report.html")
        assert page.logged == []
        assert len(page.asked) == 1
        assert page.run("window.innerWidth >= document.documentElement.scrollWidth")
        first = "document.querySelector('#statements tbody tr').cells[1].textContent"
        page.run("document.querySelectorAll('#statements thead button')[1].click()")
        up = page.run(first)
        page.run("document.querySelectorAll('#statements thead button')[1].click()")
        assert page.run(first) != up
        assert page.run("document.querySelector('#statements th[aria-sort]').getAttribute('aria-sort')") == "descending"
        assert page.run("document.getElementById('residual-plot').dataset.rows") == "36"
        page.run("document.getElementById('residual-plot').scrollIntoView()")
        x, y = page.run("(() => { const b = document.getElementById('residual-plot').getBoundingClientRect();"
                        "return [b.x + b.width / 2, b.y + b.height / 2]; })()")  # fmt: skip
        page.mouse("mouseMoved", x, y)
        assert re.fullmatch(
            r"position\.[xyz], pose .+: -?[0-9.]+ \.\. -?[0-9.]+ mm.*",
            page.run("document.getElementById('residual-told').textContent"),
        )
        turn = page.run("document.getElementById('robot-view').dataset.turn")
        page.run("document.getElementById('robot-view').focus()")
        page.key("ArrowRight")
        assert page.run("document.getElementById('robot-view').dataset.turn") != turn
        page.run("document.querySelectorAll('#robot-controls button')[0].click()")
        before = page.run("document.getElementById('robot-view').dataset.pose")
        page.run("document.querySelectorAll('#robot-controls button')[1].click()")
        assert page.run("document.getElementById('robot-view').dataset.pose") != before
        assert page.printed().startswith(b"%PDF")
        page.call("Emulation.setEmulatedMedia", media="print")
        shown = page.run("getComputedStyle(document.querySelector('thead button')).display")
        assert shown == "contents"  # headings with a button are not repeated on the next sheet
        assert page.logged == []
        assert len(page.asked) == 1


@needs_browser
@pytest.mark.thorough
def test_in_a_narrow_dark_browser_nothing_is_cut(arm, told):
    with browser.Browser(400, 800, dark=True) as page:
        page.open(arm / "report.html")
        assert page.run("document.documentElement.scrollWidth") <= 400
        wide = "[...document.querySelectorAll('.wide:has(.stacked)')].map(e => e.scrollWidth - e.clientWidth)"
        assert set(page.run(wide)) == {0}  # verdicts, intervals, parameters and certificates, below each other
        assert page.run("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 23, 26)"
        assert page.logged == []


@needs_browser
@pytest.mark.thorough
def test_thousands_of_poses_open_in_a_browser(tmp_path):
    """6,400 of them: less than 5 MB, every row is there; how long it takes is in decision 63."""
    path = planted_arm(tmp_path, joints=2, poses=6400)
    words = ["--epsilon", "0.05 mm", "--quiet", "--workers", "1", "--time-limit", "3000"]
    assert main(["run", str(path), "--out", str(tmp_path / "out"), *words]) == 0
    assert main(["report", str(tmp_path / "out"), "--quiet", "--time-limit", "3000"]) == 0
    assert (tmp_path / "out" / "report.html").stat().st_size < 5_000_000
    with browser.Browser() as page:
        page.open(tmp_path / "out" / "report.html")
        assert page.run("document.getElementById('residual-plot').dataset.rows") == str(3 * 6400)
        assert page.logged == [] and len(page.asked) == 1


def test_a_page_without_certificates_says_so_and_shows_no_commands(tmp_path, capsys):
    (tmp_path / "result.json").write_text('{"question": "without certificates", "told": [{"what": "x", "value": 0.1}]}')
    assert main(["report", str(tmp_path), "--quiet"]) == 3
    told, page = capsys.readouterr().out, (tmp_path / "report.html").read_text()
    assert "none was judged" in told and "accepted" not in told
    assert "There is no certificate in this folder" in page and "0 of 0" not in page
    assert "How to check it again" not in page and "What each certificate claims" not in page


def test_a_page_of_a_set_parts_what_certificates_prove_from_what_the_search_found(tmp_path):
    """The recorded volume is the search's, narrower than that of the certificates; each claim names its problem."""
    (tmp_path / "s.bch").write_text("Variables\n x in [-2, 2]; y in [-2, 2];\nConstraints\n x^2 + y^2 <= 1;\nend\n")
    assert main(["run", str(tmp_path / "s.bch"), "--out", str(tmp_path / "out"), "--quiet"]) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    cells = Reader(page).cells
    assert ["certificate", "about", "claim"] in [row for rows in cells.values() for row in rows]
    assert "No certificate says these numbers" in page and "from these certificates together" not in page
    record = json.loads((tmp_path / "out" / "result.json").read_text())
    low, high = map(Fraction, re.search(r"<td>([0-9.]+) \.\. ([0-9.]+)</td>", page).groups())
    recorded = [Fraction(end) for end in record["volume"]]
    tenth = Fraction(1, 10**10)
    assert recorded[0] - tenth < low <= recorded[0] and recorded[1] <= high < recorded[1] + tenth
    assert "conditions turned round" in page
