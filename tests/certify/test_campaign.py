"""A campaign gives the same table, byte for byte, whatever the number of workers and however often it was stopped, and
no row says more than its certificate.
"""

import json
import os
import signal
from dataclasses import replace
from types import SimpleNamespace

import pytest
from killing import Killed

from certify.__main__ import main
from certify.campaigns import answering, carried, running, sent
from certify.campaigns.plan import Task, read_plan
from certify.campaigns.rows import CODEC, Row, rows_of
from certify.campaigns.running import Campaign
from certify.checker import Status, check
from certify.problems.errors import InputError
from certify.reports.sections import campaign_table
from certify.solvers.journal.journal import Journal
from certify.solvers.limits import Limit

CURVES = "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2*y + y^3 = x; y = 2*sin(3*x) - x*y;\nend\n"
CIRCLES = "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2 + y^2 = 4; x^2 + y^2 = 5;\nend\n"
PLAN = 'title = "Curves"\n[[problems]]\nfile = "*.bch"\nwidth = ["1e-8", "1e-6"]\n'


@pytest.fixture
def place(tmp_path):
    (tmp_path / "curves.bch").write_text(CURVES)
    (tmp_path / "circles.bch").write_text(CIRCLES)
    (tmp_path / "campaign.toml").write_text(PLAN)
    return tmp_path


def run(place, out, *words):
    code = main(["campaign", str(place / "campaign.toml"), "--out", str(place / out), "--quiet", *words])
    return code, (place / out / "campaign.csv").read_bytes()


def test_every_row_has_a_certificate_that_says_so(place):
    code, table = run(place, "out", "--workers", "1")
    assert code == 0
    lines = table.decode().splitlines()
    assert lines[0].startswith("task,file,robot,error")
    cells = [dict(zip(lines[0].split(","), line.split(","), strict=True)) for line in lines[1:]]
    assert [(cell["file"], cell["width"], cell["solutions"]) for cell in cells] == [
        (f"{name}.bch", width, count)
        for name, count in (("circles", "0"), ("curves", "8"))
        for width in ("1e-8", "1e-6")
    ]
    for cell in cells:
        folder = place / "out" / "runs" / f"{int(cell['task']):05d}"
        problem, certificate = (folder / name for name in ("problem.canonical", "solutions.cert"))
        assert check(problem.read_bytes(), certificate.read_bytes()).status is Status.VERIFIED
    record = json.loads((place / "out" / "result.json").read_text())
    assert (record["tasks"], record["answered"], record["verdicts"]) == (4, 4, {"counted": 4})
    assert "curves.bch" in (place / "out" / "report.html").read_text()


@pytest.mark.thorough
def test_a_campaign_stopped_after_every_task_gives_the_table_of_one_that_was_not(place, monkeypatch, capsys):
    _, expected = run(place, "whole", "--workers", "2")
    end = Campaign._end
    for _ in range(3):
        done = []

        def ended(self, pipe, *others, done=done):
            end(self, pipe, *others)
            done.append(pipe)
            if self.recalled < len(self.found):
                raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(Campaign, "_end", ended)
            with pytest.raises(Killed):
                run(place, "out", "--workers", "1", "--resume")
    assert run(place, "out", "--workers", "2", "--resume") == (0, expected)
    assert "4 of 4 tasks answered, 3 of them before" in capsys.readouterr().out


def test_a_campaign_is_not_overwritten(place, capsys):
    run(place, "out", "--workers", "1")
    assert run(place, "out", "--workers", "1")[0] == 2
    assert "holds a campaign; give --resume" in capsys.readouterr().err


@pytest.mark.parametrize("linked", ["runs/00001", "runs/00001/pieces", "runs"])
def test_nothing_is_removed_or_written_where_a_link_leads(place, capsys, linked):
    (place / "campaign.toml").write_text('[[problems]]\nfile = "circles.bch"\nshare = "1/1"\n')
    run(place, "out", "--workers", "1", "--no-report")
    elsewhere, link = place / "elsewhere", place / "out" / linked
    link.rename(place / "away")
    elsewhere.mkdir()
    (elsewhere / "thesis.txt").write_text("mine")
    link.symlink_to(elsewhere)
    code, _ = run(place, "out", "--workers", "1", "--no-report", "--resume")
    assert [path.name for path in elsewhere.iterdir()] == ["thesis.txt"]
    assert (code, link.is_symlink()) == ((2, True) if linked == "runs" else (0, False))
    assert ("its runs is a link" in capsys.readouterr().err) is (linked == "runs")


@pytest.mark.parametrize("record", [None, {"files": []}])
def test_runs_of_something_else_are_no_campaign(place, capsys, record):
    mine = place / "out" / "runs" / "00001" / "thesis.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    if record:
        (place / "out" / "result.json").write_text(json.dumps(record))
    for words in ((), ("--resume",)):
        assert main(["campaign", str(place / "campaign.toml"), "--out", str(place / "out"), *words]) == 2
        assert "of no campaign of ours; choose another folder" in capsys.readouterr().err
    assert [path.name for path in mine.parent.iterdir()] == ["thesis.txt"]


def test_a_campaign_whose_journal_is_gone_or_of_another_version_goes_on(place, capsys):
    _, expected = run(place, "out", "--workers", "1", "--no-report")
    journal = place / "out.journal"
    Journal.begin(journal, b"another version").close()
    assert run(place, "out", "--workers", "1", "--no-report", "--resume")[0] == 2
    assert "remove it to begin anew" in capsys.readouterr().err
    journal.unlink()
    assert run(place, "out", "--workers", "1", "--no-report", "--resume") == (0, expected)


@pytest.mark.thorough
def test_rows_that_their_certificates_do_not_say_are_answered_again(place, monkeypatch):
    """A journal that counts one solution more, and a certificate that was cut off."""
    _, expected = run(place, "out", "--workers", "1")
    put = Journal.get

    def lie(self, key):
        data = put(self, key)
        rows = CODEC.decode(data, tuple[Row, ...])
        return CODEC.encode(tuple(replace(row, solutions=row.solutions + 1) for row in rows))

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "get", lie)
        assert run(place, "out", "--workers", "1", "--resume") == (0, expected)
    certificate = place / "out" / "runs" / "00003" / "solutions.cert"
    whole = certificate.read_bytes()
    certificate.write_bytes(whole[: len(whole) // 2])
    assert run(place, "out", "--workers", "1", "--resume") == (0, expected)
    assert certificate.read_bytes() == whole
    (place / "circles.bch").write_text(CURVES)
    code, table = run(place, "out", "--workers", "1", "--resume")
    assert code == 0 and table.count(b",counted,,,,8,") == 4


@pytest.mark.thorough
@pytest.mark.parametrize(("killed", "how"), [(True, "was ended by force, twice"), (False, "failed, twice")])
def test_a_task_whose_process_is_ended_is_asked_twice_and_then_said_to_be(place, monkeypatch, capsys, killed, how):
    asked = place / "asked"
    asked.mkdir()
    answer = running.answer

    def ended(task, folder):
        (asked / f"{task.number}-{os.getpid()}").touch()
        if task.number == 2 and killed:
            os.kill(os.getpid(), signal.SIGKILL)
        if task.number == 2:
            raise RuntimeError("an error of the program")
        answer(task, folder)

    monkeypatch.setattr(running, "answer", ended)
    code, table = run(place, "out", "--workers", "2")
    assert code == 3
    assert len(list(asked.glob("2-*"))) == 2 and len(list(asked.glob("1-*"))) == 1
    assert b"all solutions" in table and b"failed" in table
    assert f"its process {how}" in capsys.readouterr().out


def test_bad_input_of_one_task_is_its_row(place, capsys):
    (place / "campaign.toml").write_text('[[problems]]\nfile = "circles.bch"\ngap = "1e-3"\n')
    code, table = run(place, "out", "--workers", "1")
    assert code == 3
    assert b"failed" in table
    assert "gap is of an experiment, not of a system" in capsys.readouterr().out


ROOTS = "Variables x in [-3, 3];\nConstraints {};\nend\n"


def test_an_open_question_is_asked_again_when_its_file_has_changed(tmp_path):
    """What was undecided of another text says nothing of this one."""
    (tmp_path / "campaign.toml").write_text('[[problems]]\nfile = "one.bch"\n')
    (tmp_path / "one.bch").write_text(ROOTS.format("x^2 = 0"))
    code, table = run(tmp_path, "out", "--workers", "1")
    assert code == 3 and b"undecided" in table
    (tmp_path / "one.bch").write_text(ROOTS.format("x^2 = 2"))
    code, table = run(tmp_path, "out", "--workers", "1", "--resume")
    assert code == 0 and b",counted,,,,2," in table


def test_the_folder_of_a_task_holds_nothing_of_another_one(tmp_path):
    """The second problem gets no certificate, and is not told with that of the first."""
    (tmp_path / "campaign.toml").write_text('[[problems]]\nfile = "one.bch"\n')
    (tmp_path / "one.bch").write_text(ROOTS.format("x^2 = 2"))
    assert run(tmp_path, "out", "--workers", "1")[0] == 0
    folder = tmp_path / "out" / "runs" / "00001"
    assert (folder / "solutions.cert").is_file()
    (folder / "mine.txt").write_text("stays")
    (tmp_path / "campaign.toml").write_text('[[problems]]\nfile = "two.bch"\n')
    (tmp_path / "two.bch").write_text(ROOTS.format("sign(x)*x = 2"))
    assert run(tmp_path, "out", "--workers", "1", "--resume")[0] == 3
    assert {path.name for path in folder.iterdir()} == {"mine.txt", "result.json"}


def test_a_verdict_is_about_the_error_that_is_asked_about(tmp_path):
    """Whatever the record says: a witness within 1 mm decides nothing at 1e-9 mm, nor where both ends are asked for."""
    settings = (("robot", "planar_3rpr"), ("error", "none"), ("epsilon", "1 mm"))
    task = Task(1, settings, "", 60.0, 20_000)
    answering.answer(task, tmp_path / "out")
    verdicts = {}
    for level in ("1 mm", "2 mm", "1e-9 mm", ""):
        asked = replace(task, settings=(*settings[:2], ("epsilon", level)))
        verdicts[level] = {row.verdict for row in rows_of(asked, tmp_path / "out")}
    assert verdicts["1 mm"] == verdicts["2 mm"] == {"feasible"}
    assert verdicts["1e-9 mm"] == verdicts[""] == {"undecided"}


@pytest.mark.thorough
@pytest.mark.parametrize("rule", ["least squares", "nominal"])
def test_a_box_elsewhere_is_another_problem(tmp_path, monkeypatch, rule):
    """The blueprint's box, and that around the fit, is the task's to say: a worker may have moved it."""
    robot = tmp_path / "robot"
    assert main(["simulate", "--robot", "planar_3rpr", "--error", "none", "--out", str(robot), "--quiet"]) == 0
    text = (robot / "problem.toml").read_text()
    assert 'centre = "least squares"' in text
    (robot / "problem.toml").write_text(text.replace('centre = "least squares"', f'centre = "{rule}"'))
    settings = (("file", "robot/problem.toml"), ("epsilon", "1 mm"))
    task = Task(1, settings, str(robot / "problem.toml"), 60.0, 20_000)
    problem_of = answering.problem_of

    def moved(task):
        experiment = problem_of(task)
        return replace(experiment, centre=tuple(one.nominal + one.radius / 8 for one in experiment.blueprint))

    answering.answer(task, tmp_path / "here")
    assert rows_of(task, tmp_path / "here", elsewhere=True) == rows_of(task, tmp_path / "here")
    with monkeypatch.context() as patched:
        patched.setattr(answering, "problem_of", moved)
        answering.answer(task, tmp_path / "there")
    with pytest.raises(InputError, match="another problem"):
        rows_of(task, tmp_path / "there", elsewhere=True)


@pytest.mark.parametrize(
    ("verdict", "stopped", "certificate", "answered"),
    [
        ("feasible", "finished", "ab", True),
        ("undecided", "finished", "ab", False),
        ("undecided", "time limit", "ab", True),
        ("undecided", "time limit", "", True),
        ("counted", "finished", "", False),
    ],
)
def test_a_row_from_elsewhere_says_what_was_asked_or_that_a_limit_came(verdict, stopped, certificate, answered):
    row = Row(1, (), "", "leg1", verdict, None, None, "mm", None, stopped, certificate)
    assert sent._is_answered(row) is answered


def test_a_share_comes_back_from_a_worker_with_its_pieces(tmp_path):
    file = tmp_path / "one.bch"
    file.write_text(ROOTS.format("x^2 = 2"))
    task = Task(1, (("file", "one.bch"), ("share", "2/2")), str(file), 60.0, 20_000)
    data = carried.open_answering(b"")(carried.packed(task), Limit.of(60.0))
    carried.replaced(tmp_path / "out", carried.accepted(data))
    (row,) = rows_of(task, tmp_path / "out")
    assert (row.verdict, row.solutions) == ("at least", 1) and row.certificate


@pytest.mark.thorough
def test_robots_give_the_same_table_with_one_worker_and_with_two(tmp_path):
    lines = '[[problems]]\nrobot = "planar_3rpr"\nerror = ["none", "backlash"]\ngap = "1e-2"\n'
    (tmp_path / "campaign.toml").write_text(lines)
    code, one = run(tmp_path, "one", "--workers", "1")
    assert (code, one) == run(tmp_path, "two", "--workers", "2")
    assert one.count(b"simulated") == 2 * 4
    assert code == 0


@pytest.mark.thorough
def test_parquet_has_the_same_rows(place):
    parquet = pytest.importorskip("pyarrow.parquet")
    run(place, "out", "--workers", "1")
    words = ["campaign", str(place / "campaign.toml"), "--out", str(place / "out"), "--quiet", "--resume"]
    assert main([*words, "--table", "parquet"]) == 0
    table = parquet.read_table(place / "out" / "campaign.parquet")
    assert table.column("solutions").to_pylist() == [0, 0, 8, 8]
    first = (place / "out" / "campaign.parquet").read_bytes()
    assert main([*words, "--table", "parquet", "--workers", "2"]) == 0
    assert (place / "out" / "campaign.parquet").read_bytes() == first
    assert not (place / "out" / "campaign.csv").exists()


@pytest.mark.thorough
def test_a_report_tells_the_table_as_recorded(place):
    run(place, "out", "--workers", "1")
    assert main(["report", str(place / "out"), "--quiet"]) == 3
    page = (place / "out" / "report.html").read_text()
    assert "curves.bch" in page and "as recorded" in page and "counted" in page


WRONG = {
    "": "problems is missing",
    "problems = 3": "problems is",
    "time_limit = -1\n[[problems]]\nfile = 'curves.bch'": "time_limit",
    "node_limit = 2.5\n[[problems]]\nfile = 'curves.bch'": "node_limit",
    f"time_limit = {'9' * 400}\n[[problems]]\nfile = 'curves.bch'": "time_limit",
    "time_limit = nan\n[[problems]]\nfile = 'curves.bch'": "time_limit",
    "[[problems]]\nwidth = 1": "either file or robot",
    "[[problems]]\nfile = 'curves.bch'\nrobot = 'delta'": "either file or robot",
    "[[problems]]\nfile = 'curves.bch'\nseed = 1": "belong to robots",
    "[[problems]]\nfile = 'curves.bch'\ngap = 1\nepsilon = 1": "give one",
    "[[problems]]\nfile = 'none.bch'": "there is no file",
    "[[problems]]\nfile = 'none*.bch'": "no file is meant",
    "[[problems]]\nfile = '../*.bch'": "leads out",
    "[[problems]]\nfile = '/etc/*'": "leads out",
    "[[problems]]\nfile = 'a**'": "no pattern of ours",
    "[[problems]]\nrobot = 'delta'\nseed = '1..x'": "write a range",
    "[[problems]]\nrobot = 'delta'\nseed = '9..1'": "seeds",
    "[[problems]]\nrobot = 'delta'\nseed = '0..99999999999999'": "seeds",
    "[[problems]]\nrobot = []": "0 values",
    "[[problems]]\nrobot = [true]": "write a text",
    "[[problems]]\nrobot = ['a\\nb']": "one line",
    "[[problems]]\nrobot = 'delta'\ncolour = 'red'": "colour is not known",
    "[[problems]]\nrobot = 'delta'\nseed = '1..1000'\nnoise = '1'\ngap = %s" % [f"1e-{k}" for k in range(200)]: "split",
}


@pytest.mark.every_case
@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_campaign_is_refused_with_its_place(text, place):
    text = text.replace("'a\\nb'", '"a\\nb"')
    (place / "campaign.toml").write_text(text)
    key = next(key for key in WRONG if key.replace("'a\\nb'", '"a\\nb"') == text)
    with pytest.raises(InputError, match=WRONG[key]):
        read_plan(place / "campaign.toml")


def test_a_product_has_the_order_of_its_file(place):
    (place / "campaign.toml").write_text('[[problems]]\nrobot = ["a", "b"]\nseed = "8..9"\ngap = [0.5, "1e-3"]\n')
    plan = read_plan(place / "campaign.toml")
    assert [task.name for task in plan.tasks[:3]] == ["a 8 0.5", "a 8 1e-3", "a 9 0.5"]
    assert [task.number for task in plan.tasks] == list(range(1, 9))
    assert plan.title == "campaign"


def test_ends_on_the_page_are_rounded_outward():
    row = ["1", "a", "b", "inadequate", "0.40772731849938899", "0.40772731849938899", "mm", "", "finished"]
    folder = SimpleNamespace(record={"shown": [row, [*row[:4], "no number", "1e999", *row[6:]]], "verdicts": {}})
    page = str(campaign_table.section(SimpleNamespace(folder=folder)).body)
    assert "0.407727318<" in page
    assert "0.407727319<" in page
    assert "no number" in page
    assert "1e999" in page
