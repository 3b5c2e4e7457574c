package org.clinfer.importer.openvino;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/**
 * The variables of a network, which keep their value from one run to the next: what is read is an input, and what is assigned is
 * an output. An input whose first value is known may be left out.
 */
final class OpenVinoVariables {

    static final String ASSIGN = "Assign";
    static final Set<String> TYPES = Set.of("ReadValue", ASSIGN);

    private static final String LAST = "_last";
    private static final long MOST_ELEMENTS = 1L << 24;

    private final NamedGraph graph;
    private final Map<String, Value> read = new LinkedHashMap<>();
    private final Map<String, Value> assigned = new LinkedHashMap<>();

    OpenVinoVariables(NamedGraph graph) {
        this.graph = graph;
    }

    /** The value that a layer reads or assigns. */
    Value translate(OpenVinoLayerCall call) {
        String variable = call.attributes().text("variable_id");
        Value value = call.type().equals(ASSIGN) ? assigned(call, variable) : read(call, variable);
        call.requireAllRead();
        return value;
    }

    private Value assigned(OpenVinoLayerCall call, String variable) {
        call.requireInputs(1, 1);
        if (assigned.put(variable, call.input(0)) != null) {
            throw call.malformed("the variable '" + Printable.shortened(variable) + "' is assigned twice");
        }
        return call.input(0);
    }

    private Value read(OpenVinoLayerCall call, String variable) {
        call.requireInputs(0, 1);
        TensorType type = type(call);
        Value known = read.get(variable);
        Value value = known == null ? input(call, variable, type) : known;
        read.put(variable, value);
        return value;
    }

    private Value input(OpenVinoLayerCall call, String variable, TensorType type) {
        Optional<Tensor> first = first(call, type);
        if (first.isPresent()) {
            return call.variable(variable, first.get(), type);
        }
        String name = graph.freeName(variable);
        graph.fixedInput(name, type);
        return new Value(name, type);
    }

    /** The type that the variable may have in any run, which a later set says beside the first value's. */
    private static TensorType type(OpenVinoLayerCall call) {
        DType dtype = call.declaredType(0);
        Shape shape = call.declared(0);
        if (call.attributes().has("variable_type")) {
            call.requireDeclaredType(0, "variable_type", "");
        }
        if (call.attributes().has("variable_shape")) {
            List<Dim> dims = call.attributes().texts("variable_shape").stream()
                    .map(size -> IrReader.dim(size, call.source()))
                    .toList();
            shape = IrReader.shape(dims, call.source());
        }
        return new TensorType(dtype, shape);
    }

    /** The value in the first run: a constant, or zeros where none is given. */
    private static Optional<Tensor> first(OpenVinoLayerCall call, TensorType type) {
        if (call.inputCount() == 1) {
            return call.isMissing(0) ? Optional.empty() : call.constant(0);
        }
        boolean small = type.shape().isKnown() && type.shape().elements() <= MOST_ELEMENTS;
        return small ? Optional.of(Tensor.allocate(type)) : Optional.empty();
    }

    /** Makes the assigned values outputs. */
    void finish() {
        assigned.forEach((variable, value) -> graph.output(value.name(), graph.freeName(variable + LAST)));
    }
}
