#!/usr/bin/env python3
"""Compares the declarations of src/main/resources/org/clinfer/opencl/pocl.h with those of Clang's own header.

Every function there must have the types and attributes that it has in opencl-c.h, and all of them: with one that is missing, a
call could find another function. Needs clang-15 (Debian: apt-get install clang-15). Fails if a function differs.

Usage: src/dev/pocl_declarations.py
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

HEADER = pathlib.Path(__file__).parents[2] / "src/main/resources/org/clinfer/opencl/pocl.h"
CLANG = "clang-15"
FP64 = "-Dcl_khr_fp64=1"
FP16 = "-Dcl_khr_fp16=1"
GENERIC = "-D__opencl_c_generic_address_space=1"

# language, extensions, macros
DEVICES = [
    ("CL1.2", "-all", []),
    ("CL1.2", "-all,+cl_khr_fp64,+cl_khr_fp16", [FP64, FP16]),
    ("CL3.0", "-all,+cl_khr_fp64,+__opencl_c_fp64,+__opencl_c_int64", [FP64]),
    ("CL3.0", "-all,+cl_khr_fp64,+__opencl_c_fp64,+cl_khr_fp16,+__opencl_c_generic_address_space", [FP64, FP16, GENERIC]),
]


def all_lines():
    """The header with every function, and every conversion that a program could name."""
    for line in HEADER.read_text().splitlines():
        function = re.fullmatch(r"([a-z]\w*): (.*)", line)
        yield function[2] if function else line
    integers = [sign + width for sign in ("", "u") for width in ("char", "short", "int", "long")]
    for to in [*integers, "float"]:
        for lanes in ("", "2", "3", "4", "8", "16"):
            for saturated in ("", "_sat") if to in integers else ("",):
                for rounded in ("", "_rte", "_rtz", "_rtp", "_rtn"):
                    yield f"CONVERSION_(convert_{to}{lanes}{saturated}{rounded}, {to}, {lanes})"


def declarations(language, extensions, macros, options, source):
    """Types and attributes of all functions that a program declares, by name."""
    resources = subprocess.check_output([CLANG, "-print-resource-dir"], text=True).strip()
    dump = subprocess.run(
        [CLANG, "-cc1", "-triple", "x86_64-pc-linux-gnu", "-x", "cl", f"-cl-std={language}", f"-cl-ext={extensions}", *macros]
        + ["-resource-dir", resources, "-I", resources + "/include"]
        + ["-ast-dump", *options, source], capture_output=True, text=True)
    functions = collections.defaultdict(set)
    name, kind, attributes = None, None, set()

    def end():
        if name:
            functions[name].add((kind, frozenset(attributes)))

    for line in dump.stdout.splitlines():
        if line.startswith(("|-", "`-")):
            end()
            found = re.search(r"FunctionDecl 0x\w+ .*?(\w+) '([^']*)'", line)
            name, kind = found.groups() if found else (None, None)
            attributes = set()
        elif attribute := re.search(r"-(\w+)Attr ", line):
            attributes.add(attribute[1])
    end()
    return functions, dump.stderr


def main():
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        here, empty = pathlib.Path(folder, "here.cl"), pathlib.Path(folder, "empty.cl")
        here.write_text("\n".join(all_lines()) + "\n")
        empty.write_text("\n")
        for device in DEVICES:
            theirs, _ = declarations(*device, ["-finclude-default-header"], str(empty))
            ours, errors = declarations(*device, ["-include", "opencl-c-base.h"], str(here))
            if "error:" in errors or not ours:
                sys.exit(f"{device}: {errors[:2000]}")
            for name, kinds in sorted(ours.items()):
                for kind, attributes in sorted(kinds ^ theirs.get(name, set()), key=str):
                    different += 1
                    where = "pocl.h" if (kind, attributes) in kinds else "opencl-c.h"
                    print(f"{device[0]} {device[1]}: {name} is {kind} {sorted(attributes)} in {where} alone")
            print(f"{device[0]} {device[1]}: {sum(map(len, ours.values()))} declarations of {len(ours)} functions")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
