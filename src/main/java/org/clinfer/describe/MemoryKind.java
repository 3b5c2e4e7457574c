package org.clinfer.describe;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The memory in which a tensor argument has to lie. */
public enum MemoryKind {
    /** Anywhere. */
    LN_MEM_NONE(""),
    LN_MEM_CPU("cpu"),
    LN_MEM_OPENCL("opencl");

    private final String arch;

    MemoryKind(String arch) {
        this.arch = arch;
    }

    /**
     * The field {@code mtype}: anywhere, or the memory of the arch that the description is for.
     *
     * @throws DescriptionException if it is no kind of memory, or that of another arch
     */
    static MemoryKind read(JsonReader json, String arch) {
        json.expect("mtype");
        if (!json.has("mtype")) {
            return LN_MEM_NONE;
        }
        MemoryKind kind = json.constant("mtype", values(), MemoryKind::name);
        if (!kind.fits(arch)) {
            String allowed = Arrays.stream(values())
                    .filter(each -> each.fits(arch))
                    .map(MemoryKind::name)
                    .collect(Collectors.joining(" or "));
            throw json.failureAt("mtype", "expected " + allowed + " for arch " + arch + ", found '" + kind + "'");
        }
        return kind;
    }

    private boolean fits(String wanted) {
        return this == LN_MEM_NONE || arch.equals(wanted);
    }
}
