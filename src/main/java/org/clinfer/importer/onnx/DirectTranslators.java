package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.describe.OpCatalog;
import org.clinfer.importer.Params;

/** The operators of {@link DirectOperators}: an attribute that is not given has the default of the description. */
final class DirectTranslators {

    private DirectTranslators() {}

    static Map<String, Translator> all() {
        Map<String, Translator> all = new HashMap<>();
        DirectOperators.all()
                .values()
                .forEach(op -> all.put(
                        op.name(), (node, graph) -> translate(op, node, graph, node.inputs(), params(op, node))));
        all.put("TopK", DirectTranslators::topK);
        all.put("Scatter", DirectTranslators::scatter);
        all.put("GridSample", DirectTranslators::gridSample);
        all.put("RoiAlign", DirectTranslators::roiAlign);
        return all;
    }

    /** How many is an attribute before operator set 10. */
    private static void topK(OnnxNode node, GraphWriter graph) {
        DirectOperators.Operator op = operator("TopK");
        Params params = params(op, node);
        if (node.opset() < 10) {
            node.requireInputs(1, 1);
            params.put("k", node.integer("k"));
        } else {
            node.requireInputs(2, 2);
        }
        translate(op, node, graph, node.inputs(), params);
    }

    /** ScatterElements as it was called before operator set 11. */
    private static void scatter(OnnxNode node, GraphWriter graph) {
        DirectOperators.Operator op = operator("ScatterElements");
        translate(op, node, graph, node.inputs(), params(op, node));
    }

    /** Before operator set 20 the modes have names of two dimensions. */
    private static void gridSample(OnnxNode node, GraphWriter graph) {
        DirectOperators.Operator op = operator("GridSample");
        Params params = params(op, node);
        String mode = node.text("mode", "linear");
        params.put("mode", mode.equals("bilinear") ? "linear" : mode.equals("bicubic") ? "cubic" : mode);
        translate(op, node, graph, node.inputs(), params);
    }

    /** Before operator set 16 pixels have their centres at whole numbers. */
    private static void roiAlign(OnnxNode node, GraphWriter graph) {
        DirectOperators.Operator op = operator("RoiAlign");
        Params params = params(op, node);
        if (node.opset() < 16) {
            params.put("coordinate_transformation_mode", "output_half_pixel");
        }
        translate(op, node, graph, node.inputs(), params);
    }

    private static DirectOperators.Operator operator(String name) {
        return Objects.requireNonNull(DirectOperators.all().get(name));
    }

    /** Adds the operator with these inputs and parameters, which may be others than those of the node. */
    static void translate(
            DirectOperators.Operator op, OnnxNode node, GraphWriter graph, List<String> inputs, Params params) {
        node.requireInputs(op.least(), op.most());
        graph.add(node, op.name(), inputs, outputs(node, graph), params);
    }

    /** The names of all outputs, one that nobody asks for in the place of each that is left out. */
    static List<String> outputs(OnnxNode node, GraphWriter graph) {
        List<String> outputs = new ArrayList<>();
        for (String name : node.outputs()) {
            outputs.add(name.isEmpty() ? graph.freshName(node.name() + "/unused") : name);
        }
        return outputs;
    }

    private static boolean hasDefault(DirectOperators.Operator op, String param) {
        return OpCatalog.builtIn().find(op.name()).stream()
                .flatMap(description -> description.params().stream())
                .filter(described -> described.name().equals(param))
                .allMatch(described -> described.byDefault().isPresent());
    }

    static Params params(DirectOperators.Operator op, OnnxNode node) {
        Params params = new Params();
        for (DirectOperators.Field field : op.fields()) {
            String name = field.name();
            if (node.has(name) || !hasDefault(op, name)) {
                switch (field.kind()) {
                    case INTEGER -> params.put(name, node.integer(name));
                    case FLAG -> params.put(name, node.flag(name, false));
                    case REAL -> params.put(name, node.real(name));
                    case TEXT -> params.put(name, node.text(name));
                    case INTEGERS -> params.put(name, node.requiredIntegers(name));
                }
            }
        }
        return params;
    }
}
