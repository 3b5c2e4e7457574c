package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * Nodes of real numbers that a device runs on quantized ones, as networks with QuantizeLinear and DequantizeLinear mean it.
 *
 * <pre>
 * a = DequantizeLinear(x);  b = Softmax(a);  y = QuantizeLinear(b)
 * y = Softmax(x), of the type of x
 * </pre>
 *
 * <p>Every real number that such a node computes with comes from DequantizeLinear or is a constant, and what it gives goes into
 * QuantizeLinear alone, perhaps through one activation, which is another such node. The nodes that make real numbers of
 * quantized ones and back belong to it. DequantizeLinear before QuantizeLinear belongs to that, which then makes quantized
 * numbers of others. So does a Clip of quantized numbers to the sum or product that gives them, as their
 * activation.
 */
final class QuantizedUses {

    private static final String FROM = "DequantizeLinear";
    private static final String TO = "QuantizeLinear";
    private static final Set<String> SUMS = Set.of("QuantizedAdd", "QuantizedConv", "QuantizedMatMul");
    private static final Set<String> ACTIVATIONS = Set.of("Relu", "Relu6", "Clip");

    private final CheckedGraph checked;
    private final Map<String, CheckedNode> makers = new HashMap<>();
    private final Map<String, List<CheckedNode>> users = new HashMap<>();
    private final Set<String> outputs;
    private final Map<String, DType> types = new HashMap<>();
    private final Map<String, List<CheckedNode>> owners = new HashMap<>();

    private QuantizedUses(CheckedGraph checked) {
        this.checked = checked;
        this.outputs = new HashSet<>(checked.graph().outputs());
        for (CheckedNode node : checked.nodes()) {
            node.node().outputs().forEach(output -> makers.put(output, node));
            for (String input : Set.copyOf(node.node().inputs())) {
                users.computeIfAbsent(input, none -> new ArrayList<>()).add(node);
            }
        }
    }

    /** Those of a network. */
    static QuantizedUses of(CheckedGraph checked) {
        QuantizedUses uses = new QuantizedUses(checked);
        for (CheckedNode node : checked.nodes()) {
            uses.type(node).ifPresent(type -> uses.types.put(node.node().name(), type));
        }
        for (CheckedNode node : checked.nodes()) {
            uses.own(node);
        }
        return uses;
    }

    /** The type of the quantized numbers that a node computes with; empty where it does so with its own. */
    Optional<DType> of(CheckedNode node) {
        return Optional.ofNullable(types.get(node.node().name()));
    }

    /** The nodes that one belongs to, with which a device runs it; none where it stands for itself. */
    List<CheckedNode> owners(CheckedNode node) {
        return owners.getOrDefault(node.node().name(), List.of());
    }

    private static boolean isStep(CheckedNode node) {
        return node.node().op().equals(FROM) || node.node().op().equals(TO);
    }

    private Optional<DType> type(CheckedNode node) {
        return isStep(node) ? requantized(node) : goesIntoQuantized(node, true) ? source(node) : Optional.empty();
    }

    /** The type of the quantized numbers of which a node makes others. */
    private Optional<DType> requantized(CheckedNode step) {
        return step.node().op().equals(TO)
                ? Optional.ofNullable(makers.get(step.node().inputs().get(0)))
                        .filter(maker -> maker.node().op().equals(FROM))
                        .map(maker -> maker.inputTypes().get(0))
                        .map(TensorType::dtype)
                : Optional.empty();
    }

    /** The type of what the real numbers of a node are made of; empty where one is made otherwise. */
    private Optional<DType> source(CheckedNode node) {
        Optional<DType> found = Optional.empty();
        for (int i = 0; i < node.node().inputs().size(); i++) {
            TensorType type = node.inputTypes().get(i);
            String input = node.node().inputs().get(i);
            if (type == null
                    || type.dtype() != DType.FLOAT32
                    || checked.constants().containsKey(input)) {
                continue;
            }
            CheckedNode maker = makers.get(input);
            Optional<DType> made = maker == null
                    ? Optional.empty()
                    : maker.node().op().equals(FROM)
                            ? Optional.ofNullable(maker.inputTypes().get(0)).map(TensorType::dtype)
                            : ofActivated(node, maker);
            if (made.isEmpty()) {
                return Optional.empty();
            }
            found = made;
        }
        return found;
    }

    /** An activation has the type of the node in front of it. */
    private Optional<DType> ofActivated(CheckedNode node, CheckedNode maker) {
        return ACTIVATIONS.contains(node.node().op())
                        && !isStep(maker)
                        && !ACTIVATIONS.contains(maker.node().op())
                ? type(maker)
                : Optional.empty();
    }

    private boolean goesIntoQuantized(CheckedNode node, boolean throughActivation) {
        for (int i = 0; i < node.outputTypes().size(); i++) {
            String output = node.node().outputs().get(i);
            List<CheckedNode> readers = users.getOrDefault(output, List.of());
            boolean real = node.outputTypes().get(i).dtype() == DType.FLOAT32;
            if (!real || outputs.contains(output) || readers.isEmpty()) {
                return false;
            }
            for (CheckedNode reader : readers) {
                boolean activated = throughActivation
                        && ACTIVATIONS.contains(reader.node().op())
                        && goesIntoQuantized(reader, false);
                if (!reader.node().op().equals(TO) && !activated) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Notes the nodes that one belongs to. */
    private void own(CheckedNode node) {
        List<CheckedNode> around = isStep(node)
                ? around(node)
                        .filter(all -> all.stream().allMatch(each -> of(each).isPresent()))
                        .orElse(List.of())
                : bounded(node).stream().toList();
        if (!around.isEmpty()) {
            owners.put(node.node().name(), around);
        }
    }

    /** The nodes of real numbers next to one that makes them of quantized ones, or back; what requantizes stands for itself. */
    private Optional<List<CheckedNode>> around(CheckedNode step) {
        if (step.node().op().equals(TO)) {
            return Optional.ofNullable(makers.get(step.node().inputs().get(0)))
                    .filter(maker -> of(step).isEmpty())
                    .map(List::of);
        }
        String output = step.node().outputs().get(0);
        return outputs.contains(output) ? Optional.empty() : Optional.ofNullable(users.get(output));
    }

    /** The sum or product whose quantized results alone a node keeps within the bounds of an activation. */
    private Optional<CheckedNode> bounded(CheckedNode node) {
        String input =
                node.node().inputs().isEmpty() ? "" : node.node().inputs().get(0);
        boolean alone = node.node().op().equals("Clip")
                && !outputs.contains(input)
                && users.getOrDefault(input, List.of()).size() == 1;
        return Optional.ofNullable(makers.get(input))
                .filter(maker -> alone && SUMS.contains(maker.node().op()));
    }
}
