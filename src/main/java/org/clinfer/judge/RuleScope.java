package org.clinfer.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.FamilyQuantization;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The scope of device profiles' rules: parameters and tensors of nodes, under the names that rules have for them. */
public final class RuleScope {

    /** The input that has the name in every operator that has one. */
    private static final String BIAS = "bias";

    /** The name of the data types of all inputs. */
    static final String INPUT_DTYPES = "input_dtypes";

    private final Vocabulary vocabulary;
    private final Optional<DType> float32As;
    private final Optional<FamilyQuantization> quantization;

    /**
     * A scope in which rules see tensors as they are.
     *
     * @param vocabulary the words of the rules
     */
    public RuleScope(Vocabulary vocabulary) {
        this(vocabulary, Optional.empty(), Optional.empty());
    }

    /**
     * @param vocabulary the words of the rules
     * @param float32As the type that a network of float32 is quantized or converted to; empty: none
     * @param quantization how the family does it; empty: all tensors have the type then
     */
    public RuleScope(Vocabulary vocabulary, Optional<DType> float32As, Optional<FamilyQuantization> quantization) {
        this.vocabulary = vocabulary;
        this.float32As = float32As;
        this.quantization = quantization;
    }

    /** The kinds of a node in the words of the rules. */
    List<String> kinds(CheckedNode node) {
        return of(node).kinds();
    }

    /**
     * The same for a node whose numbers of float32 stand for others. A type that was asked for counts, but for nodes that make
     * quantized numbers themselves.
     */
    RuleScope seeing(CheckedNode node, Optional<DType> type) {
        boolean isAsked = float32As.isPresent() && !node.node().op().equals("QuantizeLinear");
        return isAsked || type.equals(float32As) ? this : new RuleScope(vocabulary, type, quantization);
    }

    /** The form of a node that has words: itself, else what it is lowered to; itself where none has. */
    private CheckedNode spoken(CheckedNode node) {
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            if (vocabulary.operators().contains(form.node().op())) {
                return form;
            }
        }
        return node;
    }

    /** The names of the inputs that are given, in the order in which rules see them. */
    List<String> inputs(CheckedNode node) {
        CheckedNode spoken = spoken(node);
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < spoken.inputTypes().size(); i++) {
            if (spoken.inputTypes().get(i) != null) {
                inputs.add(spoken.node().inputs().get(i));
            }
        }
        return inputs;
    }

    /** The node in the words of the rules: those for its operator, else for what it is lowered to. */
    Vocabulary.Use of(CheckedNode node) {
        CheckedNode spoken = spoken(node);
        List<String> names = new ArrayList<>();
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            names.add(form.node().op());
            if (vocabulary.operators().contains(form.node().op())) {
                break;
            }
        }
        Vocabulary.Use use = use(spoken, Seen.AS_WRITTEN);
        if (float32As.isPresent()) {
            use = use(spoken, seen(float32As.get(), use.kinds()));
        }
        List<String> kinds = new ArrayList<>(use.kinds());
        names.stream().filter(name -> !kinds.contains(name)).forEach(kinds::add);
        return new Vocabulary.Use(kinds, use.isOfOneKind(), use.words(), use.scope());
    }

    /**
     * The types that tensors of float32 have.
     *
     * @param operand of inputs but biases
     */
    private record Seen(DType operand, DType bias, DType result) {

        static final Seen AS_WRITTEN = new Seen(DType.FLOAT32, DType.FLOAT32, DType.FLOAT32);

        TensorType input(String name, TensorType type) {
            return as(name.equals(BIAS) ? bias : operand, type);
        }

        TensorType output(TensorType type) {
            return as(result, type);
        }

        private static TensorType as(DType dtype, TensorType type) {
            return type.dtype() == DType.FLOAT32 ? new TensorType(dtype, type.shape()) : type;
        }
    }

    /** The types of a node of these kinds after the network was quantized or converted. */
    private Seen seen(DType asked, List<String> kinds) {
        if (quantization.isEmpty() || asked.isFloating()) {
            return new Seen(asked, asked, asked);
        }
        FamilyQuantization by = quantization.get();
        if (!by.isQuantized(kinds)) {
            DType other = by.others().orElse(asked);
            return new Seen(other, other, other);
        }
        return new Seen(asked, by.bias().orElse(asked), by.results().orElse(asked));
    }

    /**
     * The types of a node's tensors as rules see them.
     *
     * @param inputs one for each input of the node; null where it is left out
     */
    record Types(List<@Nullable TensorType> inputs, List<TensorType> outputs) {}

    /** @param kinds the node's kinds in the words of the rules */
    Types types(CheckedNode node, List<String> kinds) {
        Seen seen = float32As.isPresent() ? seen(float32As.get(), kinds) : Seen.AS_WRITTEN;
        List<@Nullable TensorType> inputs = new ArrayList<>();
        List<InputDescription> described = node.op().inputs();
        for (int i = 0; i < node.inputTypes().size(); i++) {
            TensorType type = node.inputTypes().get(i);
            String name = described.get(Math.min(i, described.size() - 1)).name();
            inputs.add(type == null ? null : seen.input(name, type));
        }
        return new Types(inputs, node.outputTypes().stream().map(seen::output).toList());
    }

    private Vocabulary.Use use(CheckedNode node, Seen seen) {
        return vocabulary.use(node.node().op(), retyped(node, seen).with(tensors(node, seen)));
    }

    /** The node's names, with its tensors as the rules are to see them. */
    private static Scope retyped(CheckedNode node, Seen seen) {
        Scope scope = node.binding().scope();
        for (InputDescription input : node.op().inputs()) {
            scope = retyped(scope, input.name(), type -> seen.input(input.name(), type));
        }
        for (OutputDescription output : node.op().outputs()) {
            scope = retyped(scope, output.name(), seen::output);
        }
        return scope;
    }

    private static Scope retyped(Scope scope, String name, UnaryOperator<TensorType> seen) {
        Optional<ExpressionValue> value = scope.find(name);
        return value.isPresent() ? scope.with(name, retyped(value.get(), seen)) : scope;
    }

    private static ExpressionValue retyped(ExpressionValue value, UnaryOperator<TensorType> seen) {
        if (value instanceof ExpressionValue.TensorArg tensor) {
            return new ExpressionValue.TensorArg(tensor.name(), seen.apply(tensor.type()), tensor.data());
        }
        return value instanceof ExpressionValue.ListOf list
                ? ExpressionValue.list(list.elements().stream()
                        .map(element -> retyped(element, seen))
                        .toList())
                : value;
    }

    /** The values that every operator has: the shapes and data types of its tensors. */
    private static Map<String, ExpressionValue> tensors(CheckedNode node, Seen seen) {
        List<TensorType> inputs = new ArrayList<>();
        List<InputDescription> described = node.op().inputs();
        for (int i = 0; i < node.inputTypes().size(); i++) {
            TensorType type = node.inputTypes().get(i);
            if (type != null) {
                inputs.add(seen.input(
                        described.get(Math.min(i, described.size() - 1)).name(), type));
            }
        }
        List<TensorType> outputs = node.outputTypes().stream().map(seen::output).toList();
        return Map.of(
                "input_dims",
                dims(inputs),
                INPUT_DTYPES,
                dtypes(inputs),
                "output_dims",
                dims(outputs),
                "output_dtypes",
                dtypes(outputs));
    }

    private static ExpressionValue dims(List<TensorType> types) {
        return ExpressionValue.list(
                types.stream().map(type -> ExpressionValue.dims(type.shape())).toList());
    }

    private static ExpressionValue dtypes(List<TensorType> types) {
        return ExpressionValue.list(types.stream()
                .map(type -> ExpressionValue.of(type.dtype().label()))
                .toList());
    }
}
