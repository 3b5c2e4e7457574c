package org.clinfer.kernel;

import java.nio.ByteBuffer;

/** The argument that is bound to one kernel parameter. */
public sealed interface KernelArgument {

    /** The memory of a tensor. */
    record Buffer(TensorRef tensor) implements KernelArgument {}

    /** A tensor that was left out: a null pointer. */
    record Missing() implements KernelArgument {}

    /** A scalar or vector in the kernel's own representation, little-endian, in direct memory. */
    record Scalar(ByteBuffer bytes) implements KernelArgument {}

    /** Local memory of this many bytes. */
    record Local(long bytes) implements KernelArgument {}
}
