package org.clinfer.place;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.clinfer.describe.Binding;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.kernel.OperatorUse;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A node and where it runs.
 *
 * @param written the node as it stands in the graph
 * @param node the form of it that runs: itself, or what it is lowered to
 * @param use the node as kernels see it
 * @param target where it runs
 * @param variant the kernel variant; present exactly for {@link Target#DEVICE}
 * @param launches its launches; present exactly for {@link Target#DEVICE}
 * @param reasons why the device refused it, or why better variants did; for {@link Target#NOWHERE} also why the CPU did
 * @param fused the graph's nodes whose work it does beside its own, as they were placed before
 */
public record PlacedNode(
        Node written,
        CheckedNode node,
        OperatorUse use,
        Target target,
        Optional<KernelVariant> variant,
        Optional<KernelPlan> launches,
        List<String> reasons,
        List<PlacedNode> fused) {

    /** The place where a node runs. */
    public enum Target {
        DEVICE,
        CPU,
        /** Neither the device nor the CPU takes it. */
        NOWHERE
    }

    public PlacedNode {
        reasons = List.copyOf(reasons);
        fused = List.copyOf(fused);
    }

    /** A node that does its own work alone. */
    public PlacedNode(
            Node written,
            CheckedNode node,
            OperatorUse use,
            Target target,
            Optional<KernelVariant> variant,
            Optional<KernelPlan> launches,
            List<String> reasons) {
        this(written, node, use, target, variant, launches, reasons, List.of());
    }

    /** The node as it runs: as it stands in the graph, or what it is lowered to or fused into. */
    public Node form() {
        return node.node();
    }

    /** The canonical operator of the form that runs. */
    public String op() {
        return form().op();
    }

    /** The inputs of the form that runs, by name; empty where an optional input is left out. */
    public List<String> inputs() {
        return form().inputs();
    }

    /** The outputs of the form that runs, by name; empty where nobody uses it. */
    public List<String> outputs() {
        return form().outputs();
    }

    /** The operator of the form that runs, with all that is said of it. */
    public OpDescription description() {
        return node.op();
    }

    /** Its resolved parameters and scratch values. */
    public Binding binding() {
        return node.binding();
    }

    /** One per input; {@code null} where an optional one is left out. */
    public List<@Nullable TensorType> inputTypes() {
        return node.inputTypes();
    }

    /** One per output. */
    public List<TensorType> outputTypes() {
        return node.outputTypes();
    }

    /** The same node on other values. */
    public PlacedNode on(CheckedNode other) {
        return new PlacedNode(written, other, use, target, variant, launches, reasons, fused);
    }

    /** The same node with more reasons. */
    public PlacedNode because(List<String> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(reasons);
        all.addAll(more);
        return new PlacedNode(written, node, use, target, variant, launches, all, fused);
    }

    /** The same node under the name of another one, whose work it does beside that of {@code others}. */
    public PlacedNode doing(PlacedNode original, List<PlacedNode> others) {
        List<String> why = target == Target.DEVICE ? reasons : original.reasons;
        return new PlacedNode(original.written, node, use, target, variant, launches, why, others);
    }

    /** A node of another operator that makes the same values under the same name. */
    public Node as(String other, List<String> inputs) {
        return as(other, inputs, outputs());
    }

    /** A node of another operator under the same name. */
    public Node as(String other, List<String> inputs, List<String> outputs) {
        return new Node(form().name(), other, inputs, outputs, Map.of(), form().source());
    }

    /** The kernel variant with the layout it computes in, where that is not the model's; empty without one. */
    public String kernel() {
        String name = variant.map(KernelVariant::name).orElse("");
        return description().isOfLayout() && !name.isEmpty() ? description().layout() + " " + name : name;
    }

    /** The same node with another kernel variant. */
    PlacedNode with(KernelVariant other, KernelPlan plan) {
        return new PlacedNode(written, node, use, target, Optional.of(other), Optional.of(plan), reasons, fused);
    }

    /** {@return whether it launches kernels, of which there may be several variants} */
    public boolean isTunable() {
        return target == Target.DEVICE
                && launches.filter(plan -> !plan.run().isEmpty()).isPresent();
    }

    /** {@return whether its kernel may round the factors of its products to TF32} */
    public boolean roundsToTf32() {
        return variant.filter(KernelVariant::roundsToTf32).isPresent();
    }

    /** {@return whether it computes nothing, because what it gives is what it takes, perhaps in another shape} */
    public boolean isView() {
        return description().isView();
    }

    /** The input whose memory an output is; empty where the output has memory of its own. */
    public Optional<String> viewedInput(int output) {
        OptionalInt argument = description().viewedInput(output);
        return argument.isPresent() ? Optional.of(inputs().get(argument.getAsInt())) : Optional.empty();
    }
}
