package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.Specializations;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The inputs of a graph that is written for one {@link Specializations.Specialization specialization}: how many values sequences have, their types, and
 * elements.
 */
final class GivenInputs {

    private final Map<String, Tensor> given;
    private final OnnxGraphWriter graph;
    private final String file;

    /** @param given the inputs of a run */
    GivenInputs(Map<String, Tensor> given, OnnxGraphWriter graph, String file) {
        this.given = given;
        this.graph = graph;
        this.file = file;
    }

    /** Adds an input if it is given, which must be of this type. */
    boolean add(String name, TensorType declared) {
        Tensor tensor = given.get(name);
        if (tensor == null) {
            return false;
        }
        TensorType type = known(declared, tensor);
        graph.addInput(name, type, KnownType.of(type));
        Integers.of(tensor).ifPresent(elements -> graph.addElements(name, elements));
        return true;
    }

    /**
     * Adds a sequence as a list, if it is given and not one tensor of more values than lists have.
     *
     * @param stack the declared type of a tensor of all its values
     * @param each the declared type of a value
     */
    boolean addSequence(String name, TensorType stack, TensorType each) {
        Tensor tensor = given.get(name);
        if (given.containsKey(Specializations.value(name, 0))) {
            graph.addSequence(name, values(name, each));
            return true;
        }
        long count = tensor == null || tensor.shape().rank() == 0
                ? -1
                : tensor.shape().sizes()[0];
        if (tensor == null || count < 0 || count > SequenceTranslators.MOST) {
            return false;
        }
        if (count == 0) { // the other sizes of a tensor without values mean nothing
            graph.addInput(name, new TensorType(each.dtype(), tensor.shape()), KnownType.of(each));
            graph.addSequence(name, List.of());
        } else {
            TensorType type = known(stack, tensor);
            graph.addInput(name, type, KnownType.of(type));
            graph.addSequence(name, slices(name, count));
        }
        return true;
    }

    private List<String> values(String sequence, TensorType declared) {
        List<String> values = new ArrayList<>();
        String value = Specializations.value(sequence, 0);
        while (given.containsKey(value)) {
            if (values.size() == SequenceTranslators.MOST) {
                throw new UnsupportedException(
                        source(sequence),
                        "sequence of more than " + SequenceTranslators.MOST + " values",
                        "it is given as more than " + SequenceTranslators.MOST
                                + " tensors; only values of one shape, in one tensor, may be more");
            }
            TensorType type = known(declared, Objects.requireNonNull(given.get(value)));
            graph.addInput(value, type, KnownType.of(type));
            values.add(value);
            value = Specializations.value(sequence, values.size());
        }
        return values;
    }

    private List<String> slices(String stack, long count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String value = graph.freshName(Specializations.value(stack, i));
            String index = graph.addSharedConstant(value, Tensor.scalar((long) i));
            Params first = new Params().put("axis", 0L);
            graph.add(new Node(value, "Gather", List.of(stack, index), List.of(value), first.map(), source(stack)));
            values.add(value);
        }
        return values;
    }

    private SourceRef source(String input) {
        return new SourceRef(file, "input '" + input + "'");
    }

    /** The type of a tensor; that which is declared where it is not of it, so that the run is refused. */
    private static TensorType known(TensorType declared, Tensor tensor) {
        Shape said = declared.shape();
        Shape shape = tensor.shape();
        boolean fits = declared.dtype() == tensor.dtype() && (said.rank() == 0 || said.rank() == shape.rank());
        for (int axis = 0; fits && axis < said.rank(); axis++) {
            fits = !said.dim(axis).isKnown() || said.dim(axis).equals(shape.dim(axis));
        }
        return fits ? tensor.type() : declared;
    }
}
