"""The proved checker: without Coq's program the command says what is missing; with it (CI builds it) what it says is
held against the first checker's texts, and the proof against Coq's own checker.

Tests that need the program exist only where it is built: nothing is skipped in silence, for the first test says it.
"""

import re
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from certify.checks import proved
from certify.checks.checking import REJECTED, RESOURCE, VERIFIED, Check
from certify.problems.errors import InputError

BUILT = proved.PROGRAM.is_file()
BUILD = proved.PROGRAM.parent
SOURCES = sorted(proved.FOLDER.glob("*.v"))
README = (proved.FOLDER / "README.md").read_text()
TEXTS = "claims enclosed files frames further groups hitting inequalities intervals many minimum partial pieces rules "
TEXTS += "squares "
TEXTS += "tables taylor volumes"
AXIOMS = {  # of Coq's library of real numbers: what decides them, functions, excluded middle
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}


def test_it_is_said_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(proved, "PROGRAM", tmp_path / "verify")
    monkeypatch.delenv(proved.PLACE, raising=False)
    with pytest.raises(InputError, match=r"is not built here.*libcoq-interval.*sh certify/checker_coq/build\.sh"):
        proved.proved_program()


def test_it_may_be_built_elsewhere(monkeypatch, tmp_path):
    """As an installed package has no sources of it."""
    monkeypatch.setattr(proved, "PROGRAM", tmp_path / "nowhere")
    monkeypatch.setenv(proved.PLACE, str(tmp_path / "verify"))
    with pytest.raises(InputError, match="verify is missing"):
        proved.proved_program()
    (tmp_path / "verify").touch()
    assert proved.proved_program() == tmp_path / "verify"


def test_nothing_is_admitted():
    assert len(SOURCES) == 18
    for path in SOURCES:
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Abort)\b", path.read_text()), path


def test_the_theorem_stands_in_the_readme():
    """Word for word: of the sources, and of what has to be read."""
    verify, problem = ((proved.FOLDER / f"{name}.v").read_text() for name in ("Verify", "Problem"))
    blocks = re.findall(r"^```coq\n(.*?)^```", README, re.S | re.M)
    assert len(blocks) == 2
    for block in blocks:
        assert all(" ".join(part.split()) in " ".join((verify + problem).split()) for part in block.split("\n\n"))


@pytest.mark.parametrize(
    ("first", "second", "code", "told"),
    [
        (VERIFIED, VERIFIED, VERIFIED, "(the proved checker agrees)"),
        (REJECTED, REJECTED, REJECTED, "REJECTED one (the proved checker says 'two')"),
        (VERIFIED, REJECTED, REJECTED, "the checkers disagree"),
        (REJECTED, VERIFIED, REJECTED, "the checkers disagree"),
        (VERIFIED, RESOURCE, RESOURCE, "came to no answer"),
    ],
)
def test_verified_is_what_all_say(first, second, code, told):
    one = Check("a.cert", first, "REJECTED one" if first == REJECTED else "one", 1.0)
    found = proved.also_proved(one, Check("a.cert", second, "two", 1.0))
    assert (found.code, found.seconds) == (code, 2.0)
    assert told in found.message


if BUILT:

    @pytest.fixture(scope="module")
    def judge():
        with proved.ProvedJudge() as judging:
            yield lambda problem, certificate: judging.judge(*map(encoded, (problem, certificate)))

    def encoded(text):
        return text if isinstance(text, bytes) else text.encode()

    def forged(name):
        """Problems and certificates that the first checker's tests reject."""
        found = [vars(import_module(f"texts.{name}"))]
        for texts in [value for value in found[0].values() if isinstance(value, dict)]:
            for label, case in texts.items():
                if isinstance(case, tuple) and len(case) == 2 and isinstance(case[0], tuple) and len(case[0]) == 2:
                    yield label, case[0]

    def valid(name):
        module = import_module(f"texts.{name}")
        for label, case in getattr(module, "VALID", {}).items():
            yield (
                label,
                case if isinstance(case, tuple) else (getattr(module, "PROBLEM_OF", {}).get(label, module.LINE), case),
            )

    @pytest.mark.parametrize("name", TEXTS.split())
    def test_no_forged_certificate_is_verified(name, judge):
        cases = [case for _, case in forged(name)]
        assert len(cases) >= 60 or name == "files"
        for case in cases:
            code, message = judge(*case)
            assert code in (1, 5), (case, message)

    def test_what_is_valid_is_verified_or_refused_by_name_but_for_the_list_in_the_readme(judge):
        answers = {
            (name, label): judge(*case)[0] for name in TEXTS.split() if name != "files" for label, case in valid(name)
        }
        counts = [list(answers.values()).count(code) for code in (0, 1, 5)]
        assert counts[0] >= 100
        rejected = {case for case, code in answers.items() if code == 1}
        others = {("tables", "rows that are not read"), ("rules", "derivative-in-x-only")}
        assert others == {case for case in rejected if case[0] != "partial"}
        assert f"{len(rejected)} valid texts" in README

    def test_no_mutated_false_claim_is_verified(judge):
        from benchmarks.forgeries import mutate_claims, proved_check

        found, unsound = mutate_claims(47, 1500, 100, proved_check)
        assert not unsound
        assert found["REJECTED proof"] > 200

    def test_a_true_claim_of_each_kind_is_verified(judge):
        """So that not everything is rejected: the neighbours of false claims, whose proofs are those."""
        from benchmarks.forgeries import false_claims

        answers = [judge(one.problem, one.true)[0] for one in false_claims(3, 60)]
        assert answers.count(0) >= 15

    def test_the_theorem_rests_on_coqs_reals_alone(tmp_path):
        path = tmp_path / "assumptions.v"
        path.write_text("From Certify Require Import Verify.\nPrint Assumptions verify_sound.\n")
        command = ["coqc", "-q", "-w", "none", "-Q", str(BUILD), "Certify", str(path)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert set(re.findall(r"^([A-Z]\w*(?:\.\w+)+)", told, re.M)) == AXIOMS

    @pytest.mark.thorough
    def test_coqs_checker_accepts_the_proofs():
        modules = [word for path in SOURCES if path.stem != "Extract" for word in ("-norec", f"Certify.{path.stem}")]
        command = ["coqchk", "-silent", "-o", "-Q", str(BUILD), "Certify", *modules]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        for unsafe in ("relying on type-in-type", "relying on unsafe (co)fixpoints", "positivity is assumed"):
            assert f"{unsafe}: <none>" in told.stdout + told.stderr

    def test_the_sources_are_those_that_were_built():
        for path in (*SOURCES, *sorted((proved.FOLDER / "driver").glob("*.ml"))):
            assert path.read_bytes() == (BUILD / path.relative_to(proved.FOLDER)).read_bytes(), path

    def test_the_command_says_that_it_agrees(tmp_path):
        from texts.rules import LINE, VALID

        problem, certificate = tmp_path / "line.canonical", tmp_path / "line.cert"
        problem.write_text(LINE)
        certificate.write_text(VALID["both"])
        found = proved.proved_check_files(Path(problem), Path(certificate))
        assert (found.code, found.message) == (VERIFIED, "VERIFIED lower and upper")

    @pytest.mark.parametrize("accepted", [True, False])
    def test_an_explanation_names_it_only_where_it_has_accepted(tmp_path, capsys, accepted):
        from texts.rules import LINE, VALID

        from certify.__main__ import main

        (tmp_path / "problem.canonical").write_text(LINE)
        certificate = tmp_path / "line.cert"
        certificate.write_text(VALID["both"] if accepted else VALID["both"].replace("lower 4/9", "lower 459/1000"))
        assert main(["explain", str(certificate), "--proved"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert ("- or, in its place, what the checker that is proved" in told) == accepted
        assert ("The checker that is proved in Coq was asked, and has accepted it." in told) == accepted
        assert ("The checker that is proved in Coq says: REJECTED" in told) != accepted
        assert main(["explain", str(certificate)]) == 0
        assert "proved in Coq" not in capsys.readouterr().out

    def test_a_report_names_it_only_where_it_was_asked(tmp_path):
        from texts.rules import LINE, VALID

        from certify.__main__ import main

        (tmp_path / "problem.canonical").write_text(LINE)
        (tmp_path / "line.cert").write_text(VALID["both"])
        (tmp_path / "result.json").write_text("{}")
        assert main(["report", str(tmp_path), "--proved"]) == 0
        page = (tmp_path / "report.html").read_text()
        assert "The checker that is proved in Coq was asked, too, and has accepted 1 of 1 certificates." in page
        assert main(["report", str(tmp_path)]) == 0
        assert "proved in Coq" not in (tmp_path / "report.html").read_text()
