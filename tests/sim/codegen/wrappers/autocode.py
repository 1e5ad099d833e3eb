"""The base class of a component as the F Prime tool generates it from FPP: handlers, ports, events, parameters.

Signatures are those of fpp-to-cpp 3.4; sent data is printed, and a small interface drives the component.
"""

from __future__ import annotations

import re
from pathlib import Path

ARGUMENT = re.compile(r"^\s*\$?(\w+): (\w+)")
TYPES = {"F64": "F64", "U32": "U32", "I32": "I32"}


def arguments_of(text: str, start: str) -> list[tuple[str, str]]:
    """Names and types between brackets behind a text."""
    inside = text.split(f"{start}(\n", 1)[1].split("\n  )", 1)[0].split("\n    )", 1)[0]
    found = (ARGUMENT.match(line) for line in inside.splitlines())
    return [(each[1], each[2]) for each in found if each]


def base_class(fpp: str, name: str) -> str:
    """The header of the base class of a component of the module Gnc."""
    status = f"{name}Status"
    members = re.findall(r"^    ([A-Z_]+) = (\d+) @<", fpp, re.MULTILINE)
    inputs = {port: arguments_of(fpp, f"port {of}") for port, of in
              re.findall(rf"guarded input port (\w+): ({name}\w+)", fpp)}  # fmt: skip
    assert "guarded input port schedIn: Svc.Sched" in fpp
    inputs["schedIn"] = []
    outputs = {
        port: arguments_of(fpp, f"port {of}") for port, of in re.findall(rf"output port (\w+): ({name}\w+)", fpp)
    }
    commands = re.findall(r"guarded command (\w+) opcode (\d+)", fpp)
    params = re.findall(r"^    param \$?(\w+): F64 default (\S+) @<", fpp, re.MULTILINE)
    channels = re.findall(r"^    telemetry (\w+): (\w+)", fpp, re.MULTILINE)
    events = re.findall(r"event (\w+)(\([^)]*\))? severity (\w+) (\w+) id \d+\s*\\?\s*format", fpp)
    return "\n".join(
        [
            "#pragma once",
            "#include <cassert>",
            "#include <vector>",
            '#include "Fw.hpp"',
            "namespace Gnc {",
            f"class {status} {{",
            "  public:",
            f"    enum T {{ {', '.join(f'{member} = {value}' for member, value in members)} }};",
            f"    {status}(const enum T e1) : e(e1) {{}}",
            "    operator T() const { return this->e; }",
            "    enum T e;",
            "};",
            f"class {name}ComponentBase : public Fw::PassiveComponentBase {{",
            "  public:",
            f'    explicit {name}ComponentBase(const char* compName = "") : Fw::PassiveComponentBase(compName) {{}}',
            *(line for port, arguments in inputs.items() for line in _driver(port, arguments)),
            "    void command(const std::string& name) {",
            *(
                f'        if (name == "{each}") {{ this->{each}_cmdHandler({code}, 5); return; }}'
                for each, code in commands
            ),
            "        assert(false);",
            "    }",
            "    void setParam(const std::string& name, F64 value) {",
            "        assert(m_params.count(name) == 1);",
            "        m_params[name] = value; m_set[name] = true; m_valid = Fw::ParamValid::VALID;",
            "        this->parameterUpdated(0);",
            "    }",
            "    void loadParameters() { m_valid = Fw::ParamValid::DEFAULT; this->parametersLoaded(); }",
            "  protected:",
            *(
                f"    virtual void {port}_handler(FwIndexType portNum{_listed(arguments)}) = 0;"
                for port, arguments in inputs.items()
                if port != "schedIn"
            ),
            "    virtual void schedIn_handler(FwIndexType portNum, U32 context) = 0;",
            *(f"    virtual void {each}_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) = 0;" for each, _ in commands),
            "    virtual void parameterUpdated(FwPrmIdType id) { static_cast<void>(id); }",
            "    virtual void parametersLoaded() {}",
            "    void cmdResponse_out(FwOpcodeType opCode, U32 cmdSeq, Fw::CmdResponse response) {",
            '        assert(cmdSeq == 5); std::printf("response %u %d\\n", opCode, static_cast<int>(response.e));',
            "    }",
            *(line for port, arguments in outputs.items() for line in _output(port, arguments, status)),
            *(line for each, kind in channels for line in _channel(each, kind, status)),
            *(line for each in events for line in _event(*each, status=status)),
            *(
                f'    F64 paramGet_{each}(Fw::ParamValid& valid) {{ valid = m_valid; return m_params.at("{each}"); }}'
                for each, _ in params
            ),
            "  private:",
            "    Fw::ParamValid m_valid;",
            "    std::map<std::string, bool> m_set;",
            "    std::map<std::string, F64> m_params = {" + ", ".join(f'{{"{k}", {v}}}' for k, v in params) + "};",
            "};",
            "}",
        ]
    )


def write_base_class(folder: Path, name: str) -> None:
    """Write the base class next to the component."""
    text = base_class((folder / f"{name}.fpp").read_text(encoding="utf-8"), name)
    (folder / f"{name}ComponentAc.hpp").write_text(text + "\n", encoding="utf-8")


def _listed(arguments: list[tuple[str, str]], status: str = "") -> str:
    return "".join(f", {'const ' + kind + '&' if kind == status else kind} {name}" for name, kind in arguments)


def _driver(port: str, arguments: list[tuple[str, str]]) -> list[str]:
    values = ", ".join(f"numbers.at({n})" for n in range(len(arguments))) or "9"
    return [
        f"    void {port}(const std::vector<F64>& numbers) {{",
        f"        assert(numbers.size() == {len(arguments)});",
        f"        this->{port}_handler(0, {values});",
        "    }",
    ]


def _output(port: str, arguments: list[tuple[str, str]], status: str) -> list[str]:
    plain = [name for name, kind in arguments if kind == "F64"]
    form = " ".join(["%d", *["%a"] * len(plain)])
    return [
        f"    bool isConnected_{port}_OutputPort(FwIndexType portNum) const {{ return portNum == 0; }}",
        f"    void {port}_out(FwIndexType portNum{_listed(arguments, status)}) const {{",
        f'        std::printf("torque {form}\\n", static_cast<int>(status.e), {", ".join(plain)});',
        "        assert(portNum == 0);",
        "    }",
    ]


def _channel(name: str, kind: str, status: str) -> list[str]:
    value, form = {status: ("static_cast<int>(arg.e)", "%d"), "F64": ("arg", "%a")}.get(kind, ("arg", "%u"))
    taken = f"const {kind}&" if kind == status else kind
    return [f'    void tlmWrite_{name}({taken} arg) const {{ std::printf("tlm {name} {form}\\n", {value}); }}']


def _event(name: str, arguments: str, severity: str, level: str, *, status: str) -> list[str]:
    given = re.findall(r"(\w+): (\w+)", arguments)
    values = [f"static_cast<int>({each}{'.e' if kind == status else ''})" for each, kind in given]
    taken = ", ".join(f"{kind} {each}" for each, kind in given)
    form = " ".join([name, *["%d"] * len(given)])
    called = f"log_{severity.upper()}_{'HI' if level == 'high' else 'LO'}_{name}"
    printed = ", ".join([f'"event {form}\\n"', *values])
    return [f"    void {called}({taken}) const {{ std::printf({printed}); }}"]
