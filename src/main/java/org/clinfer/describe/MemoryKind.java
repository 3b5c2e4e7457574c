package org.clinfer.describe;

/** Where a tensor argument has to lie. */
public enum MemoryKind {
    /** Anywhere. */
    LN_MEM_NONE,
    LN_MEM_CPU,
    LN_MEM_OPENCL
}
