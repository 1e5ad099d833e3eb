"""Results as tables for people."""

from typing import Any

from problems import PROBLEMS, TITLES
from race import CONTESTANTS

__all__ = ["printed"]


def seconds(value: float) -> str:
    """A time with three digits, in a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size or unit == "us":
            return f"{value / size:.3g} {unit}"
    return ""


def problem(name: str, rows: list[dict[str, Any]]) -> list[str]:
    lines = [f"\n{TITLES[name]}; wanted within {PROBLEMS[name]['target']:g}"]
    lines.append(f"  {'':16s} {'processor':>10s} {'of C':>8s} {'error':>8s} {'set up':>8s}  method and setting")
    for row in rows:
        if "failed" in row:
            lines.append(f"  failed: {row['failed']}")
            continue
        ratio = f"{row['over_c']:.3g}" if "over_c" in row else ""
        setting = ", ".join(f"{key} {value:g}" for key, value in row["setting"].items() if not isinstance(value, str))
        who, took, ready = CONTESTANTS[row["contestant"]][0], seconds(row["processor_s"]), seconds(row["set_up_s"])
        lines.append(f"  {who:16s} {took:>10s} {ratio:>8s} {row['error']:8.1e} {ready:>8s}  {row['method']}; {setting}")
        if not row["reached"]:
            lines[-1] += "  (does not get there)"
    return lines


def campaigns(rows: list[dict[str, Any]]) -> list[str]:
    lines = ["\ncampaign of such slews under LQR, inertia and rate scattered, all alike in every row"]
    for row in rows:
        if "failed" in row:
            lines.append(f"  {row['who']:44s} failed: {row['failed']}")
            continue
        lines.append(
            f"  {row['who']:44s} {row['runs_a_processor_s']:9.0f} runs a processor second, "
            f"{row['runs_a_wall_s']:9.0f} a second; {row['runs']} runs, ends apart by {row['apart']:.1e}"
        )
    return lines


def curves(found: dict[str, Any]) -> list[str]:
    lines = ["\ngrowth: processor time by number, and the power with which its later part grows"]
    for what, by_name in found.items():
        for name, curve in by_name.items():
            points = ", ".join(f"{n}: {seconds(s)}" for n, s in zip(curve["counts"], curve["processor_s"], strict=True))
            lines.append(f"  {what}, {CONTESTANTS[name][0]}: {points}; power {curve['slope']:.2f}")
    return lines


def printed(found: dict[str, Any]) -> str:
    """The whole report."""
    lines = [f"{name}: {value}" for name, value in found["machine"].items()]
    lines.append("\ncontestants: processor time of importing; memory before, after importing, at the end")
    for name, facts in found["contestants"].items():
        compiled = f", of this compiling {facts['compiled_s']:.2f} s" if "compiled_s" in facts else ""
        lines.append(
            f"  {CONTESTANTS[name][0]:16s} {facts['version']}: {facts['import_s']:.2f} s{compiled}; "
            f"{facts['bare_MB']:.0f}, {facts['peak_MB']:.0f}, {facts['end_MB']:.0f} MB. {facts['how']}"
        )
    for name, reason in found["missing"].items():
        title, how = CONTESTANTS[name]
        lines.append(f"  {title:16s} is not here ({reason}): {how}, here or in an interpreter given by --python")
    for name, rows in found["problems"].items():
        lines += problem(name, rows)
    if "campaign" in found:
        lines += campaigns(found["campaign"])
    if "growth" in found:
        lines += curves(found["growth"])
    if "start" in found:
        lines.append("\nwhole processes, wall time")
        for kind in ("warm_best_s", "cold_best_s"):
            times = found["start"][kind]
            lines += [f"  {kind.partition('_')[0]} {what:34s} {value:6.2f} s" for what, value in times.items()]
    if found["brief"]:
        lines.append("\nshortened: these figures mean nothing")
    return "\n".join(lines)
