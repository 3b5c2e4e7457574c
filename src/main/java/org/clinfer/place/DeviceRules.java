package org.clinfer.place;

import java.util.List;
import org.clinfer.infer.CheckedNode;

/** The reasons against a node on the device beside its kernels: the rules of a device profile. */
@FunctionalInterface
public interface DeviceRules {

    /** No rules. */
    DeviceRules NONE = node -> List.of();

    /** Every reason; empty where the device may run the node. */
    List<String> objections(CheckedNode node);
}
