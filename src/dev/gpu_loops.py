"""Counts, in what compilers for GPUs write, the multiply-adds and reads of the loop in which a kernel does its products."""
import re

PRODUCTS = {
    "amd": (r"v_(?:dual_)?(?:fma|fmac|mac|mad)(?:ak|mk)?_(?:legacy_)?f32|v_mad_u32_u24|v_mad_i32_i24", r"v_pk_fma_f32"),
    "nvidia": (r"\bfma\.rn\.f32|\bmad\.lo\.s32", r"(?!)"),
}
LABEL = {"amd": r"^(\.LBB\d+_\d+):", "nvidia": r"^(\$L__BB\d+_\d+):"}
BRANCH = {"amd": r"^\ts_c?branch\w* (\.LBB\d+_\d+)", "nvidia": r"\bbra(?:\.uni)?\s+(\$L__BB\d+_\d+)"}


def amd_elements(line):
    """Elements of 32 bits that an instruction reads: from local memory, and from other memory."""
    found = re.match(r"\t(ds_(?:read|load)|(?:global|flat|buffer)_load)(2addr|2)?\w*?_(?:[bui]|dword|short|ubyte|sbyte)(x?\d*)\b", line)
    if not found:
        return 0, 0
    size = found[3].lstrip("x")
    if "dword" in found[0]:
        elements = int(size or 1)
    elif "_b" in found[0] or "_u" in found[0] or "_i" in found[0]:
        elements = int(size or 8) / 32
    else:
        elements = 0.25 if "byte" in found[0] else 0.5
    elements *= 2 if found[2] else 1
    return (elements, 0) if found[1].startswith("ds") else (0, elements)


def nvidia_elements(line):
    """The same of an instruction of PTX."""
    found = re.search(r"\bld\.(?:volatile\.)?(shared|global|local|param)(?:\.nc)?(?:\.v(\d))?\.[fbsu](\d+)", line)
    if not found or found[1] not in ("shared", "global"):
        return 0, 0
    elements = int(found[2] or 1) * int(found[3]) / 32
    return (elements, 0) if found[1] == "shared" else (0, elements)


ELEMENTS = {"amd": amd_elements, "nvidia": nvidia_elements}


def counted(maker, lines):
    single, double = PRODUCTS[maker]
    found = {"products": 0, "local": 0, "loads": 0}
    for line in lines:
        found["products"] += len(re.findall(single, line)) + 2 * len(re.findall(double, line))
        local, loads = ELEMENTS[maker](line)
        found["local"] += local
        found["loads"] += loads
    return found


def inner_loop(maker, text):
    """Multiply-adds, and elements read from local and other memory, of the innermost loop with most products, or None."""
    lines = text.splitlines()
    labels = {}
    loops = []
    for at, line in enumerate(lines):
        label = re.match(LABEL[maker], line)
        if label:
            labels[label[1]] = at
        branch = re.search(BRANCH[maker], line)
        if branch and branch[1] in labels:
            loops.append((labels[branch[1]], at))
    best = None
    for begin, end in loops:
        is_inner = not any(begin <= b and e <= end and (b, e) != (begin, end)
                           and counted(maker, lines[b:e])["products"] for b, e in loops)
        found = counted(maker, lines[begin:end])
        if is_inner and found["products"] and (best is None or found["products"] > best["products"]):
            best = found
    return best
