"""A real cluster on this machine: the same certificate, whatever becomes of workers and whatever they say."""

import os
import shutil
import signal
import subprocess
import time
from concurrent.futures import Future
from dataclasses import replace

import pytest

from certify.__main__ import main
from certify.campaigns import answering, carried, sent
from certify.problems.errors import InputError
from certify.solvers.journal.plain import Damaged
from certify.solvers.workers import cluster
from certify.solvers.workers.addresses import Where
from certify.solvers.workers.cluster import Cluster
from certify.systems.solve import Asked, answered
from certify.testing import together

distributed = pytest.importorskip("distributed")

SYSTEM = (
    "Variables x in [-10, 10]; y in [-10, 10]; z in [-10, 10];\n"
    "Constraints x^2*y + y^3 = x + z; y = 2*sin(3*x) - x*y; z^2 = x*y + 1/3;\nend\n"
)


CURVES = {
    "curves": "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2*y + y^3 = x; y = 2*sin(3*x) - x*y;\nend\n",
    "circles": "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2 + y^2 = 4; x^2 + y^2 = 5;\nend\n",
}
PLAN = """[[problems]]
file = "*.bch"
[[problems]]
robot = "planar_3rpr"
error = "none"
gap = "1e-1"
"""


def local(**more):
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0", protocol="tcp://", **more
    )


@pytest.fixture(scope="module")
def scheduler():
    with local() as found:
        yield found


@pytest.fixture(scope="module")
def alone():
    return answered(SYSTEM, Asked())


@pytest.fixture
def place(tmp_path):
    for name, text in CURVES.items():
        (tmp_path / f"{name}.bch").write_text(text)
    (tmp_path / "campaign.toml").write_text(PLAN)
    return tmp_path


def table(place, out, *words):
    code = main(["campaign", str(place / "campaign.toml"), "--out", str(place / out), "--quiet", *words])
    return code, (place / out / "campaign.csv").read_bytes()


def certificate(answer):
    (document,) = answer.documents
    return document.certificate


def test_a_cluster_gives_the_same_certificate(scheduler, alone):
    told = []
    with Cluster(Where(scheduler.scheduler_address), told.append) as crew:
        assert crew.count == 2
        answer = answered(SYSTEM, Asked(crew=crew))
        assert crew.elsewhere
    assert certificate(answer) == certificate(alone)
    assert answer.count == alone.count


def test_what_the_engine_says_by_a_cluster_names_it(scheduler):
    with Cluster(Where(scheduler.scheduler_address), print) as crew:
        answer = answered(SYSTEM, Asked(crew=crew, certificate=False))
        assert not crew.elsewhere or "workers of a cluster have cut off holds none" in answer.text


def test_a_scheduler_that_is_lost_is_told_and_done_without(alone):
    told = []
    with local() as found, Cluster(Where(found.scheduler_address), told.append) as crew:
        found.close()
        answer = answered(SYSTEM, Asked(crew=crew))
    assert certificate(answer) == certificate(alone)
    assert any("goes on alone" in line for line in told)


@pytest.mark.thorough
def test_workers_that_are_all_lost_are_done_without(alone, monkeypatch):
    """Dask itself waits for new ones without end."""
    monkeypatch.setattr(cluster, "LOST", 0.3)
    monkeypatch.setattr(cluster, "LOOK", 0.1)
    told = []
    with local() as found, Cluster(Where(found.scheduler_address), told.append) as crew:
        found.scale(0)
        while found.scheduler.workers:
            time.sleep(0.05)
        answer = answered(SYSTEM, Asked(crew=crew))
    assert certificate(answer) == certificate(alone)
    assert "all workers were lost: this process goes on alone" in told


def test_no_scheduler_is_an_error(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECTING", 0.5)
    with pytest.raises(InputError, match="there is no connection"):
        Cluster(Where("tcp://127.0.0.1:9"), print)


@pytest.mark.thorough
def test_a_campaign_gives_the_same_table(scheduler, place):
    expected = table(place, "here", "--workers", "1")
    assert table(place, "there", "--dask", scheduler.scheduler_address, "--workers", "1") == expected
    resumed = table(place, "there", "--dask", scheduler.scheduler_address, "--workers", "1", "--resume")
    assert resumed == expected


def exchanged(task, folder):
    """Every system is answered as if it were the one with solutions, which is another problem."""
    (folder.parent / "curves.bch").write_text(CURVES["curves"])
    answering.answer(replace(task, source=str(folder.parent / "curves.bch")), folder)


def doctored(task, folder):
    """Its certificates count one solution more, or say another number."""
    answering.answer(task, folder)
    for path in folder.glob("*.cert"):
        path.write_bytes(path.read_bytes().replace(b"zeros 8", b"zeros 9").replace(b"claim", b"claims"))


def silent(task, folder):
    """Nothing but that all is done."""
    folder.mkdir()
    (folder / "result.json").write_text('{"stopped": "finished"}')


@pytest.mark.thorough
@pytest.mark.parametrize("lie", [exchanged, doctored, silent])
def test_a_worker_that_lies_about_a_task_is_not_believed(scheduler, place, monkeypatch, lie):
    (place / "campaign.toml").write_text('[[problems]]\nfile = "*.bch"\n')
    expected = table(place, "here", "--workers", "1")
    monkeypatch.setattr(carried, "answer", lie)
    said_of = sent.said_of
    monkeypatch.setattr(
        sent, "said_of", lambda task, *more: (place / f"answered-{task.number}").touch() or said_of(task, *more)
    )
    assert table(place, "there", "--dask", scheduler.scheduler_address, "--workers", "1") == expected
    assert [path.name for path in place.glob("answered-*")]


@pytest.mark.parametrize("name", ["../x", "/x", ".x", "a/b", "", "a\\b", "c:d", "x\n", "x" * 300])
def test_files_elsewhere_are_refused(name, tmp_path):
    files = {name: b""}
    with pytest.raises(Damaged):
        carried.accepted(carried.CODEC.encode(files))
    with pytest.raises(InputError):
        carried.write(files, tmp_path / "folder")


def test_a_command_says_what_is_wrong_with_a_cluster(place, capsys):
    words = ["campaign", str(place / "campaign.toml"), "--out", str(place / "out"), "--quiet"]
    assert main([*words, "--dask", "tcp://far.example:8786"]) == 2
    assert "--allow-plain" in capsys.readouterr().err
    assert main([*words, "--tls-ca", "ca.pem"]) == 2
    assert "belong to --dask" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_worker_that_is_killed_is_replaced_and_nothing_is_lost(alone):
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", protocol="tcp://") as found,
        Cluster(Where(found.scheduler_address), print) as crew,
    ):
        pids = [worker.pid for worker in found.workers.values()]
        crew.ask = killing(crew.ask, pids)
        answer = answered(SYSTEM, Asked(crew=crew))
        assert not pids
    assert certificate(answer) == certificate(alone)


def killing(ask, pids):
    """Whenever something is asked a worker is killed, as long as there are some of the first ones."""

    def asked(work, piece, seconds):
        answer = ask(work, piece, seconds)
        if pids:
            os.kill(pids.pop(), signal.SIGKILL)
        return answer

    return asked


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """An authority that signs its own certificate, which is all that is needed."""
    folder = tmp_path_factory.mktemp("keys")
    key, cert = folder / "key.pem", folder / "cert.pem"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    words += ["-subj", "/CN=localhost", "-keyout", key, "-out", cert]
    made = subprocess.run(["openssl", *words], capture_output=True)
    if made.returncode:
        pytest.skip("openssl made no certificate")
    return cert, cert, key


@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made by openssl")
def test_a_cluster_by_tls(keys, alone):
    ca, cert, key = map(str, keys)
    files = {"tls_ca_file": ca, "tls_scheduler_cert": cert, "tls_worker_cert": cert, "tls_client_cert": cert}
    files |= {"tls_scheduler_key": key, "tls_worker_key": key, "tls_client_key": key}
    security = distributed.Security(**files, require_encryption=True)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", protocol="tls://", security=security
    ) as found:
        address = found.scheduler_address
        assert address.startswith("tls://")
        with Cluster(Where(address, *keys), print) as crew:
            assert certificate(answered(SYSTEM, Asked(crew=crew))) == certificate(alone)
            assert crew.elsewhere
        with pytest.raises(InputError, match="there is no connection"):
            Cluster(Where(address.replace("tls", "tcp")), print)
        with pytest.raises(InputError, match="there is no connection"):
            Cluster(Where(address), print)  # Dask is configured for no keys here


def test_the_command_runs_a_system_by_a_cluster(scheduler, place, capsys):
    words = ["run", str(place / "curves.bch"), "--quiet", "--out"]
    assert main([*words, str(place / "here"), "--workers", "1"]) == 0
    assert main([*words, str(place / "there"), "--dask", scheduler.scheduler_address]) == 0
    assert "8 solutions" in capsys.readouterr().out
    one, two = ((place / out / "solutions.cert").read_bytes() for out in ("here", "there"))
    assert one == two


@pytest.mark.thorough
def test_the_command_runs_a_robot_by_a_cluster(scheduler, tmp_path):
    robot = tmp_path / "robot"
    assert main(["simulate", "--robot", "planar_3rpr", "--error", "none", "--out", str(robot), "--quiet"]) == 0
    words = ["run", str(robot / "problem.toml"), "--gap", "1e-1", "--quiet", "--out"]
    for out, more in (("here", ["--workers", "2"]), ("there", ["--dask", scheduler.scheduler_address])):
        assert main([*words, str(tmp_path / out), *more]) == 0
    here, there = (sorted((tmp_path / out).glob("*.cert")) for out in ("here", "there"))
    assert here and [path.read_bytes() for path in here] == [path.read_bytes() for path in there]


@pytest.mark.thorough
def test_fuzzing_by_a_cluster_finds_the_same(scheduler, monkeypatch):
    monkeypatch.setattr(together, "SHARE", 10)
    with Cluster(Where(scheduler.scheduler_address), print) as crew:
        found = together.fuzzed_together("scipy-highs", 30, 7, crew=crew)
    assert found == together.fuzzed_together("scipy-highs", 30, 7)
    assert found.taken > 0


class Liar:
    """A cluster whose workers all say the same."""

    count, seconds, elsewhere = 1, 0.1, True

    def __init__(self, *said):
        self.said = together.CODEC.encode(said)

    def ask(self, work, piece, seconds):
        answer = Future()
        answer.set_running_or_notify_cancel()
        answer.set_result(self.said)
        return answer


def test_a_share_of_another_solver_or_of_more_instances_is_looked_for_here(monkeypatch):
    monkeypatch.setattr(together, "SHARE", 2)
    here = together.fuzzed_together("scipy-highs", 4, 7)
    version = here.version
    for said in ((version, (0, 2, 0, 0)), ("1.0", (2, 0, 0, 0)), (version, (2000, 0, 0, 0))):
        assert together.fuzzed_together("scipy-highs", 4, 7, crew=Liar(*said, (), ())) == here
    silent = together.Case("no answer (x)", "x", 0.0, "import os", 1)
    found = together.fuzzed_together("scipy-highs", 4, 7, crew=Liar(version, (1, 0, 0, 1), (), (silent,)))
    assert found == here and not found.taken
    found = together.fuzzed_together("scipy-highs", 4, 7, crew=Liar(version, (2, 0, 0, 0), (), ()))
    assert found.taken == 4
