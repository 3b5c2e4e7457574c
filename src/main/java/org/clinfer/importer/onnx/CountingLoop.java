package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;

/**
 * A Loop that need not be written out, because it counts: it adds the same value each time and lists what there was before, as Range
 * does where it is written out. Its list is the start and so many times the value.
 */
final class CountingLoop {

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Map<String, String> scope;
    private final Map<String, NodeProto> makers = new HashMap<>();

    private CountingLoop(OnnxNode node, OnnxGraphWriter graph, Map<String, String> scope) {
        this.node = node;
        this.graph = graph;
        this.scope = scope;
    }

    /**
     * Translates a Loop if it is such a one.
     *
     * @param scope what the values of the graphs around it are called
     */
    static boolean translates(OnnxNode node, OnnxGraphWriter graph, Map<String, String> scope) {
        return new CountingLoop(node, graph, scope).translates();
    }

    private boolean translates() {
        GraphProto body = node.graph("body");
        boolean counts = node.inputs().size() == 3
                && node.hasInput(0)
                && node.outputs().size() == 2
                && !graph.isOutputUsed(node, 0)
                && body.getInputCount() == 3
                && body.getOutputCount() == 3
                && body.getInitializerCount() == 0;
        if (!counts || !isPlain(body)) {
            return false;
        }
        String condition = body.getInput(1).getName();
        String before = body.getInput(2).getName();
        NodeProto step = makers.get(behindIdentities(body.getOutput(1).getName()));
        boolean lists = behindIdentities(body.getOutput(0).getName()).equals(condition)
                && behindIdentities(body.getOutput(2).getName()).equals(before);
        if (!lists || step == null || !step.getOpType().equals("Add") || step.getInputCount() != 2) {
            return false;
        }
        String left = behindIdentities(step.getInput(0));
        String right = behindIdentities(step.getInput(1));
        String value = left.equals(before) ? right : left;
        boolean own = body.getInputList().stream().map(ValueInfoProto::getName).anyMatch(value::equals);
        if ((!left.equals(before) && !right.equals(before)) || own || makers.containsKey(value) || value.isEmpty()) {
            return false;
        }
        String outer = scope.getOrDefault(value, value);
        graph.take(outer, node);
        if (!isScalar(node.input(2)) || !isScalar(outer)) {
            return false;
        }
        write(outer);
        return true;
    }

    private boolean isScalar(String value) {
        OptionalInt rank = graph.types().rank(value);
        return rank.isPresent() && rank.getAsInt() == 0;
    }

    /** {@return whether the body has no more than identities and sums; notes what makes each value} */
    private boolean isPlain(GraphProto body) {
        for (NodeProto inner : body.getNodeList()) {
            boolean known = OnnxNode.isStandard(inner.getDomain())
                    && (inner.getOpType().equals("Identity")
                            || inner.getOpType().equals("Add"))
                    && inner.getAttributeCount() == 0
                    && inner.getInputCount() >= 1
                    && inner.getOutputCount() == 1;
            if (!known || makers.put(inner.getOutput(0), inner) != null) {
                return false;
            }
        }
        return true;
    }

    /** The value that a value of the body is a copy of. */
    private String behindIdentities(String value) {
        String source = value;
        for (int i = 0; i <= makers.size(); i++) {
            NodeProto maker = makers.get(source);
            if (maker == null || !maker.getOpType().equals("Identity")) {
                return source;
            }
            source = maker.getInput(0);
        }
        throw node.malformed("values of its body depend on each other in a circle");
    }

    private void write(String value) {
        Steps steps = new Steps(node, graph);
        String start = node.input(2);
        String count = steps.add("Squeeze", node.input(0));
        if (node.hasInput(1)) {
            String once = steps.cast(steps.add("Squeeze", node.input(1)), DType.INT64);
            count = steps.add("Mul", count, once);
        }
        String numbers = steps.cast(steps.range(count, 0), steps.dtype(start));
        String times = steps.add("Mul", numbers, value);
        String name = node.outputs().get(1);
        graph.addStep(node, node.name(), "Add", List.of(start, times), List.of(name), new Params());
    }
}
