package org.clinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.runtime.RunPart;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * The placement of the nodes of a planned network: where each runs, and why.
 *
 * @param device name of the OpenCL device, or empty if the CPU does everything
 * @param nodes in the order in which they run; those that run as part of another one follow it
 * @param launches kernels that a run launches on the device; where data decide sizes, those of each part once
 */
public record Placement(String device, List<Entry> nodes, int launches) {

    /** The place where a node runs. */
    public enum Target {
        /** The device, or the one of several that a run is on. */
        DEVICE,
        /** The CPU, in Java. */
        CPU
    }

    /**
     * One node.
     *
     * @param node the node's name
     * @param op its canonical operator
     * @param source where it comes from
     * @param target where it runs
     * @param variant the kernel variant on the device, {@code view} for a node that only renames memory, else empty
     * @param fusedInto the node as part of which it runs; empty where it runs by itself
     * @param precision in which it computes; empty where it has neither float32 nor float16
     * @param reasons why each better choice was refused; for a CPU node: why it is not on the device; for a node in
     *     float32: why it is not in the precision that was asked for
     */
    public record Entry(
            String node,
            String op,
            SourceRef source,
            Target target,
            String variant,
            String fusedInto,
            Optional<Precision> precision,
            List<String> reasons) {
        public Entry {
            reasons = List.copyOf(reasons);
        }
    }

    public Placement {
        nodes = List.copyOf(nodes);
    }

    /** The placement of the parts of a network, which run after one another. */
    static Placement of(List<RunPart> parts) {
        String device = "";
        List<Entry> entries = new ArrayList<>();
        int launches = 0;
        for (RunPart part : parts) {
            if (part instanceof RunPart.Planned planned) {
                device = device.isEmpty()
                        ? planned.device().map(DeviceFacts::name).orElse("")
                        : device;
                entries.addAll(entries(planned));
                launches += planned.plan().launches();
            } else if (part instanceof RunPart.Control control) {
                Node node = control.node();
                entries.add(new Entry(
                        node.name(),
                        node.op(),
                        node.source(),
                        Target.CPU,
                        "",
                        "",
                        Optional.empty(),
                        List.of(control.reason())));
            }
        }
        return new Placement(device, entries, launches);
    }

    private static List<Entry> entries(RunPart.Planned planned) {
        ExecutionPlan plan = planned.plan();
        boolean mayRound = planned.device().filter(DeviceFacts::tf32).isPresent();
        Set<String> ofModel =
                plan.graph().graph().walked().stream().map(Node::name).collect(Collectors.toUnmodifiableSet());
        List<Entry> entries = new ArrayList<>();
        for (PlacedNode placed : plan.graph().nodes()) {
            String name = placed.written().name();
            if (ofModel.contains(name)) { // others are changes of layout
                Optional<Precision> precision = precision(placed, mayRound);
                entries.add(entry(placed, placed.isView() ? "view" : placed.kernel(), "", precision, placed.reasons()));
                placed.fused().forEach(part -> entries.add(entry(part, "", name, precision, List.of())));
            }
        }
        return entries;
    }

    private static Optional<Precision> precision(PlacedNode placed, boolean mayRound) {
        if (mayRound && placed.roundsToTf32()) {
            return Optional.of(Precision.TF32);
        }
        Set<DType> types = Stream.concat(placed.inputTypes().stream(), placed.outputTypes().stream())
                .flatMap(Stream::ofNullable)
                .map(TensorType::dtype)
                .collect(Collectors.toUnmodifiableSet());
        if (types.contains(DType.FLOAT16)) {
            return Optional.of(Precision.FLOAT16);
        }
        return types.contains(DType.FLOAT32) ? Optional.of(Precision.FLOAT32) : Optional.empty();
    }

    private static Entry entry(
            PlacedNode placed, String variant, String fusedInto, Optional<Precision> precision, List<String> reasons) {
        return new Entry(
                placed.written().name(),
                placed.written().op(),
                placed.written().source(),
                placed.target() == PlacedNode.Target.DEVICE ? Target.DEVICE : Target.CPU,
                variant,
                fusedInto,
                precision,
                reasons);
    }

    /**
     * {@return the number of nodes that run at {@code target}}
     *
     * @param target the place
     */
    public long count(Target target) {
        return nodes.stream().filter(entry -> entry.target() == target).count();
    }
}
