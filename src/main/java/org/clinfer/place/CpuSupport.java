package org.clinfer.place;

import java.util.Optional;
import org.clinfer.costs.CpuWork;
import org.clinfer.infer.CheckedNode;

/** The operators that the CPU can take; supplied from outside because placing does not know implementations. */
@FunctionalInterface
public interface CpuSupport {

    /** The reason why the CPU cannot run {@code node}, or empty if it can. */
    Optional<String> refusal(CheckedNode node);

    /** The kind of work of the code that runs a node which the CPU takes; empty where its time is not known. */
    default Optional<CpuWork> work(CheckedNode node) {
        return Optional.empty();
    }
}
