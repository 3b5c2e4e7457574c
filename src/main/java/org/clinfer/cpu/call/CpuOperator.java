package org.clinfer.cpu.call;

/** The CPU implementation of one operator, for all types its description allows; stateless, usable from many threads. */
@FunctionalInterface
public interface CpuOperator {

    /** Computes the outputs of a call that is sound by the operator's description. */
    void run(CpuCall call);
}
