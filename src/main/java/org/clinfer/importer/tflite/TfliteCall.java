package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Integers;
import org.clinfer.importer.LayerNodes;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One operator: what its translator asks and where it adds operators of the graph. */
final class TfliteCall extends LayerNodes {

    private final TfliteOperator operator;
    private final TfliteNetwork network;
    private final TfliteValues values;
    private final NamedGraph graph;
    private final Set<String> seconds = new HashSet<>();
    private boolean hasMain;
    private int firstScratch = Integer.MAX_VALUE;

    TfliteCall(TfliteOperator operator, TfliteNetwork network, TfliteValues values, NamedGraph graph) {
        super(operator.type(), operator.name(), operator.source(), graph);
        this.operator = operator;
        this.network = network;
        this.values = values;
        this.graph = graph;
    }

    TfliteOperator operator() {
        return operator;
    }

    TfliteOptions options() {
        return operator.options();
    }

    /** The number of inputs, with those that are left out. */
    int inputs() {
        return operator.inputs().size();
    }

    int outputs() {
        return operator.outputs().size();
    }

    void requireInputs(int least, int most) {
        if (inputs() < least || inputs() > most) {
            String wanted = least == most ? String.valueOf(least) : least + " to " + most;
            throw malformed("it takes " + wanted + " tensors, but is given " + inputs());
        }
    }

    /** {@return whether an input is given} */
    boolean has(int input) {
        return input < inputs() && operator.inputs().get(input) >= 0;
    }

    /** The tensor of an input as the file has it. */
    TfliteTensor tensor(int input) {
        if (!has(input)) {
            throw malformed("input " + input + " is missing");
        }
        return network.tensor(operator.inputs().get(input));
    }

    /** The tensor of an output as the file has it. */
    TfliteTensor output(int output) {
        if (output >= outputs()) {
            throw malformed("output " + output + " is missing");
        }
        return network.tensor(operator.outputs().get(output));
    }

    /** An input as it is held. */
    TfliteValue stored(int input) {
        tensor(input);
        return values.get(operator.inputs().get(input), this);
    }

    /** An input with so many axes, as it is held. */
    TfliteValue stored(int input, int rank) {
        TfliteValue value = stored(input);
        if (value.rank() != rank) {
            throw malformed("input " + input + " must have " + rank + " axes, but has " + value.rank());
        }
        return value;
    }

    /** An input as real numbers, if it is quantized; else as it is. */
    TfliteValue real(int input) {
        return dequantized(stored(input), tensor(input));
    }

    /** An input in the form in which an output with the same quantization has it; else as real numbers. */
    TfliteValue kept(int input) {
        return isKept(input) ? stored(input) : real(input);
    }

    /** {@return whether the first output means the same by the elements of an input} */
    boolean isKept(int input) {
        Optional<TfliteQuantization> own = tensor(input).quantization();
        Optional<TfliteQuantization> result = output(0).quantization();
        boolean sameType = tensor(input).dtype() == output(0).dtype();
        return own.isEmpty() || (sameType && result.filter(own.get()::isSame).isPresent());
    }

    /** An input in the file's order of axes, its elements as they are held; one that is left out is none. */
    Value plain(int input) {
        return has(input) ? plain(stored(input)) : Value.NONE;
    }

    /** A value in the file's order of axes. */
    Value plain(TfliteValue value) {
        return value.second() ? turned(value.held(), "last", ChannelAxes.toLast(value.rank())) : value.held();
    }

    /** A value whose elements are in the file's order, whatever its axes: one of one pixel has them so in both orders. */
    Value inOrder(TfliteValue value) {
        Shape shape = value.held().shape();
        boolean same = value.second() && (isOne(shape, 1, 2) || isOne(shape, 2, shape.rank()));
        return same ? value.held() : plain(value);
    }

    private static boolean isOne(Shape shape, int from, int to) {
        return shape.dims().subList(from, to).stream().allMatch(Dim.of(1)::equals);
    }

    /** A value with the channels second. */
    Value second(TfliteValue value) {
        return value.second() ? value.held() : turned(value.held(), "second", ChannelAxes.toSecond(value.rank()));
    }

    /** A value with its axes in another order; a constant stays one. */
    Value turned(Value value, String form, long[] order) {
        if (Arrays.equals(order, ChannelAxes.range(0, order.length))) {
            return value;
        }
        return values.form(value, form, () -> {
            Optional<Tensor> elements = values.elements(value);
            return elements.isPresent()
                    ? shared(value.name() + "/" + form, () -> TfliteAxes.permuted(elements.get(), order))
                    : add("Transpose", new Params().put("perm", order), value);
        });
    }

    private TfliteValue dequantized(TfliteValue value, TfliteTensor tensor) {
        Optional<TfliteQuantization> found = tensor.quantization();
        return found.isEmpty()
                ? value
                : new TfliteValue(
                        dequantized(
                                value.held(),
                                found.get(),
                                value.heldAxis(found.get().axis())),
                        value.second());
    }

    /** The real numbers that quantized ones stand for. */
    Value dequantized(Value quantized, TfliteQuantization quantization, int axis) {
        return values.form(quantized, "real", () -> {
            DType dtype = quantized.type().dtype();
            if (dtype == DType.INT64) {
                return ofWide(quantized, quantization, axis);
            }
            if (dtype.bits() > Integer.SIZE || dtype == DType.UINT32) {
                throw unsupportedUse("quantized numbers of type " + dtype);
            }
            List<Value> operands = new ArrayList<>(List.of(quantized, constant("scale", quantization.scaleTensor())));
            if (quantization.hasZeros()) {
                operands.add(constant("zero_point", quantization.zeroTensor(dtype)));
            }
            return add("DequantizeLinear", operands, new Params().put("axis", (long) axis));
        });
    }

    /** Constants of 64 bits, as sums of 16 bits are quantized to. */
    private Value ofWide(Value quantized, TfliteQuantization quantization, int axis) {
        Tensor elements =
                values.elements(quantized).orElseThrow(() -> unsupportedUse("computed numbers of type int64"));
        long behind = 1;
        for (int i = axis + 1; i < quantized.rank(); i++) {
            behind *= quantized.shape().size(i);
        }
        Tensor reals = Tensor.allocate(DType.FLOAT32, quantized.shape().sizes());
        for (long i = 0; i < reals.elements(); i++) {
            int channel = quantization.isWhole() ? 0 : (int) (i / behind % quantization.scales().length);
            reals.setDouble(
                    i, (double) quantization.scales()[channel] * (elements.getLong(i) - quantization.zero(channel)));
        }
        return constant("real", reals);
    }

    /** Real numbers in the form that an output has. */
    private Value quantized(Value reals, boolean second, TfliteTensor tensor) {
        Optional<TfliteQuantization> found = tensor.quantization();
        if (found.isEmpty() || !reals.type().dtype().isFloating()) {
            return reals;
        }
        TfliteQuantization quantization = found.get();
        DType dtype = tensor.dtype();
        if (dtype.bits() > Short.SIZE) {
            throw unsupportedUse("results that are quantized to " + dtype);
        }
        int axis = new TfliteValue(reals, second).heldAxis(quantization.axis());
        return add(
                "QuantizeLinear",
                new Params().put("axis", (long) axis),
                reals,
                constant("scale", quantization.scaleTensor()),
                constant("zero_point", quantization.zeroTensor(dtype)));
    }

    /** The elements of a value that is a constant. */
    Optional<Tensor> elements(Value value) {
        return values.elements(value);
    }

    /** The elements of an input that is a constant. */
    Optional<Tensor> constant(int input) {
        return has(input) ? values.elements(stored(input).held()) : Optional.empty();
    }

    /** The integers of an input that is a small constant. */
    Optional<long[]> integers(int input) {
        return constant(input)
                .filter(tensor -> tensor.dtype().isInteger() && tensor.elements() <= Integers.MOST)
                .map(Tensor::toLongArray);
    }

    /** The integers of an input, which must be a constant. */
    long[] requiredIntegers(int input, String what) {
        return integers(input).orElseThrow(() -> unsupportedUse("a computed " + what));
    }

    /** The one integer of an input, which must be a constant. */
    long requiredInteger(int input, String what) {
        long[] found = requiredIntegers(input, what);
        if (found.length != 1) {
            throw malformed("its " + what + " must be one number, but is " + shown(found));
        }
        return found[0];
    }

    /** Numbers as messages show them. */
    static String shown(long[] numbers) {
        return numbers.length <= 16 ? Arrays.toString(numbers) : "a list of " + numbers.length;
    }

    /** An axis counted from the front. */
    int axis(long axis, int rank) {
        long counted = axis < 0 ? axis + rank : axis;
        if (counted < 0 || counted >= rank) {
            throw malformed("there is no axis " + axis + " where there are " + rank);
        }
        return (int) counted;
    }

    int[] axes(long[] axes, int rank) {
        return Arrays.stream(axes).mapToInt(each -> axis(each, rank)).distinct().toArray();
    }

    /** A constant of one element, of a type. */
    Value scalar(String what, DType dtype, double value) {
        Tensor tensor = Tensor.allocate(dtype);
        tensor.setDouble(0, value);
        return constant(what, tensor);
    }

    /** An operator on each element of a value. */
    Value each(String op, Params params, TfliteValue x) {
        return give(add(op, params, x.held()), x.second());
    }

    /** An operator whose result has the type that the file states, because elements decide it that are not known yet. */
    Value computed(String op, Params params, Value... operands) {
        TensorType type = output(0).type();
        return add(
                op, List.of(operands), params, new TensorType(operands[0].type().dtype(), type.shape()));
    }

    /** Says how a result is held. */
    Value give(Value result, boolean second) {
        if (second) {
            seconds.add(result.name());
        }
        return result;
    }

    /** {@return whether a result has the channels second} */
    boolean isSecond(Value result) {
        return seconds.contains(result.name());
    }

    /** Says that the outputs from a number on are working memory of the operator, which nobody may read. */
    void scratchFrom(int output) {
        firstScratch = output;
    }

    /** The number of outputs that others may read. */
    int results() {
        return Math.min(outputs(), firstScratch);
    }

    /** A value that exists already as a result. */
    Value give(TfliteValue value) {
        return give(value.held(), value.second());
    }

    /** Says which value the operator itself gives, before what follows it. */
    void principal(Value value) {
        main(value);
        hasMain = true;
    }

    /** Hands the operators on; the results in the form and under the name that the file has for each. */
    List<TfliteValue> finish(List<Value> results) {
        List<TfliteValue> finished = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (int i = 0; i < results(); i++) {
            Value result = results.get(i);
            boolean second = isSecond(result);
            TfliteTensor tensor = output(i);
            Value stored = quantized(result, second, tensor);
            boolean hasSteps = !stored.equals(result) && !hasMain && i == 0;
            if (hasSteps && !isGiven(result)) {
                main(result);
            }
            if (stored.type().dtype() != tensor.dtype()) {
                throw malformed("it gives " + stored.type().dtype() + ", but its output is " + tensor.dtype());
            }
            Value own = named.add(stored.name()) ? renamed(stored, () -> name(tensor, second)) : stored;
            values.renamed(stored, own);
            finished.add(new TfliteValue(new Value(own.name(), narrowed(own.type(), tensor, second)), second));
        }
        finish();
        return finished;
    }

    /** The name of a result: the file's, where it is held in the file's order of axes. */
    private String name(TfliteTensor tensor, boolean second) {
        return second ? graph.freeName(tensor.name()) : outputName(tensor);
    }

    /** The name of a tensor, which the network's signature may have for it. */
    String outputName(TfliteTensor tensor) {
        boolean isOutput = network.outputs().contains(tensor.index());
        String wanted = isOutput ? network.outputName(tensor.index()) : tensor.name();
        return wanted.equals(tensor.name()) ? wanted : graph.freeName(wanted);
    }

    /** {@return whether a value is an input, or a constant} */
    private boolean isGiven(Value value) {
        return values.elements(value).isPresent()
                || operator.inputs().stream().anyMatch(input -> values.is(input, value));
    }

    /** The type with the sizes that the file states where operators do not tell them. */
    private static TensorType narrowed(TensorType type, TfliteTensor tensor, boolean second) {
        Shape shape = type.shape();
        if (shape.isKnown()) {
            return type;
        }
        Shape stated = tensor.type().shape();
        if (stated.rank() != shape.rank()) {
            return type;
        }
        Shape held = second ? ChannelAxes.ordered(stated, ChannelAxes.toSecond(stated.rank())) : stated;
        List<Dim> dims = new ArrayList<>();
        for (int axis = 0; axis < shape.rank(); axis++) {
            dims.add(shape.dim(axis).isKnown() ? shape.dim(axis) : held.dim(axis));
        }
        return new TensorType(type.dtype(), new Shape(dims));
    }
}
