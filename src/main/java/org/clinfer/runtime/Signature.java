package org.clinfer.runtime;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The inputs that a plan is made for: the type of each, and the values of those whose values decide shapes.
 *
 * @param types by input name, in the graph's order
 * @param values by input name; the elements as longs, or doubles where the type is floating
 */
public record Signature(Map<String, TensorType> types, Map<String, List<Number>> values) {

    private static final int MAX_SHAPE_ELEMENTS = 1 << 16;

    /**
     * The signature of a run.
     *
     * @throws InputException if an input is missing, unknown, or of another type than the graph's
     */
    static Signature of(Graph graph, Map<String, Tensor> inputs, Set<String> shapeInputs) {
        Map<String, TensorType> given = new HashMap<>();
        inputs.forEach((name, tensor) -> given.put(name, tensor.type()));
        for (Graph.Input input : graph.inputs()) {
            if (!given.containsKey(input.name())) {
                throw missing(input, inputs.keySet());
            }
        }
        Map<String, List<Number>> values = new HashMap<>();
        for (String name : shapeInputs) {
            Tensor tensor = inputs.get(name);
            if (tensor != null) {
                values.put(name, elements(name, tensor));
            }
        }
        return new Signature(types(graph, given), values);
    }

    static InputException missing(Graph.Input input, Set<String> given) {
        return new InputException("input '" + input.name() + "' (" + input.type() + ") is missing; given are " + given);
    }

    /** The types of tensors as they are, and the values of some of them. */
    static Signature exact(Map<String, Tensor> tensors, Set<String> deciding) {
        Map<String, TensorType> types = new HashMap<>();
        Map<String, List<Number>> values = new HashMap<>();
        tensors.forEach((name, tensor) -> {
            types.put(name, tensor.type());
            if (deciding.contains(name)) {
                values.put(name, elements(name, tensor));
            }
        });
        return new Signature(types, values);
    }

    private static List<Number> elements(String name, Tensor tensor) {
        if (tensor.elements() > MAX_SHAPE_ELEMENTS) {
            throw new InputException("input '" + name + "' decides shapes by its elements, but is " + tensor.type()
                    + "; expected at most " + MAX_SHAPE_ELEMENTS + " elements");
        }
        boolean floating = tensor.dtype().isFloating();
        Number[] elements = new Number[Math.toIntExact(tensor.elements())];
        for (int i = 0; i < elements.length; i++) {
            if (floating) {
                elements[i] = tensor.getDouble(i);
            } else {
                elements[i] = tensor.getLong(i);
            }
        }
        return List.of(elements);
    }

    /**
     * The graph's input types, with those given in their place.
     *
     * @throws InputException if a given one is unknown or does not fit
     */
    public static Map<String, TensorType> types(Graph graph, Map<String, TensorType> given) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        Map<String, Long> named = new HashMap<>();
        for (Graph.Input input : graph.inputs()) {
            TensorType type = given.getOrDefault(input.name(), input.type());
            fit(input, type, named);
            types.put(input.name(), type);
        }
        for (String name : given.keySet()) {
            if (!types.containsKey(name)) {
                throw new InputException("the model has no input '" + name + "'; it has " + types.keySet());
            }
        }
        return types;
    }

    /**
     * As {@link #types}, with the sizes that the file has for what they leave open; if none is given, with the usual types.
     *
     * @throws InputException if a given one is unknown or does not fit
     */
    static Map<String, TensorType> usual(Graph graph, Map<String, TensorType> given) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        for (Graph.Input input : graph.inputs()) {
            if (given.isEmpty() || input.usual().isPresent()) {
                types.put(input.name(), input.usualType());
            }
        }
        types.putAll(given);
        return types(graph, types);
    }

    /**
     * As {@link #types}, all of them known.
     *
     * @throws InputException if a type does not fit the model, or leaves a dimension open
     */
    static Map<String, TensorType> known(Graph graph, Map<String, TensorType> given) {
        Map<String, TensorType> types = types(graph, given);
        types.forEach((name, type) -> {
            if (!type.shape().isKnown()) {
                throw new InputException("input '" + name + "' is " + type + ": give all its dimensions");
            }
        });
        return types;
    }

    private static void fit(Graph.Input input, TensorType type, Map<String, Long> named) {
        Shape wanted = input.type().shape();
        // Exporters write an empty shape also where they know none, so a declared scalar takes any shape.
        boolean anyShape = wanted.rank() == 0;
        String contradiction = "";
        boolean fits = type.dtype() == input.type().dtype()
                && (anyShape || type.shape().rank() == wanted.rank());
        for (int axis = 0; fits && !input.resizable() && axis < wanted.rank(); axis++) {
            Dim given = type.shape().dim(axis);
            fits = fit(wanted.dim(axis), given, named);
            contradiction = fits ? "" : contradiction(wanted.dim(axis), given, named);
        }
        if (!fits) {
            throw new InputException(
                    "input '" + input.name() + "' must be " + input.type() + ", but is " + type + contradiction);
        }
        if (!type.fits()) {
            throw new InputException("input '" + input.name() + "' is " + type + ", which is too large");
        }
    }

    private static String contradiction(Dim wanted, Dim given, Map<String, Long> named) {
        return wanted instanceof Dim.Named name
                ? "; " + name.name() + " is " + named.get(name.name()) + " before, and " + given + " here"
                : "";
    }

    private static boolean fit(Dim wanted, Dim given, Map<String, Long> named) {
        if (!(given instanceof Dim.Known size) || wanted.equals(Dim.unknown())) {
            return true;
        }
        if (wanted instanceof Dim.Named name) {
            Long before = named.putIfAbsent(name.name(), size.size());
            return before == null || before == size.size();
        }
        return wanted.equals(given);
    }
}
