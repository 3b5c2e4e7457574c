package org.clinfer.cpu.call;

import java.util.Optional;
import org.clinfer.costs.CpuWork;

/** The CPU implementation of one operator, for all types its description allows; stateless, usable from many threads. */
@FunctionalInterface
public interface CpuOperator {

    /** Computes the outputs of a call that is sound by the operator's description. */
    void run(CpuCall call);

    /** The kind of its work, by which its time is estimated; empty where it is not known. */
    default Optional<CpuWork> work() {
        return Optional.empty();
    }

    /** The same operator with the kind of its work. */
    static CpuOperator of(CpuWork work, CpuOperator operator) {
        return new CpuOperator() {
            @Override
            public void run(CpuCall call) {
                operator.run(call);
            }

            @Override
            public Optional<CpuWork> work() {
                return Optional.of(work);
            }
        };
    }
}
