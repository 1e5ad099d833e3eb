"""Every way in which a case can arrive, with every place in it that can name an outside program: none is started.

Controls start each of them from a user's own file, which shows that the test can fail.
"""

import contextlib
import copy
import json
import pickle
import socket
import sys
from typing import Any

import h5py
import pytest

from polhode import scenarios
from polhode.controllers import load_law
from polhode.plant import InputError, PolhodeError, RigidBody, Spacecraft
from polhode.scenarios.case.campaigns.case_campaign import JOURNAL
from polhode.scenarios.case.campaigns.dispersions import dispersions_of
from polhode.scenarios.case.campaigns.flyer import CaseFlyer
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.schema.authority import programs_of
from polhode.scenarios.case_run import arguments
from polhode.scenarios.report.reader_run.slider_keys import slider_keys
from polhode.scenarios.report.reader_run.sliders import sliders_of
from polhode.sim.codegen.browser.run_arrays import numbers_of
from polhode.sim.hosts.fmi import fmu
from polhode.sim.results.seal import SEAL, seal
from polhode.sim.runs.campaigns import Draw
from polhode.sim.runs.run_spec import run_spec

from .conftest import without_pictures

INSIDE = {"kind": "rate-damping", "gain_N_m_s": 1.0, "sample_s": 0.1, "torque_limit_N_m": 1.0}
BASE = {
    "title": "a case from somewhere",
    "plant": {"inertia_kg_m2": [4.0, 3.0, 2.0]},
    "initial": {"rate_rad_s": [0.0, 0.0, 0.1]},
    "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
    "controller": INSIDE,
    "run": {"duration_s": 0.2, "integrator": "rk4", "step_s": 0.1},
    "campaign": {"runs": 1},
}
FMU = {"kind": "fmu", "file": "outside.fmu", "inputs": {"rate": ["a", "b", "c"]}}
SCATTERED = {"plant.mass_kg": {"mean": 9.0, "sigma": 1.0}}
PLACES = ("controller", "compare", "modes", "blocks", "torques")
VERBS = (
    ("run", "CASE"),
    ("run", "CASE", "--out", "OUT"),
    ("design", "CASE"),
    ("design", "CASE", "--compare", "pid"),
    ("analyse", "CASE"),
    ("campaign", "CASE", "--workers", "1"),
    ("campaign", "CASE", "--workers", "1", "--out", "OUT"),
    ("campaign", "CASE", "--workers", "1", "--sweep", "initial.rate_rad_s.0=0:0.1:2"),
    ("campaign", "CASE", "--worst", "disk_margin_inputs"),
    ("linearize", "CASE"),
    ("export", "CASE", "--law", "OUT.c"),
    ("fmu", "CASE", "--out", "OUT.fmu"),
    ("fmu", "CASE", "--out", "OUT.ssp"),
    ("convert", "CASE", "--out", "OUT.aem", "--epoch", "2026-03-20T12:00:00"),
    ("cosim", "CASE"),
    ("report", "CASE", "--out", "OUT.html"),
    ("playback", "CASE", "--out", "OUT.html"),
)


class Marker:
    """Notices a started program, a connected port, and an unpacked archive."""

    def __init__(self, path, port):
        self._path, self._port, self.unpacked = path, port, 0

    @property
    def seen(self):
        """Whether anything was started since the last check."""
        try:
            self._port.accept()[0].close()
            connected = True
        except BlockingIOError:
            connected = False
        found = self._path.exists() or connected or self.unpacked > 0
        self._path.unlink(missing_ok=True)
        self.unpacked = 0
        return found

    def programs(self):
        """By kind, the keys of a table that would start or reach it."""
        code = f"open({str(self._path)!r}, 'w')"
        return {
            "process": {"kind": "process", "command": [sys.executable, "-S", "-c", code]},
            "port": {"kind": "process", "port": self._port.getsockname()[1]},
            "fmu": FMU,
        }


@pytest.fixture
def marker(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as port:
        port.setblocking(False)
        found = Marker(tmp_path / "started", port)

        def unpack(path, folder):
            found.unpacked += 1
            raise InputError("unpacked")

        monkeypatch.setattr(fmu, "unpack", unpack)
        yield found


def made(place, program, **more):
    """A case with a program at a place."""
    output = {"torques": "torque"}.get(place, "command")
    keys = {**program, **({"outputs": {output: ["d", "e", "f"]}} if program["kind"] == "fmu" else {}), **more}
    if program["kind"] == "process":
        keys |= {"start_within_s": 0.2, "answer_within_s": 0.2}
    law = {**keys, "sample_s": 0.1, "torque_limit_N_m": 1.0}
    reads = {"reads": ["rate"]} if program["kind"] == "process" else {}
    filtered = {"inputs": {"rate": ["a", "b", "c"]}, "outputs": {"rate": ["d", "e", "f"]}}
    block = {**keys, "reads": "rate"} if program["kind"] == "process" else {**keys, **filtered}
    tables = {
        "controller": {"controller": law},
        "compare": {"compare": [{"label": "other", "controller": law}]},
        "modes": {"modes": [{"name": "one", "controller": law, "final": True}]},
        "blocks": {"blocks": [block]},
        "torques": {"torques": [{**keys, **reads, "sample_s": 0.1}]},
    }
    return copy.deepcopy({**BASE, **tables[place]})


def spot(place):
    """The key path of the table with the program."""
    ends = {"controller": "controller", "compare": "compare.0.controller", "modes": "modes.0.controller"}
    return ends.get(place, f"{place}.0")


def written(path, case):
    """A case file."""

    def value(given):
        if isinstance(given, dict):
            return "{" + ", ".join(f"{json.dumps(key)} = {value(each)}" for key, each in given.items()) + "}"
        return "[" + ", ".join(map(value, given)) + "]" if isinstance(given, list) else json.dumps(given)

    path.write_text("".join(f"{json.dumps(key)} = {value(each)}\n" for key, each in case.items()))
    return path


@pytest.fixture(scope="session")
def plain_run(tmp_path_factory):
    """The file of a run with the case inside."""
    from polhode.scenarios.commands.invoke import invoke

    folder = tmp_path_factory.mktemp("plain")
    case = {key: table for key, table in BASE.items() if key not in ("controller", "reference")}
    with without_pictures():
        assert invoke(["run", str(written(folder / "case.toml", case)), "--out", str(folder)]) == 0
    return folder / "run.nc"


def stored(path, plain_run, case):
    """A forged file of a run."""
    path.write_bytes(plain_run.read_bytes())
    with h5py.File(path, "r+") as file:
        file.attrs["case"] = json.dumps(case)
        file.attrs[SEAL] = seal(file)  # a forger seals the file
    return path


def campaign_folder(path, case):
    """A forged folder of a campaign."""
    path.mkdir(exist_ok=True)
    metadata = {"seed": 0, "plan": "random", "runs": 1, "name": "x", "source": "x.toml", "case": case}
    head = {"polhode": "polhode campaign 1", "columns": ["a"], "metadata": metadata}
    (path / JOURNAL).write_text(json.dumps(head) + "\n")
    return path


def forged(place, program):
    """Cases with a program at a place, each with a claim of trust elsewhere."""
    key, case = spot(place), made(place, program)

    def scattered(values, at=key):
        return {**case, "dispersions": {at: {"distribution": "list", "values": values}}}

    trusting = made(place, program, trust=True)
    table = {"controller": trusting["controller"]}.get(key)
    yield trusting
    yield scattered([True], f"{key}.trust")
    if table is not None:
        yield {**scattered([table]), "controller": INSIDE}
    yield {**case, "nominal": {"plant": case["plant"]}, "trust": True}
    yield {**case, "dispersions": {f"{key}.answer_within_s": {"sigma": 0.01}}, key: {"trust": True}}


@pytest.mark.thinned(5)
@pytest.mark.parametrize("place", PLACES)
def test_programs_start_only_where_their_user_trusts_them(marker, polhode, plain_run, tmp_path, place):
    for kind, program in marker.programs().items():
        trust = ("--set", f"{spot(place)}.trust=true")
        refused = polhode("run", written(tmp_path / "own.toml", made(place, program, trust=True)))
        if not marker.seen:
            assert place == "modes", refused.err  # where the case is refused, trusted or not
            continue
        case = made(place, program)
        own = written(tmp_path / "own.toml", case)
        polhode("run", own)
        assert marker.seen == (kind == "port")
        polhode("run", own, *trust)
        assert marker.seen
        if kind != "process":
            continue
        file = stored(tmp_path / "run.nc", plain_run, case)
        folder = campaign_folder(tmp_path / "campaign", {**case, "dispersions": SCATTERED})
        for words in ((file,), ("--from-campaign", folder, "--run", "0")):
            assert "if you trust that program" in polhode("run", *words).err
            assert not marker.seen
            polhode("run", *words, *trust)
            assert marker.seen


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("place", "kind"),
    [
        pytest.param(place, kind, marks=[pytest.mark.slow] * (place != "controller" and kind != "process"))
        for place in PLACES
        for kind in ("process", "port", "fmu")
    ],
)
def test_forged_results_start_no_program(marker, polhode, plain_run, tmp_path, place, kind):
    for n, case in enumerate(forged(place, marker.programs()[kind])):
        folder = campaign_folder(tmp_path / f"campaign{n}", case)
        path = stored(tmp_path / f"run{n}.nc", plain_run, case)
        for words in (("--from-campaign", folder, "--run", "0"), (path,)):
            found = polhode("run", *words)
            assert found.code != 3, found.err
            assert not marker.seen, (n, words)
        with contextlib.suppress(PolhodeError):
            scenarios.load_run(path)
        assert not marker.seen, n


@pytest.mark.thinned(5)
@pytest.mark.parametrize("place", PLACES)
def test_pages_of_forged_results_start_no_program(marker, polhode, plain_run, tmp_path, place):
    """The review page of a run simulates it for its sliders, that of a campaign simulates its nominal case."""
    for n, case in enumerate(forged(place, marker.programs()["process"])):
        folder = campaign_folder(tmp_path / f"campaign{n}", case)
        path = stored(tmp_path / f"run{n}.nc", plain_run, case)
        for words in (("report", folder), ("report", path), ("playback", path)):
            found = polhode(*words, "--out", tmp_path / "page.html")
            assert found.code != 3, found.err
            assert not marker.seen, (n, words)


@pytest.mark.parametrize("kind", ["process", "port", "fmu"])
def test_sliders_of_a_page_start_no_program(marker, tmp_path, kind):
    """Numbers of the program's table are numbers of the case, and sliders rebuild the case with each."""
    program = {**marker.programs()[kind], "delay_s": 0.1, "answer_within_s": 0.2}
    for place in ("controller", "blocks", "torques"):
        loaded = scenarios.load_case(written(tmp_path / "own.toml", made(place, program, trust=True)))
        with contextlib.suppress(PolhodeError):
            sliders_of(loaded, numbers_of(run_spec(**arguments(build(loaded.case)))))
        assert not marker.seen, place
        assert not any(key.path.endswith((".port", ".trust", "within_s")) for key in slider_keys(loaded.document))


@pytest.mark.slow  # every command, and each draws, designs or exports as far as possible
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_no_verb_starts_a_program_of_a_forged_run(marker, polhode, plain_run, tmp_path, place, verb):
    if verb[0] in {"fmu", "export"} and place in {"compare", "modes"}:
        return  # not in an export, which compiles the other laws
    cases = list(forged(place, marker.programs()["process"]))
    for n, case in enumerate(cases[:1] if verb[0] in {"fmu", "export"} else cases):
        path = stored(tmp_path / f"run{n}.nc", plain_run, case)
        words = (str(path) if word == "CASE" else word.replace("OUT", f"{tmp_path}/out{n}") for word in verb)
        found = polhode(*words)
        assert found.code != 3, found.err
        assert not marker.seen, n


@pytest.mark.parametrize("place", PLACES)
def test_dispersions_and_sweeps_trust_no_program(marker, polhode, tmp_path, place):
    program, key = marker.programs()["process"], spot(place)
    path = written(tmp_path / "own.toml", made(place, program))
    for at, values in (("trust", [True]), ("command", [program["command"]]), ("command.0", ["x"]), ("folder", ["."])):
        with pytest.raises(InputError, match="selects or permits a program"):
            scenarios.run_campaign(path, sweep={f"{key}.{at}": values}, workers=1)
    assert "selects or permits a program" in polhode("campaign", path, "--sweep", f"{key}.trust=1:2:2").err
    path = written(tmp_path / "fmu.toml", made(place, FMU, trust=True))
    with pytest.raises(InputError, match="selects or permits a program"):
        scenarios.run_campaign(path, sweep={f"{key}.file": ["other.fmu"]}, workers=1)
    assert not marker.seen


def test_another_program_in_place_of_a_trusted_one_is_refused(marker, tmp_path):
    """A worker receives the case by pickle, with the programs that it may run and no others."""
    program = marker.programs()["process"]
    harmless = {"kind": "process", "command": [sys.executable, "-S", "-c", "pass"]}
    loaded = scenarios.load_case(written(tmp_path / "own.toml", made("controller", harmless, trust=True)))
    flyer = pickle.loads(pickle.dumps(CaseFlyer(loaded, dispersions_of(loaded.case))))
    case: Any = made("controller", program, trust=True)
    other = case["controller"]
    for values in ({"controller": other}, {"controller": {**other, "trust": False}}):
        found = flyer.several([Draw(run=0, seed=0, values=values)])[0]
        assert "if you trust that program" in str(found)
        assert not marker.seen
    found = flyer.several([Draw(run=0, seed=0, values={"initial.rate_rad_s.0": 0.1})])[0]
    assert "'pass'" not in str(found)
    assert "if you trust that program" not in str(found)


def test_tables_without_an_authority_run_nothing(marker):
    for place in PLACES:
        for program in marker.programs().values():
            case = Case.model_validate(made(place, program, trust=True))
            assert not programs_of(case)


def test_law_files_name_no_program(marker, tmp_path):
    model = Spacecraft(RigidBody((4.0, 3.0, 2.0))).linearize(Spacecraft(RigidBody((4.0, 3.0, 2.0))).at_rest())
    program = marker.programs()["process"]
    body = f'format = 1\nlaw = "process"\ncommand = {json.dumps(program["command"])}\ntrust = true\n'
    (tmp_path / "law.toml").write_text(body)
    with pytest.raises(InputError):
        load_law(tmp_path / "law.toml", model)
    assert not marker.seen
