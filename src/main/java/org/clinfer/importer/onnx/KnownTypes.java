package org.clinfer.importer.onnx;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import org.clinfer.graph.Node;
import org.clinfer.importer.Inference;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownType;
import org.clinfer.tensor.Tensor;

/** Types of values as far as they are declared in the file or follow from the nodes written so far. */
final class KnownTypes {

    /** A number of axes that no value has. */
    private static final int MOST_AXES = 64;

    private final Map<String, KnownType> types = new HashMap<>();
    private final Queue<Node> noted = new ArrayDeque<>();
    private final Inference inference;
    private final Map<String, Tensor> constants;
    private final Function<String, Optional<Integers>> elements;
    private final Set<String> variable;

    /**
     * Types of nothing yet.
     *
     * @param constants the constants known so far; read, never written
     * @param elements the elements of a value where they are known, which then decide what is written
     * @param variable the constants in whose place a run may supply others
     */
    KnownTypes(
            Inference inference,
            Map<String, Tensor> constants,
            Function<String, Optional<Integers>> elements,
            Set<String> variable) {
        this.inference = inference;
        this.constants = constants;
        this.elements = elements;
        this.variable = variable;
    }

    void declare(String value, KnownType type) {
        types.merge(value, type, KnownType::or);
    }

    /** Says of a value this and no more, in the place of what follows from its node. */
    void redeclare(String value, KnownType type) {
        followAll();
        types.put(value, type);
    }

    KnownType of(String value) {
        KnownType known = known(value);
        if (known.dtype().isPresent() && known.shape().isPresent()) {
            return known;
        }
        followAll();
        return known(value);
    }

    private KnownType known(String value) {
        Tensor constant = constants.get(value);
        return constant != null ? KnownType.of(constant.type()) : types.getOrDefault(value, KnownType.NOTHING);
    }

    OptionalInt rank(String value) {
        return of(value).rank();
    }

    /** Notes a node; it is followed when somebody asks for a type, which in many networks nobody does. */
    void note(Node node) {
        noted.add(node);
    }

    private void followAll() {
        while (!noted.isEmpty()) {
            follow(noted.remove());
        }
    }

    /** Notes what a node's outputs must be; a declaration in the file stands above it. */
    private void follow(Node node) {
        boolean reshapes = node.op().equals("Reshape");
        Set<String> decisive = inference.decisive(node);
        List<KnownType> outputs = inference.follow(
                node,
                value -> decisive.contains(value) && (reshapes || !variable.contains(value))
                        ? withElements(value)
                        : Inference.Operand.of(reshapes ? ofAnyRank(known(value)) : known(value)));
        for (int i = 0; i < outputs.size(); i++) {
            if (!node.outputs().get(i).isEmpty()) {
                declare(node.outputs().get(i), outputs.get(i));
            }
        }
    }

    private Inference.Operand withElements(String value) {
        Tensor constant = constants.get(value);
        if (constant != null && !variable.contains(value)) {
            return Inference.Operand.of(constant);
        }
        KnownType type = known(value);
        int rank = type.rank().orElse(2);
        return elements.apply(value)
                .filter(known -> rank == 1 || (rank == 0 && known.size() == 1))
                .map(known -> new Inference.Operand(type, null, known.sizes()))
                .orElse(Inference.Operand.of(type));
    }

    /** The input of a Reshape may have any number of axes: with the most there can be, every axis that the target copies is there. */
    private static KnownType ofAnyRank(KnownType type) {
        return type.withShape(type.shape().or(() -> Optional.of(KnownType.anyShape(MOST_AXES))));
    }
}
