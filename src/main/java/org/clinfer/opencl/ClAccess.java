package org.clinfer.opencl;

/** The access of kernels and the host to a buffer. */
public enum ClAccess {
    READ_WRITE(ClConstants.MEM_READ_WRITE),
    /** Kernels only read it. */
    READ_ONLY(ClConstants.MEM_READ_ONLY),
    /** Kernels only write it. */
    WRITE_ONLY(ClConstants.MEM_WRITE_ONLY),
    /** Read and written by kernels, in memory that the host can map without a copy where the device shares it. */
    HOST_VISIBLE(ClConstants.MEM_READ_WRITE | ClConstants.MEM_ALLOC_HOST_PTR);

    private final long flags;

    ClAccess(long flags) {
        this.flags = flags;
    }

    long flags() {
        return flags;
    }
}
