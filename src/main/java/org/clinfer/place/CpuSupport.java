package org.clinfer.place;

import java.util.Optional;
import org.clinfer.check.CheckedNode;

/** Whether the CPU can take a node; supplied from outside because placing does not know implementations. */
@FunctionalInterface
public interface CpuSupport {

    /** The reason why the CPU cannot run {@code node}, or empty if it can. */
    Optional<String> refusal(CheckedNode node);
}
