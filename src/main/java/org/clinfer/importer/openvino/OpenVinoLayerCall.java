package org.clinfer.importer.openvino;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.LayerNodes;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One layer: what its translator asks and where it adds operators. */
final class OpenVinoLayerCall extends LayerNodes {

    private final OpenVinoLayer layer;
    private final OpenVinoAttributes attributes;
    private final List<Value> inputs;
    private final NamedGraph graph;
    private final Set<OpenVinoLayer.PortRef> read;
    private final Set<String> unknown;

    /**
     * @param inputs {@link Value#NONE} for those of which nothing is known
     * @param read the outputs that some layer reads
     * @param unknown the names of values whose elements a file would tell that is not there
     */
    OpenVinoLayerCall(
            OpenVinoLayer layer,
            List<Value> inputs,
            NamedGraph graph,
            Set<OpenVinoLayer.PortRef> read,
            Set<String> unknown) {
        super(layer.type(), layer.name(), layer.source(), graph);
        this.layer = layer;
        this.attributes = new OpenVinoAttributes(layer);
        this.inputs = List.copyOf(inputs);
        this.graph = graph;
        this.read = read;
        this.unknown = unknown;
    }

    OpenVinoAttributes attributes() {
        return attributes;
    }

    /** The number of the set of operators that the type is of. */
    int opset() {
        return layer.opsetNumber();
    }

    int inputCount() {
        return inputs.size();
    }

    int outputCount() {
        return layer.outputs().size();
    }

    /** Refuses another number of inputs. */
    void requireInputs(int least, int most) {
        if (inputs.size() < least || inputs.size() > most) {
            String wanted = least == most ? String.valueOf(least) : least + " to " + most;
            throw malformed("it takes " + wanted + " inputs, but is given " + inputs.size());
        }
    }

    /** The input of this number, counted from 0. */
    Value input(int number) {
        if (number >= inputs.size()) {
            throw malformed("input " + number + " is missing");
        }
        Value value = inputs.get(number);
        if (value.equals(Value.NONE)) {
            throw new MissingValues(number);
        }
        return value;
    }

    /** The one input. */
    Value input() {
        requireInputs(1, 1);
        return input(0);
    }

    List<Value> inputs() {
        for (int i = 0; i < inputs.size(); i++) {
            input(i);
        }
        return inputs;
    }

    /** The value of a variable, which a caller may supply; without that it is the first one. */
    Value variable(String wanted, Tensor first, TensorType type) {
        return defaultInput(wanted, first, type);
    }

    /** The elements of an input that is a constant. */
    Optional<Tensor> constant(int number) {
        return isMissing(number) ? Optional.empty() : tensor(input(number));
    }

    private Optional<Tensor> tensor(Value value) {
        return Optional.ofNullable(graph.constants().get(value.name()));
    }

    /** {@return whether a file that is not there would tell the elements of an input} */
    boolean isMissing(int number) {
        return number < inputs.size()
                && (inputs.get(number).equals(Value.NONE)
                        || unknown.contains(inputs.get(number).name()));
    }

    private Tensor elements(int number, String what) {
        if (number >= inputs.size()) {
            throw malformed("input " + number + ", " + what + ", is missing");
        }
        if (isMissing(number)) {
            throw new MissingValues(number);
        }
        return constant(number).orElseThrow(() -> unsupportedUse(what + " that are no constant"));
    }

    /** The whole numbers of an input that must be a constant. */
    long[] integers(int number, String what) {
        Tensor tensor = elements(number, what);
        if (!tensor.dtype().isInteger() || tensor.elements() > 1 << 16) {
            throw malformed(what + " must be whole numbers, but are " + tensor.type());
        }
        return tensor.toLongArray();
    }

    /** The one whole number of an input that must be a constant. */
    long integer(int number, String what) {
        long[] all = integers(number, what);
        if (all.length != 1) {
            throw malformed("there must be one of " + what + ", but there are " + all.length);
        }
        return all[0];
    }

    /** The one number of an input that must be a constant. */
    double real(int number, String what) {
        Tensor tensor = elements(number, what);
        if (tensor.elements() != 1) {
            throw malformed("there must be one of " + what + ", but there are " + tensor.elements());
        }
        return tensor.getDouble(0);
    }

    /** An axis of a value, counted from 0. */
    int axis(long axis, int rank) {
        long counted = axis < 0 ? axis + rank : axis;
        if (counted < 0 || counted >= rank) {
            throw malformed("there is no axis " + axis + " where there are " + rank);
        }
        return (int) counted;
    }

    /** Axes of a value, counted from 0. */
    long[] axes(long[] axes, int rank) {
        long[] counted = new long[axes.length];
        for (int i = 0; i < axes.length; i++) {
            counted[i] = axis(axes[i], rank);
        }
        return counted;
    }

    /** {@return whether some layer reads an output} */
    boolean isRead(int output) {
        return output < layer.outputs().size()
                && read.contains(new OpenVinoLayer.PortRef(
                        layer.id(), layer.outputs().get(output).id()));
    }

    /** The sizes that the file declares of an output. */
    Shape declared(int output) {
        if (output >= layer.outputs().size()) {
            throw malformed("output " + output + " is missing");
        }
        return layer.outputs().get(output).shape();
    }

    /** The data type that the file declares of an output. */
    DType declaredType(int output) {
        String precision = layer.outputs().get(output).precision();
        return OpenVinoElementTypes.find(precision)
                .orElseThrow(() -> unsupportedUse("an output of type '" + Printable.shortened(precision) + "'"));
    }

    /** Refuses an attribute that gives an output another type than the file declares. */
    void requireDeclaredType(int output, String attribute, String otherwise) {
        if (attributes.type(attribute, otherwise) != declaredType(output)) {
            throw attributes.unsupported(attribute);
        }
    }

    /** Refuses attributes that no translator asked for. */
    void requireAllRead() {
        for (String name : attributes.unread()) {
            throw attributes.unsupported(name);
        }
    }

    /** Adds the operator that gives the only output, of the data type of its first operand. */
    Value last(String op, List<Value> operands, Params params) {
        return last(op, operands, params, operands.get(0).type().dtype());
    }

    Value last(String op, Value... operands) {
        return last(op, List.of(operands), new Params());
    }

    /** Adds the operator that gives the only output, as a value of the declared data type. */
    Value last(String op, List<Value> operands, Params params, DType gives) {
        Value value = add(op, operands, params, new TensorType(gives, declared(0)));
        describedType(operands).map(TensorType::shape).ifPresent(this::requireDeclared);
        main(value);
        return cast(value, declaredType(0));
    }

    /** Checks that the only output is what the file declares, where both are known. */
    void requireDeclared(Shape shape) {
        if (shape.isKnown() && declared(0).isKnown() && !shape.equals(declared(0))) {
            throw malformed("it gives " + shape + ", but declares " + declared(0));
        }
    }

    /** The value itself if it is of that type. */
    Value cast(Value value, DType to) {
        return value.type().dtype() == to
                ? value
                : add("Cast", List.of(value), new Params().put("to", to.label()), new TensorType(to, value.shape()));
    }

    /** A constant without axes, of the data type of another value. */
    Value like(Value other, String name, double number) {
        Tensor tensor = Tensor.allocate(other.type().dtype());
        tensor.setDouble(0, number);
        return constant(name, tensor);
    }

    /** A vector of equal elements, of the data type of another value. */
    Value filled(Value other, String name, long count, double number) {
        return weight(
                name, vector(name + "_shape", count), TensorType.of(other.type().dtype(), count), number);
    }

    /** The same elements in another shape. */
    Value reshaped(Value value, Shape shape) {
        Optional<Tensor> tensor = tensor(value);
        if (tensor.isPresent()) {
            if (tensor.get().elements() != shape.elements()) {
                throw malformed(value.type() + " cannot be " + shape);
            }
            return constant("reshaped", tensor.get().reshaped(shape));
        }
        return add("Reshape", List.of(value), new Params().put("shape", shape.sizes()));
    }

    /** The axes of a value in another order. */
    Value transposed(Value value, long... perm) {
        return add("Transpose", List.of(value), new Params().put("perm", perm));
    }

    Value unsqueezed(Value value, long... axes) {
        return add("Unsqueeze", List.of(value), new Params().put("axis", axes));
    }

    /** The sizes of a shape that must be known. */
    long[] sizes(Shape shape, String what) {
        if (!shape.isKnown()) {
            throw unsupportedUse(what + " of sizes that are not known");
        }
        return shape.sizes();
    }

    /** A size that must be known. */
    long size(Value value, int axis, String what) {
        if (value.shape().dim(axis) instanceof Dim.Known known) {
            return known.size();
        }
        throw unsupportedUse(what + " whose number is not known");
    }
}
