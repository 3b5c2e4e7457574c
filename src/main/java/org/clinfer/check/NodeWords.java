package org.clinfer.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.Scope;
import org.clinfer.expr.Value;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.TensorType;

/** Nodes in the words of rules. */
final class NodeWords {

    private NodeWords() {}

    /** The node in the words of the rules: those for its operator, else for what it is lowered to. */
    static Vocabulary.Use of(CheckedNode node, Vocabulary vocabulary) {
        CheckedNode spoken = node;
        List<String> names = new ArrayList<>();
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            names.add(form.node().op());
            spoken = form;
            if (vocabulary.operators().contains(form.node().op())) {
                break;
            }
        }
        if (!vocabulary.operators().contains(spoken.node().op())) {
            spoken = node;
        }
        Scope scope = spoken.binding().scope().with(tensors(spoken));
        Vocabulary.Use use = vocabulary.use(spoken.node().op(), scope);
        List<String> kinds = new ArrayList<>(use.kinds());
        names.stream().filter(name -> !kinds.contains(name)).forEach(kinds::add);
        return new Vocabulary.Use(kinds, use.isOfOneKind(), use.scope());
    }

    /** What every operator has: the shapes and data types of its tensors. */
    private static Map<String, Value> tensors(CheckedNode node) {
        List<TensorType> inputs = new ArrayList<>();
        for (TensorType type : node.inputTypes()) {
            if (type != null) {
                inputs.add(type);
            }
        }
        return Map.of(
                "input_dims", dims(inputs),
                "input_dtypes", dtypes(inputs),
                "output_dims", dims(node.outputTypes()),
                "output_dtypes", dtypes(node.outputTypes()));
    }

    private static Value dims(List<TensorType> types) {
        return Value.list(types.stream().map(type -> Value.dims(type.shape())).toList());
    }

    private static Value dtypes(List<TensorType> types) {
        return Value.list(
                types.stream().map(type -> Value.of(type.dtype().label())).toList());
    }
}
