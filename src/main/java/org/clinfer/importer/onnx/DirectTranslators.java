package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        return all;
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

    static Params params(DirectOperators.Operator op, OnnxNode node) {
        Params params = new Params();
        for (DirectOperators.Field field : op.fields()) {
            String name = field.name();
            if (node.has(name)) {
                switch (field.kind()) {
                    case INTEGER -> params.put(name, node.integer(name));
                    case FLAG -> params.put(name, node.flag(name, false));
                    case REAL -> params.put(name, node.real(name));
                    case TEXT -> params.put(name, node.text(name, ""));
                    case INTEGERS -> params.put(name, node.requiredIntegers(name));
                }
            }
        }
        return params;
    }
}
