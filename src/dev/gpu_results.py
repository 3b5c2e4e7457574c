"""Puts what src/dev/gpu-run.sh measured on a GPU into tables, with goals and ratios to PyTorch.

Usage: gpu_results.py RESULTS            prints the tables
       gpu_results.py RESULTS PROFILE    and writes docs/benchmarks/measured-PROFILE.json for src/dev/gpu-model.sh

RESULTS has rows.md and steps of MeasureGpu, first-nothing.md and first-everything.md of single runs, first-process.txt of
runs by the launcher, peer.json of gpu_peer.py, machine.json of "clinfer bench", devices.txt and tests.txt; what is
missing is left out.
"""

import json
import re
import sys
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRECISIONS = ("float32", "tf32", "float16")
# by network and batch: the ratio that must be reached, and the one that is aimed at
RATIOS = {("resnet50", 64): (1.0, 0.7), ("vgg19", 64): (1.0, 0.7)}
RATIOS |= {(name, 1): (0.8, 0.4) for name in ("resnet50", "squeezenet1.1", "mobilenetv2", "deit_tiny", "unet")}
RATES = {"float32": (40, 53), "tf32": (100, 250), "float16": (200, 400)}
SHARES = (0.7, 0.9)
BEYOND_KERNELS = (150, 50)
FIRST_RESULTS = {"nothing": (10, 3), "everything": (1.5, 0.5)}
MEBIBYTES = {"add": 768, "concat": 768, "sum_last": 256, "sum_first": 256, "argmax": 256}
MOVED = 512

Row = namedtuple("Row", "name kind batch precision first p10 median kernels launches error")


def rows(file):
    """The rows of networks by name, batch and precision."""
    found = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) != 8 or not re.fullmatch(r"[\d.]+", cells[2]):
            continue
        folder, _, written = cells[0].partition("-")
        name, kind = Path(written).stem, Path(written).suffix
        kind = "network" if kind == ".onnx" else "product" if name.startswith("product") else "move"
        row = Row(name, kind, int(folder[1:]) if kind == "network" else 1, cells[1].lower(), *map(float, cells[2:6]), int(cells[6]), float(cells[7]))
        found[name, row.batch, row.precision] = row
    return found


def kernel(results, row):
    """Milliseconds of the kernel of a network's one node, without those that convert its tensors."""
    if row.launches == 1:
        return row.kernels
    for file in (results / "steps").glob(f"*-{row.name}.json-{row.precision.upper()}.steps"):
        return sum(float(line.split()[0]) for line in file.read_text().splitlines() if line.endswith(" node")) / 1e3
    return None


def verdict(value, goals, least=False):
    must, aim = goals
    reached = [value >= goal if least else value <= goal for goal in (must, aim)]
    return f"{must:g} / {aim:g}: " + ("aim met" if reached[1] else "met" if reached[0] else "missed")


def shown(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def table(head, lines):
    columns = head.strip("| ").count("|") + 1
    return ["", head, "|---" + "|--:" * (columns - 1) + "|", *lines] if lines else []


def networks(measured, peer):
    lines = []
    for (name, batch, precision), row in measured.items():
        if row.kind != "network":
            continue
        theirs = {way: peer.get((name, batch, precision, way)) for way in ("device", "host", "graph", "compiled")}
        ratio = row.median / theirs["host"] if theirs["host"] else None
        goals = RATIOS.get((name, batch)) if precision == "float32" else None
        beyond = 1e3 * (row.median - row.kernels)
        lines.append(
            f"| {name}, batch {batch}, {precision} | {row.launches} | {shown(row.kernels)} | {shown(row.p10)} | {shown(row.median)}"
            f" | {beyond:.0f} | " + " | ".join(shown(theirs[way]) for way in theirs)
            + f" | {shown(ratio)} | {verdict(ratio, goals) if ratio and goals else ''}"
            f" | {'' if row.error != row.error else format(row.error, '.0e')} |")
    return table("| network | launches | kernels ms | p10 ms | median ms | beyond kernels us | PyTorch: device ms | host ms | graph ms |"
                 " compiled ms | ratio | goal | error |", lines)


def products(results, measured, peer):
    lines = []
    for (name, batch, precision), row in measured.items():
        taken = kernel(results, row) if row.kind == "product" else None
        if taken:
            operations = 2e-9 * int(name.removeprefix("product")) ** 3
            theirs = peer.get((name, batch, precision, "device"))
            goals = verdict(operations / taken, RATES[precision], True) if name != "product1024" else ""
            lines.append(f"| {name.removeprefix('product')}, {precision} | {taken:.3f} | {operations / taken:.1f} | {shown(theirs, 3)}"
                         f" | {shown(theirs and operations / theirs, 1)} | {shown(theirs and taken / theirs)} | {goals} |")
    return table("| product | kernel ms | TFLOP/s | PyTorch ms | TFLOP/s | ratio | goal |", lines)


def moves(results, measured, peer, copied):
    lines = []
    for (name, batch, precision), row in measured.items():
        theirs = peer.get((name, batch, precision, "device"))
        taken = kernel(results, row) if row.kind == "move" else None
        if taken:
            rate = MEBIBYTES.get(name, MOVED) * 1.048576 / taken
            goals = verdict(rate / copied, SHARES, True) if copied else ""
            lines.append(f"| {name} | {taken:.3f} | {rate:.0f} | {shown(copied and rate / copied)} | {shown(theirs, 3)}"
                         f" | {shown(theirs and taken / theirs)} | {goals} |")
    return table("| 256 MiB of float32 | kernel ms | GB/s | of a copy | PyTorch ms | ratio | goal |", lines)


def firsts(results):
    lines = []
    for cached, goals in FIRST_RESULTS.items():
        for row in rows(results / f"first-{cached}.md").values():
            lines.append(f"| {row.name}, {cached} cached | {row.first:.2f} | {verdict(row.first, goals)} |")
    file = results / "first-process.txt"
    times = sorted(int(ms) for ms in re.findall(r"(\d+) ms", file.read_text())) if file.exists() else []
    if times:
        median = times[len(times) // 2] / 1e3
        goals = FIRST_RESULTS["everything"]
        lines.append(f"| resnet50, everything cached, the launcher's whole process | {median:.2f} | {verdict(median, goals)} |")
    return table("| first result | s | goal |", lines)


def write_measured(measured, profile):
    models = [{"model": f"{row.name}.onnx", "kernels_ms": row.kernels, "launches": row.launches}
              for row in measured.values() if row.kind == "network" and row.batch == 1 and row.precision == "float32"]
    file = ROOT / f"docs/benchmarks/measured-{profile}.json"
    file.write_text(json.dumps({"models": sorted(models, key=lambda model: model["model"])}, indent=1) + "\n")


def main(results, profile=None):
    results = Path(results)
    measured = rows(results / "rows.md")
    file = results / "peer.json"
    said = json.loads(file.read_text() or "{}") if file.exists() else {}
    peer = {(time["name"], time["batch"], time["precision"], time["way"]): time["ms"] for time in said.get("times", ())}
    file = results / "machine.json"
    machine = json.loads(file.read_text() or "{}") if file.exists() else {}
    copied = machine.get("copy_gb_per_s")
    for name in ("devices.txt", "tests.txt"):
        if (results / name).exists():
            print("```\n" + (results / name).read_text().split("\n  limits\n")[0].strip() + "\n```\n")
    if copied:
        print(f"A kernel copies {copied:.0f} GB/s, read and written, and multiplies and adds {machine['peak_gflops']:.0f} GFLOP/s.\n")
    print(f"Peer: {said['peer']} on {said['device']}." if "peer" in said else "No peer was there.")
    print("\n".join(networks(measured, peer) + products(results, measured, peer) + moves(results, measured, peer, copied)
                    + firsts(results)))
    if profile:
        write_measured(measured, profile)


if __name__ == "__main__":
    main(*sys.argv[1:])
