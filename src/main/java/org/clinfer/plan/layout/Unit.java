package org.clinfer.plan.layout;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.place.PlacedNode;

/**
 * A node, with the activation that follows it where both can be one operator of blocked channels.
 *
 * @param nodes one or two, as they are placed
 * @param form how they compute in blocked channels; empty where they cannot
 */
record Unit(List<PlacedNode> nodes, Optional<BlockedForm> form) {

    Unit {
        nodes = List.copyOf(nodes);
    }

    PlacedNode first() {
        return nodes.get(0);
    }

    /** The values that it makes for others. */
    List<String> outputs() {
        return nodes.get(nodes.size() - 1).outputs().stream()
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** The values that it reads as it stands in the model. */
    List<String> inputs() {
        return first().inputs().stream()
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /** The values that its form reads in blocked channels. */
    Set<String> operands() {
        BlockedForm known = form.orElseThrow();
        return known.operands().stream()
                .map(operand -> known.inputs().get(operand.position()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** {@return whether its form makes blocked channels} */
    boolean makesBlocks() {
        return form.orElseThrow().output() != BlockedForm.Output.PLAIN;
    }
}
