"""A case with hostile text in every key: each export compiles, parses and contains it as text only."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
import warnings
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from polhode.controllers.laws.files.toml_text import toml_text
from polhode.plant.plain_text import plain_text
from polhode.sim.codegen.escaped import c_comment, c_string, html_text, line_comment, markdown_text, xml_text
from polhode.sim.results.page import new_page

from ..sim.codegen.wrappers.autocode import write_base_class
from .conftest import Command

PIECES = {
    "end of a comment": "*/ int evil(void) { return 0; } /*",
    "line of a program": '*/\n#include "/etc/passwd"\n#error evil\n/*',
    "quotes": '"\'`""" \\" \'\'\' \\',
    "shell": "$(touch evil) `touch evil` ; touch evil | $HOME %n ${evil}",
    "make": "$(shell touch evil)\n\ttouch evil\n",
    "script": "</script><script>evil()</script>--><b onload='evil()'>&lt;&#0;]]>",
    "trigraphs": "??/ ??' *??/",
    "formula": "$x^2 $\\frac{ _a_ ^ $",
    "terminal": "\x1b[2J\x1b]0;evil\x07 \x9b31m \x7f \x00 \x1f \b \r evil",
    "directions": "\u202eevil\u2066 \u2028 \ufeff \ufffe",
    "table": '[evil] # = """\n[evil]\nx = 1',
    "markup": "[bold red]evil[/bold red] [/] [link=https://evil]",
    "ends": "\\",
    "long": "*/" * 200,
}
ALL = " ".join(PIECES.values())
SURROGATE = "\udc80 evil"
STUBS = Path(__file__).parents[1] / "sim/codegen/wrappers"
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-unused-const-variable")


def words_of_toml(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def controls(text: str) -> list[str]:
    """Characters that control a terminal."""
    return [each for each in text if each != "\n" and (ord(each) < 32 or 127 <= ord(each) < 160)]


@pytest.mark.parametrize("kind", [*PIECES, "surrogate"])
def test_each_language_holds_text_as_text(kind: str, tmp_path: Path) -> None:
    text = SURROGATE if kind == "surrogate" else PIECES[kind]
    comment, string = c_comment(text), c_string(text)
    assert "\n" not in comment
    assert "*/" not in comment
    assert "/*" not in comment
    assert "??" not in comment
    assert not comment.endswith("\\")
    assert string.isascii()
    line = line_comment(text)
    assert line.isascii()
    assert line.isprintable()
    assert "\\" not in line
    cell = markdown_text(text)
    assert not set(cell) & set("\n\\`*_[]<>|~&$@!#{}") - set("&#")
    assert not re.search(r"&(?!#\d+;)|(?<!&)#", cell)
    xml = ET.fromstring(f"<a b={html_quote(xml_text(text))}/>".encode("utf-8", "strict"))
    assert xml.tag == "a"
    held = Found()
    held.feed(f"<td title='{html_text(text)}'>{html_text(text)}</td>")
    assert held.tags == ["td"]
    assert set(tomllib.loads(toml_text({"a": text}, {"b": {"c": text}}))) == {"a", "b"}
    assert not controls(plain_text(text))
    (tmp_path / "a.c").write_text(
        f"/* {comment} */\n/* {comment}\n * {comment}\n */\nchar s[] = {string};\n", encoding="utf-8"
    )
    for compiler in ("gcc", "clang", "g++"):
        if shutil.which(compiler):
            line = [compiler, *WARNINGS[1:], "-trigraphs", "-fsyntax-only", "a.c"]
            done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr


def html_quote(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(text)


class Found(HTMLParser):
    """The tags of a page, and the scripts and drawings in it."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


FIRST, SECOND = '*/ int e(void){}/* "$(id)" ??/ $x^ \\', "</script>[bold]\u202e '`$(id)` ]]> *\x1b[2J"

CASE = f"""
title = {words_of_toml(ALL.replace(chr(0), ""))}
description = {words_of_toml(ALL.replace(chr(0), ""))}
[plant]
inertia_kg_m2 = [4.0, 3.0, 2.0]
[initial]
rate_rad_s = [0.02, -0.01, 0.03]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "lqr"
attitude_weight = 1.0
rate_weight = 1.0
effort_weight = 1.0
sample_s = 0.1
[[blocks]]
kind = "low-pass"
name = {words_of_toml(PIECES["end of a comment"])}
reads = "rate"
frequency_rad_s = 5.0
[[modes]]
name = {words_of_toml(FIRST)}
controller = {{ kind = "rate-damping", gain_N_m_s = 1.0, sample_s = 0.1 }}
transitions = [{{ to = {words_of_toml(SECOND)}, when = {{ quantity = "elapsed", above_s = 1.0 }} }}]
[[modes]]
name = {words_of_toml(SECOND)}
final = true
[run]
duration_s = 2.0
integrator = "rk4"
step_s = 0.1
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    path = tmp_path / "case.toml"
    path.write_text(CASE, encoding="utf-8")
    return path


def test_flight_code_of_a_hostile_case_compiles(case: Path, polhode: Command, tmp_path: Path) -> None:
    found = polhode(
        "export",
        str(case),
        "--law",
        str(tmp_path / "law.c"),
        "--block",
        "modes",
        str(tmp_path / "b.c"),
        "--samples",
        "3",
    )
    assert found.code == 0, found.err
    assert not controls(found.out + found.err)
    for name in ("law", "b"):
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                line = [compiler, *WARNINGS, "-fsyntax-only", f"{name}.c", f"{name}_test.c"]
                done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr
        if shutil.which("make"):
            said = subprocess.run(
                ["make", "-n", "-f", f"{name}.mk", "test"], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert said.returncode == 0, said.stderr
    assert not [each for each in tmp_path.iterdir() if each.name == "evil"]


def compiles(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow  # a run and two compilers
@pytest.mark.parametrize("wrapper", ["cfs", "fprime"])
def test_application_of_a_hostile_case_compiles(case: Path, wrapper: str, polhode: Command, tmp_path: Path) -> None:
    """Its C, C++ and FPP compile, and its Markdown contains no link, picture or HTML."""
    name = "attctl" if wrapper == "cfs" else "AttitudeControl"
    home = tmp_path / "Gnc" / name
    found = polhode("export", str(case), "--wrapper", wrapper, "-o", str(home), "--samples", "3")
    assert found.code == 0, found.err
    assert not controls(found.out + found.err)
    if wrapper == "fprime":
        write_base_class(home, name)
    folders = (f"-I{STUBS / 'cfe'}", f"-I{home / 'fsw/inc'}", f"-I{STUBS / 'fprime'}", f"-I{tmp_path}")
    for compiler, ending in (("gcc", "c"), ("g++", "cpp")):
        for file in home.rglob(f"*.{ending}"):
            if shutil.which(compiler) and "test" not in file.parts:
                compiles(compiler, *WARNINGS[ending == "cpp" :], *folders, "-fsyntax-only", str(file))
    if shutil.which("fpp-check") and wrapper == "fprime":
        compiles("fpp-check", str(STUBS / "fprime/framework.fpp"), str(home / f"{name}.fpp"))
    for file in home.rglob("*"):
        assert file.is_dir() or not controls(file.read_text(encoding="utf-8").replace("\t", " ")), file
    markdown = pytest.importorskip("markdown_it", reason="reads Markdown")
    tokens = (
        markdown.MarkdownIt("commonmark").enable("table").parse(next(home.rglob("*.md")).read_text(encoding="utf-8"))
    )
    kinds = {each.type for token in tokens for each in (token, *(token.children or ()))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence", "em_open", "strong_open"}
    assert not [each for each in tmp_path.rglob("*") if each.name == "evil"]


@pytest.mark.slow  # compiling takes some seconds
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_fmu_of_a_hostile_case_parses(
    case: Path, fmi: str, polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polhode.sim.hosts.fmi.libraries.c_compiler", lambda: None)
    target = tmp_path / "case.fmu"
    found = polhode("fmu", str(case), "-o", str(target), "--fmi", fmi)
    assert found.code == 0, found.err
    assert not controls(found.out + found.err)
    with zipfile.ZipFile(target) as archive:
        archive.extractall(tmp_path / "fmu")
    for each in (tmp_path / "fmu").rglob("*.xml"):
        ET.parse(each)
    page = Found()
    page.feed((tmp_path / "fmu/documentation/index.html").read_text(encoding="utf-8"))
    assert set(page.tags) <= {"html", "head", "meta", "title", "body", "h1", "p", "img", "table", "tr", "th", "td"}
    if shutil.which("gcc"):
        line = ["gcc", *WARNINGS, "-fsyntax-only", "fmu.c"]
        done = subprocess.run(line, cwd=tmp_path / "fmu/sources", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow  # it draws every figure of a run
def test_run_of_a_hostile_case_prints_text_only(case: Path, polhode: Command, tmp_path: Path) -> None:
    """On the terminal, in SVG figures, in the file of the run and in conversions of it."""
    out = tmp_path / "out"
    found = polhode("run", str(case), "--out", str(out), "--set", "run.duration_s=1.2")
    assert found.code in (0, 1), found.err
    assert not controls(found.out + found.err)
    stored = next(out.rglob("*.nc"))
    found = polhode("run", str(stored))
    assert not controls(found.out + found.err)
    assert found.code in (0, 1), found.err


class Page(HTMLParser):
    """Elements of a page with their attributes, and the texts of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] == "script":
            self.scripts[-1] += data


def page_of(polhode: Command, verb: str, path: Path, out: Path) -> Page:
    found = polhode(verb, str(path), "--out", str(out))
    assert found.code in (0, 1), found.err
    assert not controls(found.out + found.err)
    return Page(out.read_text(encoding="utf-8"))


@pytest.mark.slow  # four runs, with the sliders of one
@pytest.mark.parametrize("verb", ["report", "playback"])
def test_pages_of_a_hostile_case_have_only_their_own_elements(verb: str, polhode: Command, tmp_path: Path) -> None:
    """Hostile are title, description, requirement, names of modes and blocks, and the name of the file."""
    require = f"[[require]]\nid = {words_of_toml(SECOND[:40])}\ntext = {words_of_toml(ALL.replace(chr(0), ''))}\n"
    require += 'metric = "final_rate_deg_s"\nmax = 9.0\n'
    hostile = tmp_path / "</title><script>e()<!-- '$(id)`.toml".replace("/", "\u2044")
    hostile.write_text(CASE + require, encoding="utf-8")
    plain = tmp_path / "plain.toml"
    text = (CASE + require).replace(words_of_toml(ALL.replace(chr(0), "")), '"A title"')
    for name, other in ((FIRST, "a"), (SECOND[:40], "b"), (SECOND, "b"), (PIECES["end of a comment"], "c")):
        text = text.replace(words_of_toml(name), json.dumps(other))
    plain.write_text(text, encoding="utf-8")
    odd, even = (page_of(polhode, verb, path, tmp_path / f"{n}.html") for n, path in enumerate((hostile, plain)))
    assert {tag for tag, _ in odd.elements} <= {tag for tag, _ in even.elements}
    assert len(odd.scripts) == len(even.scripts)
    for (_, attributes), script in zip((e for e in odd.elements if e[0] == "script"), odd.scripts, strict=True):
        if attributes.get("type") == "application/json":
            json.loads(script)
    for tag, attributes in odd.elements:
        assert not [name for name in attributes if name.startswith("on")], tag
        assert tag != "a" or str(attributes["href"]).startswith("#")


def test_pictures_hold_hostile_words_as_text(tmp_path: Path) -> None:
    """Neither a formula nor a character that XML refuses reaches a figure; numbers of log axes stay formulas."""
    page = new_page((4.0, 3.0), layout=None, title=ALL[:200])
    axes = page.add_subplot()
    axes.loglog([1.0, 10.0], [1.0, 100.0], label=PIECES["formula"])
    axes.set_title(PIECES["terminal"] + PIECES["script"])
    axes.set_xlabel(PIECES["formula"] + SURROGATE)
    axes.legend()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of glyphs missing in the font
        page.savefig(tmp_path / "picture.svg")
        page.savefig(tmp_path / "picture.png")
    assert ET.parse(tmp_path / "picture.svg").getroot().tag.endswith("svg")
    assert axes.get_xticklabels()[0].get_parse_math()


def test_hostile_words_of_the_command_line_are_printed_as_text(polhode: Command) -> None:
    for words in (
        ("run", ALL.replace("\0", "")),
        ("run", "torque-free", "--set", f"title={PIECES['terminal']}".replace("\0", "")),
    ):
        found = polhode(*words)
        assert not controls(found.out + found.err), words
