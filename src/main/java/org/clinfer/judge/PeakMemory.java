package org.clinfer.judge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.describe.OpCatalog;
import org.clinfer.infer.CheckedGraph;

/**
 * The most bytes that are alive at once of the values that nodes on the device take and give, when the nodes run in their
 * order. A value that is the memory of another is counted with that one.
 */
final class PeakMemory {

    private final CheckedGraph checked;
    private final OpCatalog catalog;
    private final ValuesOnDevice values;
    private final List<CheckReport.NodeReport> nodes;

    /** @param nodes in execution order, without those that are computed beforehand */
    PeakMemory(CheckedGraph checked, OpCatalog catalog, ValuesOnDevice values, List<CheckReport.NodeReport> nodes) {
        this.checked = checked;
        this.catalog = catalog;
        this.values = values;
        this.nodes = nodes;
    }

    /** A piece of memory, from its first to its last use. */
    private static final class Memory {
        private final long bytes;
        private final int first;
        private int last;
        private boolean onDevice;

        Memory(long bytes, int first) {
            this.bytes = bytes;
            this.first = first;
            this.last = first;
        }
    }

    /** The most that is alive at once; empty where sizes are not known. */
    OptionalLong bytes() {
        Map<String, String> owners = new HashMap<>();
        Map<String, Memory> memories = new HashMap<>();
        checked.inputTypes()
                .forEach((name, type) ->
                        memories.put(name, new Memory(values.bytes(type).orElse(-1), 0)));
        for (int step = 0; step < nodes.size(); step++) {
            CheckReport.NodeReport node = nodes.get(step);
            viewed(node)
                    .ifPresent(owner -> owners.put(node.outputs().get(0).name(), owners.getOrDefault(owner, owner)));
            for (CheckReport.Value value : node.inputs()) {
                use(value, node, step, owners, memories);
            }
            for (CheckReport.Value value : node.outputs()) {
                use(value, node, step, owners, memories);
            }
        }
        for (String output : checked.graph().outputs()) {
            Memory memory = memories.get(owners.getOrDefault(output, output));
            if (memory != null) {
                memory.last = nodes.size();
            }
        }
        return most(memories.values().stream().filter(memory -> memory.onDevice).toList());
    }

    private void use(
            CheckReport.Value value,
            CheckReport.NodeReport node,
            int step,
            Map<String, String> owners,
            Map<String, Memory> memories) {
        String owner = owners.getOrDefault(value.name(), value.name());
        if (!checked.constants().containsKey(owner)) {
            Memory memory = memories.computeIfAbsent(
                    owner, name -> new Memory(values.bytes(value).orElse(-1), step));
            memory.last = step;
            memory.onDevice |= node.isOnDevice();
        }
    }

    private OptionalLong most(List<Memory> memories) {
        long[] change = new long[nodes.size() + 2];
        for (Memory memory : memories) {
            if (memory.bytes < 0) {
                return OptionalLong.empty();
            }
            change[memory.first] += memory.bytes;
            change[memory.last + 1] -= memory.bytes;
        }
        long alive = 0;
        long most = 0;
        for (long each : change) {
            alive += each;
            most = Math.max(most, alive);
        }
        return OptionalLong.of(most);
    }

    /** The input whose memory the first output is. */
    private Optional<String> viewed(CheckReport.NodeReport node) {
        OptionalInt viewed =
                catalog.find(node.op()).map(op -> op.viewedInput(0)).orElse(OptionalInt.empty());
        return viewed.isPresent() && viewed.getAsInt() < node.inputs().size()
                ? Optional.of(node.inputs().get(viewed.getAsInt()).name())
                : Optional.empty();
    }
}
