#!/usr/bin/env python3
"""Shows, without a GPU, what compilers for GPUs make of the kernels: which they refuse, registers, spills, local memory
and occupancy of each, for Intel (ocloc), AMD (clang) and NVIDIA (clang, assembled by ptxas where it is installed).

Usage: gpu_compilers.py FILE.cl [-DMACRO=VALUE ...]   one kernel file
       gpu_compilers.py all [PROGRAMS [MINUTES]]        every program of a folder, and docs/benchmarks/compilers.md
       gpu_compilers.py sample [PROGRAMS]             each kernel file once, with its most frequent options
       gpu_compilers.py cases [PROGRAMS]               what "all" knows, as a table with tabs

PROGRAMS is the folder that "mvn -q process-test-classes -Pprograms" fills, target/programs: the programs of the operator
cases (of some data types with -Dtypes=float32,int8). "all" takes the options of each file in the order of their
frequency, Intel's last, stops after MINUTES and keeps what it has compiled in out/compilers: it goes on from there.
"sample" and a single file fail if a compiler refuses something.

Needs clang-15 and libclc-15 (apt-get install --no-install-recommends clang-15 libclc-15); ocloc (Debian:
intel-opencl-icd) and ptxas for their parts. COMPILERS=amd,sm_80 chooses makers or targets.
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from gpu_loops import inner_loop

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/benchmarks/compilers.md"
KEPT = ROOT / "out/compilers"
CLANG = ["clang-15", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-O3", "-w"]
AMD = "amdgcn-mesa-mesa3d"
BATCH = 12  # programs that one process compiles
MOST_SECONDS = 300  # for one program
LEAST_OCCUPANCY = 25
USUAL_GROUP = 64  # where the driver chooses
OF_PROCESSORS = re.compile("blocked/|_blocked_|_to_blocks_")  # blocked channels, a layout of plans for processors

# lanes of a hardware thread; most threads of a unit that shares local memory; parts of that unit, the registers of each
# and the granule of a thread's share; bytes of local memory; most groups. From the AMDGPU back end of LLVM (GCNSubtarget),
# NVIDIA's table of compute capabilities, and Intel's "oneAPI GPU Optimization Guide".
TARGETS = {
    "skl": ("intel", "Intel Gen9", 32, 56, None, 65536, 16),
    "tgllp": ("intel", "Intel Gen12 (Tiger Lake)", 32, 112, None, 131072, 32),
    "dg2": ("intel", "Intel DG2", 32, 128, None, 131072, 64),
    "gfx906": ("amd", "AMD gfx906", 64, 40, (4, 256, 4), 65536, 40),
    "gfx1030": ("amd", "AMD gfx1030", 32, 32, (2, 1024, 16), 65536, 32),
    "gfx1100": ("amd", "AMD gfx1100", 32, 32, (2, 1536, 24), 65536, 32),
    "sm_80": ("nvidia", "NVIDIA sm_80", 32, 64, (4, 16384 // 32, 8), 167936, 32),
    "sm_90": ("nvidia", "NVIDIA sm_90", 32, 64, (4, 16384 // 32, 8), 233472, 32),
    "haswell": ("processor", "processors without AVX-512", 0, 0, None, 0, 0),
}
WITHOUT_DOUBLES = ("tgllp", "dg2")


def targets():
    chosen = os.environ.get("COMPILERS", "intel,amd,nvidia,processor").split(",")
    have = {"intel": shutil.which("ocloc")}
    return [t for t, about in TARGETS.items() if (about[0] in chosen or t in chosen) and have.get(about[0], shutil.which(CLANG[0]))]


def execute(command, files=1):
    """The failure, or an empty text, and what a command writes. Its limit is processor time: others may use the machine."""
    limited = ["sh", "-c", 'ulimit -S -t "$0" && exec "$@"', str(MOST_SECONDS * files), *command]
    done = subprocess.run(limited, capture_output=True, text=True, errors="replace")
    if done.returncode == -signal.SIGXCPU:
        return f"takes longer than {MOST_SECONDS * files} s", ""
    if done.returncode in (-signal.SIGKILL, -signal.SIGTERM):
        raise ChildProcessError(f"{command[0]} was killed; this says nothing of a program")
    output = done.stdout + done.stderr
    output = printable(output)
    return ("" if done.returncode == 0 else output.strip()[-1500:] or f"exit status {done.returncode}"), output


def printable(text):
    """Without control characters, such as the NUL at the end of the version that ocloc writes, and colours."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "", re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text))


def compiled(target, source, options, work):
    """The failure, or an empty text, and registers, spilled bytes and bytes of local memory by kernel."""
    return (intel if TARGETS[target][0] == "intel" else clang)(target, source, options, work)


def intel(target, source, options, work):
    failure, output = execute(["ocloc", "compile", "-file", source, "-device", target, "-options", options,
                               "--format", "zebin", "-out_dir", work, "-exclude_ir"])
    binaries = list(Path(work).glob("*.bin"))
    if "library has failed!" in failure + output:
        raise SystemExit("ocloc lacks a library: " + (failure + output).strip().splitlines()[0])
    if failure or not binaries:
        return failure or output.strip()[-1500:], {}
    kernels = {}
    info = sections(binaries[0].read_bytes())[".ze_info"].decode()
    for kernel in re.split(r"\n  - name: +", info.split("kernels_misc_info:")[0])[1:]:
        def figure(key):
            found = re.search(rf"\n +{key}: +(\d+)", kernel)
            return int(found[1]) if found else 0
        scratch = sum(int(size) for size in re.findall(r"- type: +scratch\n(?: +usage: .*\n)? +size: +(\d+)", kernel))
        kernels[kernel.split("\n")[0].strip().strip("'")] = {
            "registers": figure("grf_count"), "spills": figure("spill_size") or scratch, "local": figure("slm_size"),
            "lanes": figure("simd_size")}
    return "", kernels


def sections(elf):
    start, = struct.unpack_from("<Q", elf, 0x28)
    count, names = struct.unpack_from("<HH", elf, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", elf, start + 64 * i) for i in range(count)]
    at = headers[names][4]
    return {elf[at + h[0]:elf.index(b"\0", at + h[0])].decode(): elf[h[4]:h[4] + h[5]] for h in headers}


def clang_of(target):
    """What clang takes for a target, next to the options of a program."""
    maker = TARGETS[target][0]
    if maker == "amd":
        return ["-target", AMD, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", f"/usr/lib/clc/gfx906-{AMD}.bc",
                "-mcpu=" + target]
    if maker == "nvidia":
        return ["-target", "nvptx64-nvidia-nvcl", "-Xclang", "-mlink-builtin-bitcode", "-Xclang",
                "/usr/lib/clc/nvptx64--nvidiacl.bc", "-Xclang", "-target-cpu", "-Xclang", "sm_80", "-Xclang",
                "-target-feature", "-Xclang", "+ptx72", "-Dcl_khr_fp64", "-Dcl_clang_storage_class_specifiers"]
    return ["-target", "x86_64-linux-gnu", "-march=" + target]


def clang(target, source, options, work):
    result = f"{work}/result.s"
    failure = execute(CLANG + clang_of(target) + [*options.split(), "-S", source, "-o", result])[0]
    return (failure, {}) if failure else READERS[TARGETS[target][0]](target, result)


@functools.cache
def inner_command(*command):
    """The command for one file that clang would start, without the names of files: it takes several."""
    inner = shlex.split(execute([*command, "-###", "/dev/null", "-o", "x.s"])[1].splitlines()[-1])
    for name in ("-o", "-main-file-name", "-x"):
        at = inner.index(name)
        del inner[at:at + 2]
    inner.remove("/dev/null")
    return inner


def together(targets_of_maker, batch, work):
    """Failures and kernels by target of several programs, or None where clang has made nothing of them."""
    sources = []
    for number, program in enumerate(batch):
        given = [option[2:].split("=", 1) for option in program["options"].split()]
        lines = [f"#define {name} {value[0] if value else 1}\n" for name, *value in given]
        sources.append(Path(work) / f"{number}.cl")
        sources[-1].write_text("".join(lines) + "#line 1\n" + text_of(program["source"]))
    is_amd = TARGETS[targets_of_maker[0]][0] == "amd"
    first = "gfx906" if is_amd else targets_of_maker[0]
    execute([*inner_command(*CLANG, *clang_of(first), *(["-emit-llvm"] if is_amd else []), "-S"), "-x", "cl",
             *map(str, sources)], len(sources))
    found = [{} for _ in batch]
    for target in targets_of_maker:
        if is_amd:
            for made in (source.with_suffix(".ll") for source in sources):
                if made.exists():
                    made.write_text(re.sub(r' "target-(cpu|features)"="[^"]*"', "", made.read_text()))
            execute([*inner_command("clang-15", "-x", "ir", "-target", AMD, "-O3", "-w", "-mcpu=" + target, "-Xclang",
                                    "-disable-llvm-passes", "-S"), "-x", "ir",
                     *(str(s.with_suffix(".ll")) for s in sources if s.with_suffix(".ll").exists())], len(sources))
        for source, results in zip(sources, found):
            result = source.with_suffix(".s")
            results[target] = None
            if result.exists():
                try:
                    results[target] = READERS[TARGETS[target][0]](target, str(result))
                except (AttributeError, ValueError):
                    pass  # clang has ended before the file did
                result.unlink()
    return found


def amd(target, result):
    text = Path(result).read_text()
    missing = sorted({n for n in re.findall(r"(\w+)@(?:rel32|gotpcrel32)", text) if not re.search(rf"^{n}:", text, re.M)})
    if missing:
        return "functions that its library lacks: " + ", ".join(missing), {}
    kernels = {}
    for kernel in re.split(r"^\t\.globl\t", text, flags=re.M)[1:]:
        def figure(key):
            return int(re.search(rf"^; {key}: (\d+)", kernel, re.M)[1])
        if "; Kernel info:" in kernel:
            kernels[kernel.split()[0]] = {
                "registers": figure("NumVgprs"), "spills": figure("ScratchSize"), "local": figure("LDSByteSize"),
                "loop": inner_loop("amd", kernel)}
    return "", kernels


def nvidia(target, result):
    text = Path(result).read_text()
    missing = re.findall(r"^\.extern \.func[^;]*?\b(_?[A-Za-z]\w+)\s*\n?\(", text, re.M)
    if missing:
        return "functions that its library lacks: " + ", ".join(sorted(set(missing))), {}
    if not shutil.which("ptxas"):
        return "", {}
    failure, output = execute(["ptxas", "-v", "-arch=" + target, "-o", "/dev/null", result])
    if failure:
        return failure, {}
    kernels = {}
    loops = {entry.split("(")[0].strip(): inner_loop("nvidia", entry) for entry in text.split(".entry ")[1:]}
    for name, kernel in re.findall(r"Compiling entry function '(\w+)'(.*?)(?=Compiling entry|\Z)", output, re.S):
        local = re.search(r"(\d+) bytes smem", kernel)
        kernels[name] = {"registers": int(re.search(r"Used (\d+) registers", kernel)[1]),
                         "spills": int(re.search(r"(\d+) bytes stack frame", kernel)[1]),
                         "local": int(local[1]) if local else 0, "loop": loops.get(name)}
    return "", kernels


READERS = {"amd": amd, "nvidia": nvidia, "processor": lambda target, result: ("", {})}


def occupancy(target, kernel, items, local):
    """Per cent of the hardware threads that registers and local memory let run at a time."""
    _, _, lanes, most, registers, memory, groups = TARGETS[target]
    lanes = kernel.get("lanes") or lanes
    group = -(-(items or USUAL_GROUP) // lanes)
    threads = most
    if TARGETS[target][0] == "intel":
        threads = threads * 128 // max(128, kernel["registers"])
    elif kernel["registers"]:
        parts, size, granule = registers
        threads = min(threads, parts * (size // (-(-kernel["registers"] // granule) * granule)))
    fit = min(threads // group, groups)
    used = kernel["local"] + local
    if used:
        fit = min(fit, memory // used)
    return 100 * fit * group // most


def programs(folder):
    """The programs by number and options, the more frequent of a file before the others."""
    known = {}
    for line in (folder / "programs.tsv").read_text().splitlines():
        number, file, options, entry, devices, launches, items, local = line.split("\t")
        program = known.setdefault((number, options), {
            "source": str(folder / f"{number}.cl"), "file": file, "options": options, "devices": set(), "launches": 0,
            "kernels": {}})
        program["devices"] |= set(devices.split(","))
        program["launches"] += int(launches)
        program["kernels"][entry] = (int(items), int(local))
    ranks = {}
    ordered = []
    for program in sorted(known.values(), key=lambda p: (-p["launches"], p["options"])):
        rank = ranks[program["file"]] = ranks.get(program["file"], -1) + 1
        ordered.append((rank, program))
    return [program for rank, program in sorted(ordered, key=lambda pair: pair[0])]


def is_for(program, target):
    if TARGETS[target][0] == "processor":
        return "cpu" in program["devices"]
    if program["devices"] == {"ptx"}:
        return TARGETS[target][0] == "nvidia"
    return "small" in program["devices"] or ("gpu" in program["devices"] and target not in WITHOUT_DOUBLES)


@functools.cache
def text_of(source):
    return Path(source).read_text()


@functools.cache
def digest_of(source):
    return hashlib.sha256(text_of(source).encode()).hexdigest()


def kept_at(program, target):
    text = "\0".join([digest_of(program["source"]), program["options"], target])
    return KEPT / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"


def keep(program, target, failure, kernels):
    kept = kept_at(program, target)
    KEPT.mkdir(parents=True, exist_ok=True)
    partial = kept.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    partial.write_text(json.dumps({"failure": failure, "kernels": kernels}))
    partial.replace(kept)


def compile_batch(targets_of_maker, batch, until):
    """Compiles programs that go to the same targets of one maker, and keeps what comes of it."""
    if until is not None and time.time() > until:
        return
    with tempfile.TemporaryDirectory() as work:
        found = [{} for _ in batch]
        if TARGETS[targets_of_maker[0]][0] != "intel":
            found = together(targets_of_maker, batch, work)
        for program, results in zip(batch, found):
            for target in targets_of_maker:
                with tempfile.TemporaryDirectory() as alone:
                    done = results.get(target) or compiled(target, program["source"], program["options"], alone)
                keep(program, target, *done)


def run(wanted, until=None, is_wanted=is_for):
    """(program, target, result) of those that are compiled, after compiling those that are not, until the time is over."""
    batches = {}
    work = []
    for program in wanted:
        missing = {}
        for target in targets():
            if is_wanted(program, target) and not kept_at(program, target).exists():
                missing.setdefault(TARGETS[target][0], []).append(target)
        for of_maker in map(tuple, missing.values()):
            batch = batches.setdefault(of_maker, [])
            batch.append(program)
            if len(batch) == BATCH:
                work.append((of_maker, batches.pop(of_maker)))
    work += batches.items()
    work.sort(key=lambda job: TARGETS[job[0][0]][0] == "intel")  # the slowest last
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: compile_batch(*job, until), work))
    pairs = [(p, t, kept_at(p, t)) for p in wanted for t in targets() if is_wanted(p, t)]
    return [(p, t, json.loads(kept.read_text())) for p, t, kept in pairs if kept.exists()]


def rows(done):
    for program, target, outcome in done:
        about = (program["file"], program["options"], target)
        if outcome["failure"]:
            yield (*about, "", outcome["failure"], None)
        for entry, (items, local) in program["kernels"].items():
            kernel = outcome["kernels"].get(entry)
            if kernel:
                yield (*about, entry, "", {**kernel, "local": kernel["local"] + local,
                                           "occupancy": occupancy(target, kernel, items, local)})


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines()
    return re.sub(r"^.*?error: ", "", lines[0])[:160].replace("|", "\\|")


def versions():
    found = [execute([CLANG[0], "--version"])[1].splitlines()[0]]
    if shutil.which("ocloc"):
        found.append("ocloc " + execute(["ocloc", "query", "OCL_DRIVER_VERSION"])[1].split("\n")[0])
        for made in Path(".").glob("OCL_DRIVER_VERSION"):
            found[-1] = "ocloc " + printable(made.read_text()).strip()
            made.unlink()
    if shutil.which("ptxas"):
        found.append("ptxas " + re.search(r"V[\d.]+", execute(["ptxas", "--version"])[1])[0])
    return found


def page(every, done):
    table = list(rows(done))
    text = ["# What compilers for GPUs make of the kernels", "",
            "Written by `src/dev/gpu_compilers.py all target/programs`; no GPU takes part. The programs are those that the",
            "operator cases build on a large GPU, on a small one without float64, on one with NVIDIA's matrix units, and on a",
            "processor, with every variant that accepts a case: a kernel file with a set of build options. Programs for",
            "processors alone are not compiled for GPUs, those for matrix units for NVIDIA's alone, those with float64 not",
            "for Gen12 and DG2, which have none.", "",
            "Compilers: " + "; ".join(versions()) + ".", "",
            "Occupancy is the share of a unit's hardware threads that registers and local memory let run at once, with the",
            f"largest group that a case launches ({USUAL_GROUP} items where the driver chooses). Spills are bytes of scratch",
            "memory of an item (Intel: of a hardware thread), arrays with computed indices among them. Kernels for blocked",
            "channels are compiled but not counted: plans for GPUs have no blocked channels (`PlanBuilder`), and these",
            "kernels keep rows in private arrays, which are in a processor's cache and in the memory of a GPU.", "",
            "| target | programs | compiled | refused | kernels | that spill | occupancy below 25 % |",
            "|---|--:|--:|--:|--:|--:|--:|"]
    for target in targets():
        mine = [row for row in table if row[2] == target]
        kernels = [row[5] for row in mine if row[5] and not OF_PROCESSORS.search(row[0])]
        compiled_here = sum(1 for p, t, r in done if t == target)
        cells = [sum(is_for(p, target) for p in every), compiled_here, sum(1 for row in mine if row[4])]
        figures = [len(kernels), sum(k["spills"] > 0 for k in kernels),
                   sum(k["occupancy"] < LEAST_OCCUPANCY for k in kernels)]
        if TARGETS[target][0] == "processor":
            figures = ["", "", ""]
        text.append(f"| {TARGETS[target][1]} | " + " | ".join(map(str, cells + figures)) + " |")
    whole = [TARGETS[t][1] for t in targets() if sum(is_for(p, t) for p in every) == sum(of == t for _, of, _ in done)]
    text += ["", f"{len(every)} programs of {len({p['file'] for p in every})} kernel files. "
             + (f"All were compiled for {', '.join(whole)}. " if whole else "")
             + ("" if len(whole) == len(targets())
                else "Where some were not, those with the most frequent options of each file were."),
             "Programs for AMD are optimised for gfx906 and translated for each of the three.",
             "", "## Refused", ""]
    refused = {}
    for file, options, target, _, failure, _ in table:
        if failure:
            refused.setdefault((file, first_error(failure)), []).append((target, options))
    if refused:
        text += ["| file | programs | targets | an example of its options | why |", "|---|--:|---|---|---|"]
        for (file, why), cases in sorted(refused.items()):
            names = ", ".join(sorted({target for target, _ in cases}))
            text.append(f"| {file} | {len(cases)} | {names} | `{cases[0][1] or 'none'}` | {why} |")
    else:
        text.append("Nothing.")
    for target in targets():
        worst = {}
        for file, options, of, entry, _, kernel in table:
            is_counted = of == target and kernel and not OF_PROCESSORS.search(file)
            if is_counted and (kernel["spills"] or kernel["occupancy"] < LEAST_OCCUPANCY):
                key = (-kernel["spills"], kernel["occupancy"], -kernel["registers"])
                if (file, entry) not in worst or key < worst[file, entry][0]:
                    worst[file, entry] = (key, options, kernel)
        if not worst:
            continue
        text += ["", f"## {TARGETS[target][1]}", "",
                 f"The worst of {len(worst)} kernels that spill with some options or have little occupancy:", "",
                 "| kernel | options | registers | spills | local memory | occupancy |", "|---|---|--:|--:|--:|--:|"]
        for (file, entry), (_, options, kernel) in sorted(worst.items(), key=lambda item: item[1][0])[:12]:
            text.append(f"| {file} {entry} | `{options or 'none'}` | {kernel['registers']} | {kernel['spills']} "
                        f"| {kernel['local']} | {kernel['occupancy']} % |")
    PAGE.write_text(printable("\n".join(line.rstrip() for line in text)) + "\n")


def single(file, options):
    folder = ROOT / "kernels-cl"
    source = Path(file).resolve()
    failed = False
    with tempfile.TemporaryDirectory() as work:
        whole = Path(work) / source.name
        whole.write_text(expanded(source, folder, set()))
        for target in targets():
            made = tempfile.mkdtemp()
            failure, kernels = compiled(target, str(whole), " ".join(options), made)
            failed |= bool(failure)
            print(f"{TARGETS[target][1]}: {failure or made}")
            for name, kernel in kernels.items():
                print(f"    {name}: " + ", ".join(f"{kernel[key]} {key}" for key in ("registers", "spills", "local")))
                if kernel.get("loop"):
                    print("        inner loop: " + ", ".join(f"{count:g} {what}" for what, count in kernel["loop"].items()))
    return failed


def expanded(file, folder, seen):
    if file in seen:
        return ""
    seen.add(file)
    return re.sub(r'^[ \t]*#include[ \t]+"([^"]+)".*$', lambda found: expanded(folder / found[1], folder, seen),
                  file.read_text(), flags=re.M)


def main(arguments):
    if not arguments or not targets():
        sys.exit(__doc__ if not arguments else "no compiler for GPUs is installed")
    command = arguments[0]
    if command.endswith(".cl"):
        return single(command, arguments[1:])
    every = programs(Path(arguments[1] if len(arguments) > 1 else ROOT / "target/programs"))
    if command == "sample":
        files = set()
        done = run([p for p in every if not (p["file"] in files or files.add(p["file"]))])
    else:
        minutes = float(arguments[2]) if len(arguments) > 2 else 0
        done = run(every, time.time() + 60 * minutes if minutes or command == "cases" else None)
    if command == "all":
        page(every, done)
    elif command == "cases":
        for file, options, target, entry, failure, kernel in rows(done):
            print(file, options, target, entry, first_error(failure) if failure else json.dumps(kernel), sep="\t")
    failures = [(p, t, r) for p, t, r in done if r["failure"]]
    for program, target, outcome in failures if command == "sample" else []:
        print(f"{program['file']} {program['options']} for {target}:\n{outcome['failure']}", file=sys.stderr)
    print(f"{len(done)} compilations, {len(failures)} refused", file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
