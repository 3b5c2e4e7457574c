package org.clinfer;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * The values at which a network is cut into pieces. Both sides begin a piece with the same elements, so that a rounding
 * which may go either way is seen once, where it is done, and not in all that follows from it.
 */
final class RandomPieces {

    private static final String MADE = "made_";

    /**
     * Codes that are made of real numbers.
     *
     * @param real the real numbers, divided by the scale already where that has no name
     * @param scale a constant or a cut; empty for 1
     * @param zero a constant or a cut; empty for 0
     * @param error a bound of the rounding errors of the real numbers
     */
    record Rounding(String codes, String real, String scale, String zero, Bound error) {}

    /**
     * A bound of errors.
     *
     * @param roundings so many float32 roundings, each of numbers that are no larger than the largest result
     * @param absolute what is added, for numbers that are documented to be computed in other units
     */
    record Bound(long roundings, double absolute) {}

    /**
     * A network in pieces.
     *
     * @param outputs their names in their order
     */
    record Pieces(ByteString model, List<String> outputs) {}

    private final Map<String, Optional<Rounding>> cuts = new LinkedHashMap<>();
    private final Map<String, String> scales = new HashMap<>();
    private final Map<String, NodeProto> makers = new HashMap<>();
    private final List<NodeProto> shadows = new ArrayList<>();

    /** ONNX's number of an element type. */
    static int number(DType type) {
        return switch (type) {
            case FLOAT32 -> OnnxModel.FLOAT;
            case UINT8 -> 2;
            case INT8 -> 3;
            case INT32 -> 6;
            case INT64 -> OnnxModel.INT64;
            case FLOAT16 -> 10;
            default -> throw new IllegalArgumentException(type.label());
        };
    }

    /** The network is cut at a value of real numbers. */
    void cut(String value) {
        cuts.put(value, Optional.empty());
    }

    /** The network is cut at codes. */
    void cut(Rounding rounding) {
        cuts.put(rounding.codes(), Optional.of(rounding));
    }

    /** The network is cut at a scale that DynamicQuantizeLinear makes of real numbers. */
    void cutScale(String scale, String real) {
        cut(scale);
        scales.put(scale, real);
    }

    /** The real numbers of which a cut is the scale. */
    Optional<String> scaled(String cut) {
        return Optional.ofNullable(scales.get(cut));
    }

    Set<String> cuts() {
        return cuts.keySet();
    }

    Optional<Rounding> rounding(String cut) {
        return cuts.getOrDefault(cut, Optional.empty());
    }

    /** A node that only the comparison needs: it tells what was rounded. */
    String shadow(RandomNetwork network, String op, String inputs, AttributeProto... attributes) {
        String output = network.freshName();
        shadows.add(new OnnxModel()
                .node(op, inputs, output, attributes).graph().getNode(0).toBuilder()
                        .clearName()
                        .build());
        return output;
    }

    /** The name that a cut has where it is an output of a piece. */
    static String made(String cut) {
        return MADE + cut;
    }

    /** The nodes of the piece that make a value, beginning with the last one. */
    List<NodeProto> makers(String value) {
        Set<NodeProto> nodes = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(value));
        while (!open.isEmpty()) {
            NodeProto node = makers.get(open.remove());
            if (node != null && nodes.add(node)) {
                node.getInputList().stream().filter(input -> !isGiven(input)).forEach(open::add);
            }
        }
        return List.copyOf(nodes);
    }

    /**
     * Makes inputs of all cuts; returns the outputs.
     *
     * @param shown whether all values of the network are outputs
     */
    List<String> part(OnnxModel model, Map<String, Tensor> found, boolean shown) {
        Set<String> outputs = new LinkedHashSet<>();
        for (NodeProto.Builder node : model.graph().getNodeBuilderList()) {
            NodeProto maker = node.build();
            maker.getOutputList().forEach(output -> makers.put(output, maker));
            if (shown) {
                maker.getOutputList().stream()
                        .filter(output -> !cuts.containsKey(output))
                        .forEach(outputs::add);
            }
            for (int i = 0; i < node.getOutputCount(); i++) {
                if (cuts.containsKey(node.getOutput(i))) {
                    node.setOutput(i, made(node.getOutput(i)));
                }
            }
        }
        shadows.forEach(model.graph()::addNode);
        for (String cut : cuts.keySet()) {
            Tensor tensor = Objects.requireNonNull(found.get(cut));
            model.typed(cut, number(tensor.dtype()), tensor.shape().sizes());
            outputs.add(made(cut));
            rounding(cut).map(Rounding::real).filter(real -> !isGiven(real)).ifPresent(outputs::add);
        }
        found.keySet().stream().filter(name -> !cuts.containsKey(name)).forEach(outputs::add);
        model.graph().clearOutput();
        outputs.forEach(
                name -> model.graph().addOutput(ValueInfoProto.newBuilder().setName(name)));
        return List.copyOf(outputs);
    }

    /** Whether pieces are given a value and do not compute it. */
    boolean isGiven(String value) {
        return value.equals(RandomNetwork.INPUT) || cuts.containsKey(value);
    }
}
