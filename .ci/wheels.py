"""Build the wheels of every platform on this machine, by zig, and inspect what is in them.

python .ci/wheels.py --out DIR [--only TAG ...]

A wheel fits every Python 3 on its platform. Each library is translated to assembly, which is searched for products
fused with sums, and assembled as it is; then format, processor, exported names and imported names are read from the
file. Libraries of other platforms are not run here: theirs is the probe that every library has, when it is loaded.
Needs the packages ziglang and build (extra dev). It is a script of the project and no command of polhode, since
users install for the machine in front of them.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "package"), str(ROOT / ".ci")]

from backend_wheels import with_libraries  # noqa: E402 # from the folder of the build backend
from binary_symbols import Symbols, read_symbols  # noqa: E402

from polhode.sim.codegen.library_build import OPTIONS, TANGENT_OPTIONS  # noqa: E402
from polhode.sim.codegen.library_text import DUAL_NUMBER, library_text  # noqa: E402
from polhode.sim.codegen.library_variants import tangents_of  # noqa: E402
from polhode.sim.codegen.toolchain import EXACT, NEUTRAL  # noqa: E402

FUSED = re.compile(r"^\s*(vfn?m(?:add|sub)\w*|fn?m(?:add|sub)|fml[as])\b", re.MULTILINE)
EXPORT = re.compile(r"^POLHODE_API\b[^(]*?\b(polhode_\w+)\(", re.MULTILINE)
MATHEMATICS = {
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erfc"),
    *("exp", "expm1", "fabs", "floor", "fmod", "frexp", "hypot", "ldexp", "log", "log10", "log1p", "modf", "pow"),
    *(
        "rint",
        "round",
        "sin",
        "sincos",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "erf",
        "erfc",
        "trunc",
        "__sincos_stret",
        "memcpy",
        "memmove",
        "memset",
    ),
    *("bzero", "__bzero", "memset_pattern16"),
}
"""What a library may take from libc and libm."""

STARTING = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable",
            "dyld_stub_binder"}  # fmt: skip
"""What the linker itself may add."""


@dataclass(frozen=True)
class Platform:
    """A platform: tag of its wheel, target of zig, file names and formats, the processor of each variant.

    tangents: variant whose processor the library with tangents is compiled for.
    """

    tag: str
    target: str
    machine: str
    suffix: str
    format: str
    variants: dict[str, str] = field(default_factory=lambda: {"baseline": "baseline"})
    tangents: str = "baseline"

    @property
    def processor(self) -> str:
        """The processor as the format names it."""
        return "arm64" if (self.format, self.machine) == ("Mach-O", "aarch64") else self.machine


X86 = {"baseline": "x86_64"}
PLATFORMS = (
    Platform("manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64-linux-gnu.2.17", "x86_64", ".so", "ELF",
             {**X86, "v3": "x86_64_v3", "v4": "x86_64_v4"}, "v3"),
    Platform("manylinux_2_17_aarch64.manylinux2014_aarch64", "aarch64-linux-gnu.2.17", "aarch64", ".so", "ELF"),
    Platform("macosx_11_0_x86_64", "x86_64-macos.11.0", "x86_64", ".dylib", "Mach-O", X86),
    Platform("macosx_11_0_arm64", "aarch64-macos.11.0", "aarch64", ".dylib", "Mach-O"),
    Platform("win_amd64", "x86_64-windows-gnu", "x86_64", ".dll", "PE", X86),
)  # fmt: skip
"""Variants beyond the baseline are those that polhode chooses at run time: v3 and v4, on Linux."""


def compiled(platform: Platform, variant: str, source: Path, *, tangents: bool = False) -> Path:
    """Compile a library for a platform. Raises SystemExit where zig refuses, or fused products with sums."""
    named = tangents_of(variant) if tangents else variant
    out = source.with_name(f"engine-{platform.machine}-{named}{platform.suffix}")
    assembly = out.with_suffix(".s")
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", platform.target, f"-mcpu={platform.variants[variant]}"]
    options = [each for each in OPTIONS if each != "-shared"]
    options += TANGENT_OPTIONS if tangents else ()
    call([*zig, *NEUTRAL, *EXACT, *options, "-g0", "-S", str(source), "-o", str(assembly)])
    fused = FUSED.search(assembly.read_text(encoding="utf-8"))
    if fused is not None:
        raise SystemExit(f"{out.name} for {platform.tag} fuses products with sums ({fused.group(1)})")
    known_as = [f"-Wl,-install_name,@rpath/{out.name}"] if platform.format == "Mach-O" else []
    call([*zig, "-shared", "-s", *known_as, str(assembly), "-o", str(out), "-lm"])
    assembly.unlink()
    return out


def call(command: list[str]) -> None:
    """Run a command. Raises SystemExit with the end of its output where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} failed:\n{(done.stdout + done.stderr)[-2000:]}")


def faults(platform: Platform, symbols: Symbols, exports: set[str]) -> list[str]:
    """Return what is wrong with a library."""
    wrong: list[str] = []
    if (symbols.format, symbols.processor) != (platform.format, platform.processor):
        wrong.append(f"it is {symbols.format} for {symbols.processor}")
    if missing := exports - symbols.exported:
        wrong.append(f"{len(missing)} exported names are missing, such as {min(missing)}")
    if platform.format != "PE" and (foreign := symbols.imported - MATHEMATICS - STARTING):
        wrong.append(f"it needs {', '.join(sorted(foreign))}")
    libraries = [each for each in symbols.needs if each.endswith(".dll")]
    if foreign := [
        each for each in libraries if not re.match(r"(?i)kernel32|ntdll|api-ms-win-crt|ucrtbase|msvcrt", each)
    ]:
        wrong.append(f"it needs {', '.join(foreign)}")
    versions = {tuple(map(int, each[6:].split("."))) for each in symbols.needs if each.startswith("GLIBC_")}
    if versions and max(versions) > (2, 17):
        wrong.append(f"it needs glibc {max(versions)}")
    if platform.format == "Mach-O" and "macOS 11.0" not in symbols.needs:
        wrong.append("its oldest macOS is not 11.0")
    if platform.target.startswith("aarch64-macos") and "code signature" not in symbols.needs:
        wrong.append("it has no signature, which macOS demands on arm64")
    return wrong


def summary(library: Path, symbols: Symbols) -> str:
    """Return what is in a library as one line."""
    return (
        f"{library.name}: {symbols.format}, {symbols.processor}, {library.stat().st_size} bytes, "
        f"{len(symbols.exported)} names exported, {len(symbols.imported)} imported, "
        f"needs {', '.join(sorted(symbols.needs)) or 'nothing'}"
    )


def pure_wheel(folder: Path) -> Path:
    """Build the wheel without an engine."""
    call([sys.executable, "-m", "build", "--wheel", "-C", "engine=none", "--outdir", str(folder), str(ROOT)])
    (wheel,) = folder.glob("*-py3-none-any.whl")
    return wheel


def main() -> int:
    """Build and inspect the wheels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the wheels go")
    parser.add_argument(
        "--only", nargs="+", metavar="TAG", help=f"of {', '.join(each.tag.partition('.')[0] for each in PLATFORMS)}"
    )
    options = parser.parse_args()
    chosen = [each for each in PLATFORMS if not options.only or each.tag.partition(".")[0] in options.only]
    if not chosen:
        parser.error(f"--only {' '.join(options.only)}: no such platform")
    options.out.mkdir(parents=True, exist_ok=True)
    text = library_text()
    exports, scalar = set(EXPORT.findall(text)), set(EXPORT.findall(library_text(simd=False)))
    with tempfile.TemporaryDirectory() as temporary:
        wheel = pure_wheel(Path(temporary))
        for platform in chosen:
            began = time.monotonic()
            folder = Path(temporary, platform.target)
            folder.mkdir()
            source = folder / "engine.c"
            source.write_text(text, encoding="ascii")
            shutil.copy(ROOT / "sim" / "codegen" / DUAL_NUMBER, folder)
            libraries = [compiled(platform, variant, source) for variant in platform.variants]
            libraries.append(compiled(platform, platform.tangents, source, tangents=True))
            for library in libraries:
                symbols = read_symbols(library)
                if wrong := faults(platform, symbols, scalar if library is libraries[-1] else exports):
                    raise SystemExit(f"{library.name} for {platform.tag}: {'; '.join(wrong)}")
                print(f"  {summary(library, symbols)}")
            copy = shutil.copy(wheel, options.out)
            named = with_libraries(Path(copy), libraries, platform.tag)
            print(
                f"{named.name}: {named.stat().st_size} bytes in {time.monotonic() - began:.0f} s; no fused products",
                flush=True,
            )
    print("Only libraries of this machine's platform can be run here; install the wheel to do so.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
