#!/usr/bin/env python3
"""GPUs on paper: what compilers make of the kernels that the ten networks of the benchmarks launch on the GPUs of
device-profiles, and how long the runs are predicted to take.

Usage: gpu_model.py page [FOLDER]    compiles, and writes docs/benchmarks/gpu-model.md
       gpu_model.py predictions [FOLDER]   writes the times of networks in that page again, and its text, and compiles nothing
       gpu_model.py check [FOLDER]   compiles all programs for all targets of COMPILERS, and fails if one is refused, or
                                     registers of a kernel spill

FOLDER is what "mvn -q process-test-classes -Pgpu-model" fills, target/gpu-model. Compilers and COMPILERS as in
gpu_compilers.py; without a compiler for a GPU, its columns stay empty. Times of a GPU come from
docs/benchmarks/measured-PROFILE.json, where it is there: the output of "clinfer bench --by-operator --json", or what
gpu_results.py writes.
"""
import collections
import json
import sys
from pathlib import Path

import gpu_compilers as compilers

PAGE = compilers.ROOT / "docs/benchmarks/gpu-model.md"
WORST = 8
PARTS = ("products", "local memory", "memory", "latency", "launches")
# the compiler's target of a profile
TARGET_OF = {"h200": "sm_80", "h100": "sm_80", "a100": "sm_80", "rx7900xtx": "gfx1100", "arc-a770": "dg2", "iris-xe": "tgllp"}
# the order in which the page has them
ORDER = ("h200", "h100", "a100", "rx7900xtx", "arc-a770", "iris-xe", "adreno730")

Launch = collections.namedtuple(
    "Launch", "profile title network node file entry options groups items tile products moved parts")


def launches(folder):
    for line in (folder / "launches.tsv").read_text().splitlines():
        cells = line.split("\t")
        yield Launch(*cells[:7], int(cells[7]), int(cells[8]), cells[9], float(cells[10]), int(cells[11]),
                     tuple(map(float, cells[12:])))


def seconds(launch):
    return max(launch.parts[:4]) + launch.parts[4]


def bound(launch):
    kernel = max(launch.parts[:4])
    return PARTS[4] if launch.parts[4] > kernel else PARTS[launch.parts.index(kernel)]


def bound_of(some):
    by_part = collections.Counter()
    for launch in some:
        by_part[bound(launch)] += seconds(launch)
    part, most = by_part.most_common(1)[0]
    return f"{part} ({100 * most / sum(by_part.values()):.0f} %)"


def measured(profile):
    """Milliseconds of kernels and launches by network, as a GPU was measured; none where it was not."""
    file = PAGE.parent / f"measured-{profile}.json"
    if not file.exists():
        return {}
    return {Path(model["model"]).stem: f"{model['kernels_ms']:.3f} ({model['launches']})"
            for model in json.loads(file.read_text())["models"]}


def compiled(folder, is_wanted):
    """The kernels that compilers make, by target, file, options and entry; and the refusals."""
    compilers.KEPT = compilers.ROOT / "out/gpu-model"
    done = compilers.run(compilers.programs(folder), None, is_wanted)
    kernels, refused = {}, []
    for file, options, target, entry, failure, kernel in compilers.rows(done):
        if failure:
            refused.append((target, file, options, failure))
        elif kernel:
            kernels[target, file, options, entry] = kernel
    return kernels, refused


def ratio(loop, what):
    return f"{loop['products'] / loop[what]:.1f}" if loop and loop[what] else ""


def networks_table(mine, known):
    text = ["| network | launches | predicted ms | launches ms | products ms | local ms | memory ms | latency ms | bound | measured ms (launches) |",
            "|---|--:|--:|--:|--:|--:|--:|--:|---|--:|"]
    for network in dict.fromkeys(launch.network for launch in mine):
        of = [launch for launch in mine if launch.network == network]
        parts = [1e3 * sum(launch.parts[i] for launch in of) for i in (4, 0, 1, 2, 3)]
        text.append(f"| {network} | {len(of)} | {1e3 * sum(map(seconds, of)):.3f} | " + " | ".join(f"{p:.3f}" for p in parts)
                    + f" | {bound_of(of)} | {known.get(network, '')} |")
    return text


def worst_table(mine, target, kernels):
    """The launches that take longest, each kernel with its options once."""
    text = ["| kernel | in | launches | ms in all | tile | bound | registers | spills | occupancy | products per local read | per load |",
            "|---|---|--:|--:|---|---|--:|--:|--:|--:|--:|"]
    alike = collections.defaultdict(list)
    for launch in mine:
        alike[launch.file, launch.entry, launch.options].append(launch)
    for (file, entry, options), of in sorted(alike.items(), key=lambda item: -sum(map(seconds, item[1])))[:WORST]:
        kernel = kernels.get((target, file, options, entry))
        cells = ["", "", "", "", ""]
        if kernel:
            cells = [kernel["registers"], kernel["spills"], f"{kernel['occupancy']} %", ratio(kernel.get("loop"), "local"),
                     ratio(kernel.get("loop"), "loads")]
        names = ", ".join(dict.fromkeys(launch.network for launch in of))
        text.append(f"| {entry} | {names} | {len(of)} | {1e3 * sum(map(seconds, of)):.3f} | {of[0].tile} | {bound_of(of)} | "
                    + " | ".join(map(str, cells)) + " |")
    return text


def spilling(kernels):
    return sorted((key, kernel) for key, kernel in kernels.items()
                  if kernel["spills"] and not compilers.OF_PROCESSORS.search(key[1]))


INTRODUCTION = """# GPUs on paper

Written by `src/dev/gpu-model.sh`. The ten networks of the [benchmarks](README.md), batch 1 and float32, are planned for the
GPUs of [`gpu` profiles](../profiles/gpu.md), as `clinfer check --profile NAME` plans them, and the time of every launch is
predicted:

- A launch takes the longest of four parts, which overlap, and its launch. Parts of a network are sums over launches.
- **products**: multiply-adds, those beyond the edges of tiles included, on the unit that has most work-groups, at one for
  each work-item and cycle up to the unit's rate. Transformed convolutions have fewer than the network.
- **local memory**: what work-items read from local memory for them, as tiles need it; kernels without tiles read 4 bytes
  for a product from the unit's cache.
- **memory**: every tensor of the launch once, at the full bandwidth; caches beyond the unit are not counted.
- **latency**: one group after the other waits for its reads, round by round, and multiplies then. Groups that a unit holds
  at the same time wait together: where there are many of them, products and local memory decide.
- **launches**: what events give for an empty kernel on an NVIDIA H200; figures of other vendors' profiles are guesses.
  Transfers from and to the host are in none of these times.

A unit holds as many work-groups as its work-items, local memory and (of tiles) registers let it. Not in the model: other
instructions than products, bank conflicts, clocks below those of data sheets.

**One GPU has been measured**, the [H200](results-h200.md), and the model has five constants from it: tiles reach 0.65 of the
rates of products and local memory; a round of reads takes 2.5 latencies, with its barrier and the way through local memory; a
tile has four rounds beside those of its terms, other kernels three; and a launch takes 4.5 us. They were fitted to 619 nodes of
these networks, whose times they gave to a factor of 1.17 in the geometric mean (1.6 before), where a round took 4 latencies.
Kernels that read earlier followed, of which six networks were measured as a whole: 2.5 latencies give those within -11 to 6 %,
with the plans that ran. Of other GPUs these constants are assumed.

Measured times beside predictions are sums of events. What ran was planned without the figures of a profile, which leads to
other tiles here and there: choosing them by figures does not count latency yet.

Columns of compilers: registers, spills and occupancy of a kernel, and from the assembly of its inner loop multiply-adds for
each element that it reads from local memory (4 for tiles of 128, 2.7 of 64, 2 of 32, as predicted with) and from other memory.
"""


def page(folder):
    kernels, refused = compiled(folder, lambda p, t: t in {TARGET_OF.get(device) for device in p["devices"]})
    every = list(launches(folder))
    text = INTRODUCTION.splitlines() + ["", "Compilers: " + "; ".join(compilers.versions()) + "."]
    for profile in ORDER:
        mine = [launch for launch in every if launch.profile == profile]
        target = TARGET_OF.get(profile)
        text += ["", f"## {mine[0].title} (`{profile}`)", "", *networks_table(mine, measured(profile)), ""]
        text += [f"Kernels that take most time in all networks together"
                 + (f", as compiled for {compilers.TARGETS[target][1]}:" if target in compilers.targets() else ":"), "",
                 *worst_table(mine, target, kernels)]
    text += ["", "## Compiled", "",
             "Programs of these networks, with the kernels that pack their weights. Spills are bytes of a work-item (Intel: of a",
             "hardware thread). clang-15 gives gfx1100 at most 128 registers, LLVM 19 gives 256: what spills there alone does not",
             "with newer compilers.", "",
             "| target | kernels | that spill | occupancy below 25 % |", "|---|--:|--:|--:|"]
    for target in compilers.targets():
        of = [kernel for key, kernel in kernels.items() if key[0] == target]
        if of:
            text.append(f"| {compilers.TARGETS[target][1]} | {len(of)} | {sum(k['spills'] > 0 for k in of)} "
                        f"| {sum(k['occupancy'] < compilers.LEAST_OCCUPANCY for k in of)} |")
    text += [""] + [f"- {target}: {file} {entry} spills {kernel['spills']} bytes with `{options}`"
                    for (target, file, options, entry), kernel in spilling(kernels)]
    text += [f"- {target}: {file} is refused with `{options}`: {compilers.first_error(why)}"
             for target, file, options, why in refused]
    PAGE.write_text(compilers.printable("\n".join(line.rstrip() for line in text)).rstrip() + "\n")


def predictions(folder):
    every = list(launches(folder))
    text = PAGE.read_text().splitlines()
    begin = next(i for i, line in enumerate(text) if line.startswith("Compilers: "))
    text = INTRODUCTION.splitlines() + [""] + text[begin:]
    for profile in ORDER:
        mine = [launch for launch in every if launch.profile == profile]
        table = networks_table(mine, measured(profile))
        begin = text.index(table[0], text.index(f"## {mine[0].title} (`{profile}`)"))
        end = text.index("", begin)
        text[begin:end] = [line.rstrip() for line in table]
    PAGE.write_text("\n".join(text) + "\n")


def check(folder):
    kernels, refused = compiled(folder, lambda program, target: True)
    spills = spilling(kernels)
    for target, file, options, why in refused:
        print(f"{file} {options} for {target}:\n{why}", file=sys.stderr)
    for (target, file, options, entry), kernel in spills:
        print(f"{file} {entry} {options} for {target}: {kernel['spills']} bytes of registers spill", file=sys.stderr)
    print(f"{len(kernels)} kernels of the benchmark networks compiled for GPUs, {len(refused)} refused, {len(spills)} spill")
    return bool(refused or spills)


def main(arguments):
    commands = {"page": page, "predictions": predictions, "check": check}
    if not arguments or arguments[0] not in commands:
        sys.exit(__doc__)
    folder = Path(arguments[1] if len(arguments) > 1 else compilers.ROOT / "target/gpu-model")
    return commands[arguments[0]](folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
