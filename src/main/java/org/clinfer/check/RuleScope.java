package org.clinfer.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/** The scope of device profiles' rules: parameters and tensors of nodes, under the names that rules have for them. */
public final class RuleScope {

    private final Vocabulary vocabulary;
    private final Optional<DType> float32As;

    /** @param float32As the type that rules see where tensors are of float32; empty: float32 */
    public RuleScope(Vocabulary vocabulary, Optional<DType> float32As) {
        this.vocabulary = vocabulary;
        this.float32As = float32As;
    }

    /** The node in the words of the rules: those for its operator, else for what it is lowered to. */
    Vocabulary.Use of(CheckedNode node) {
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
        Scope scope = retyped(spoken).with(tensors(spoken));
        Vocabulary.Use use = vocabulary.use(spoken.node().op(), scope);
        List<String> kinds = new ArrayList<>(use.kinds());
        names.stream().filter(name -> !kinds.contains(name)).forEach(kinds::add);
        return new Vocabulary.Use(kinds, use.isOfOneKind(), use.words(), use.scope());
    }

    /** The node's names, with its tensors as the rules are to see them. */
    private Scope retyped(CheckedNode node) {
        Scope scope = node.binding().scope();
        if (float32As.isEmpty()) {
            return scope;
        }
        List<String> names = new ArrayList<>();
        node.op().inputs().forEach(input -> names.add(input.name()));
        node.op().outputs().forEach(output -> names.add(output.name()));
        for (String name : names) {
            Optional<ExpressionValue> value = scope.find(name);
            if (value.isPresent()) {
                scope = scope.with(name, retyped(value.get()));
            }
        }
        return scope;
    }

    private ExpressionValue retyped(ExpressionValue value) {
        if (value instanceof ExpressionValue.TensorArg tensor) {
            TensorType type = tensor.type();
            return new ExpressionValue.TensorArg(
                    tensor.name(), new TensorType(seen(type.dtype()), type.shape()), tensor.data());
        }
        return value instanceof ExpressionValue.ListOf list
                ? ExpressionValue.list(
                        list.elements().stream().map(this::retyped).toList())
                : value;
    }

    private DType seen(DType dtype) {
        return dtype == DType.FLOAT32 ? float32As.orElse(dtype) : dtype;
    }

    /** The values that every operator has: the shapes and data types of its tensors. */
    private Map<String, ExpressionValue> tensors(CheckedNode node) {
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

    private static ExpressionValue dims(List<TensorType> types) {
        return ExpressionValue.list(
                types.stream().map(type -> ExpressionValue.dims(type.shape())).toList());
    }

    private ExpressionValue dtypes(List<TensorType> types) {
        return ExpressionValue.list(types.stream()
                .map(type -> ExpressionValue.of(seen(type.dtype()).label()))
                .toList());
    }
}
