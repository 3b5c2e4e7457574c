package org.clinfer.describe;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;

/**
 * An abstract operator: what it takes, what it checks, what it gives.
 *
 * @param elementwise whether an element of the output follows from those at its own position in the inputs, by numpy's
 *     broadcasting, and from parameters, in the same way at all positions
 * @param moves whether each element of the output is one of the {@link #moved} inputs, unchanged; which one may depend on
 *     their order, as in a maximum
 * @param layout how its tensors lie, as {@code nChw16c}, where planning chose it: such an operator is in no model; empty
 *     for the operators of models
 * @param calcOffset where a tensor with an owner begins in it, in elements, null where its elements do not lie together
 *     there; {@code index} counts the tensors of a variadic argument. Left out: the tensor is its owner's memory
 * @param multiplyAdds how many multiplications with an addition one use takes; left out: none worth counting
 * @param source the file it comes from
 */
public record OpDescription(
        String optype,
        String author,
        String doc,
        boolean elementwise,
        boolean moves,
        String layout,
        List<InputDescription> inputs,
        List<ParamDescription> params,
        List<PrivDescription> privs,
        List<Check> checks,
        List<OutputDescription> outputs,
        Optional<Expr> calcOffset,
        Optional<Expr> multiplyAdds,
        String source) {

    public OpDescription {
        inputs = List.copyOf(inputs);
        params = List.copyOf(params);
        privs = List.copyOf(privs);
        checks = List.copyOf(checks);
        outputs = List.copyOf(outputs);
    }

    /** True for an operator that only planning writes, with values in a {@link #layout} of its own. */
    public boolean isOfLayout() {
        return !layout.isEmpty();
    }

    /** {@return whether it computes nothing, because what it gives is what it takes, perhaps in another shape} */
    public boolean isView() {
        return IntStream.range(0, outputs.size())
                .anyMatch(output -> viewedInput(output).isPresent());
    }

    /**
     * The position of the input whose memory an output is.
     *
     * @param output the position of an output; beyond the last, one of a variadic argument
     * @return empty where the output has memory of its own, which may lie in that of an input, see {@link #calcOffset}
     */
    public OptionalInt viewedInput(int output) {
        String owner = outputs.isEmpty()
                ? ""
                : outputs.get(Math.min(output, outputs.size() - 1)).owner();
        return calcOffset.isPresent() || owner.isEmpty()
                ? OptionalInt.empty()
                : IntStream.range(0, inputs.size())
                        .filter(at -> inputs.get(at).name().equals(owner))
                        .findFirst();
    }

    /** {@return whether the elements of its output may follow from types alone} */
    public boolean givesValues() {
        return privs.stream().anyMatch(priv -> priv.name().equals(Binding.OUTPUT_VALUES));
    }

    /** {@return whether what it gives, or whether it takes a node, may depend on the elements of a constant} */
    boolean readsElements() {
        return inputs.stream().anyMatch(InputDescription::value)
                || params.stream().anyMatch(param -> !param.fromInput().isEmpty())
                || expressions().anyMatch(Expr::readsElements);
    }

    private Stream<Expr> expressions() {
        Stream<Expr> ofInputs = inputs.stream().flatMap(input -> of(input.ndim(), input.len(), input.checks()));
        Stream<Expr> ofParams = params.stream()
                .flatMap(param -> Stream.of(
                                param.fromFunc().stream(),
                                param.bounds().stream().map(Bound::limit),
                                of(param.byDefault(), param.len(), param.checks()))
                        .flatMap(Function.identity()));
        Stream<Expr> ofOutputs = outputs.stream()
                .flatMap(output -> Stream.of(
                                Stream.of(output.dtype()),
                                output.dims().stream(),
                                of(output.ndim(), output.len(), output.checks()))
                        .flatMap(Function.identity()));
        return Stream.of(
                        ofInputs,
                        ofParams,
                        privs.stream().map(PrivDescription::value),
                        checks.stream().map(Check::condition),
                        ofOutputs,
                        calcOffset.stream())
                .flatMap(Function.identity());
    }

    private static Stream<Expr> of(Optional<Expr> first, Optional<Expr> second, List<Check> checks) {
        return Stream.concat(
                Stream.concat(first.stream(), second.stream()), checks.stream().map(Check::condition));
    }

    /** The positions of the inputs whose elements the first output can hold: that which gives it its type, and others of it. */
    public Set<Integer> moved() {
        String type = outputs.isEmpty() ? "" : outputs.get(0).dtype().source();
        Set<Integer> moved = new TreeSet<>();
        for (int i = 0; i < inputs.size(); i++) {
            InputDescription input = inputs.get(i);
            boolean givesType = type.equals(input.name() + ".dtype") || type.equals(input.name() + "[0].dtype");
            boolean hasSameType =
                    moved.stream().anyMatch(at -> inputs.get(at).name().equals(input.sameType()));
            if (!input.value() && (givesType || hasSameType)) {
                moved.add(i);
            }
        }
        return moved;
    }

    public Optional<InputDescription> input(String name) {
        return inputs.stream().filter(input -> input.name().equals(name)).findFirst();
    }

    public Optional<ParamDescription> param(String name) {
        return params.stream().filter(param -> param.name().equals(name)).findFirst();
    }

    public Optional<OutputDescription> output(String name) {
        return outputs.stream().filter(output -> output.name().equals(name)).findFirst();
    }
}
