package org.clinfer.cli.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.AttributeValues;
import org.clinfer.describe.Binding;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpBinder;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A made-up use of an operator.
 *
 * @param inputs the type of each input in order; null for one that is left out
 * @param constants the inputs whose elements decide shapes, by position
 * @param params those that are given
 */
record TrialUse(
        OpDescription op,
        List<@Nullable TensorType> inputs,
        Map<Integer, long[]> constants,
        Map<String, ExpressionValue> params) {

    private static final int VARIADIC_OUTPUTS = 2;

    /** The same in another type, where the main input has it. */
    TrialUse in(DType from, DType to) {
        List<@Nullable TensorType> changed = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            TensorType type = inputs.get(i);
            InputDescription input = description(i);
            boolean changes = type != null
                    && type.dtype() == from
                    && !constants.containsKey(i)
                    && (input.dtypes().isEmpty() || input.dtypes().contains(to));
            changed.add(changes ? new TensorType(to, type.shape()) : type);
        }
        return new TrialUse(op, changed, constants, params);
    }

    private InputDescription description(int position) {
        return op.inputs().get(Math.min(position, op.inputs().size() - 1));
    }

    private int outputs() {
        return op.outputs().stream()
                .mapToInt(output -> output.variadic() ? VARIADIC_OUTPUTS : 1)
                .sum();
    }

    /** True where the operator takes it, and the types of all outputs are known. */
    boolean isTaken() {
        return bound().isComplete();
    }

    /** The use as the description sees it. */
    Binding bound() {
        List<@Nullable ArgValue> values = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            TensorType type = inputs.get(i);
            values.add(type == null ? null : isConstant(i) ? ArgValue.of(tensor(i, type)) : ArgValue.of(type));
        }
        return OpBinder.bind(op, "trial", values, params, outputs());
    }

    private String name(int position) {
        InputDescription input = description(position);
        return input.variadic() ? input.name() + (position - op.inputs().size() + 1) : input.name();
    }

    private boolean isConstant(int position) {
        return constants.containsKey(position)
                || description(position).isStatic().orElse(false);
    }

    private Tensor tensor(int position, TensorType type) {
        long[] values = constants.get(position);
        if (values != null) {
            return TrialData.values(type.dtype(), values);
        }
        long seed = op.optype().hashCode() * 31L + position;
        TensorType main = inputs.get(0);
        boolean isIndex = type.dtype().isInteger() && main != null && main.dtype() != type.dtype();
        return isIndex ? TrialData.indices(type, seed) : TrialData.tensor(type, seed);
    }

    /** The network that is this node; its constants are the caller's. */
    Graph graph() {
        GraphBuilder builder = new GraphBuilder(op.optype(), new SourceRef("trial of " + op.optype(), ""));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            TensorType type = inputs.get(i);
            names.add(type == null ? "" : name(i));
            if (type != null && isConstant(i)) {
                builder.constant(name(i), tensor(i, type));
            } else if (type != null) {
                builder.input(name(i), type);
            }
        }
        List<String> outputs = new ArrayList<>();
        for (OutputDescription output : op.outputs()) {
            for (int i = 0; i < (output.variadic() ? VARIADIC_OUTPUTS : 1); i++) {
                outputs.add(output.name() + (output.variadic() ? i : ""));
            }
        }
        outputs.forEach(builder::output);
        return builder.node(op.optype(), names, outputs, AttributeValues.attributes(params))
                .build();
    }

    /** The inputs of a run, which are the caller's. */
    Map<String, Tensor> tensors() {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (int i = 0; i < inputs.size(); i++) {
            TensorType type = inputs.get(i);
            if (type != null && !isConstant(i)) {
                tensors.put(name(i), tensor(i, type));
            }
        }
        return tensors;
    }

    /** The type of the main input. */
    DType type() {
        return inputs.stream()
                .filter(type -> type != null)
                .map(TensorType::dtype)
                .findFirst()
                .orElse(DType.FLOAT32);
    }

    /** As {@code x=3x5:float16, scale=2.25}. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            TensorType type = inputs.get(i);
            if (type != null) {
                words.add(name(i) + "=" + type);
            }
        }
        return words.stream().collect(Collectors.joining(", "))
                + params.entrySet().stream()
                        .map(param -> ", " + param.getKey() + "=" + param.getValue())
                        .collect(Collectors.joining());
    }
}
