package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class KnownTypesTest {

    /** Operators of which nothing follows from inputs alone. */
    private static final Set<String> NOT_FOLLOWED = Stream.of(
                    // their parameters say it
                    Stream.of("Cast", "ConstantOfShape", "Range"),
                    // they are made after a model was read, or by readers of other formats
                    Stream.of("BlockChannels", "UnblockChannels", "BlockedConv", "ConvToBlocks", "BlockedScale"),
                    Stream.of("BlockedBinary", "BlockedPool", "BlockedGlobalAveragePool", "BlockedResize"),
                    Stream.of("FusedConv", "FusedConvTranspose", "BinaryConvolution", "DepthwiseConv2d"),
                    Stream.of("Deconvolution", "InnerProduct", "Upsample", "DeePhiDownsample"),
                    Stream.of("DetectionOutput", "Proposal", "PsRoiPool"),
                    // where they stand in networks, nobody asks
                    Stream.of("Col2Im", "Det", "RoiPool", "TopK"))
            .flatMap(Function.identity())
            .collect(Collectors.toUnmodifiableSet());

    /** They are no nodes. */
    private static final Set<String> OF_THE_GRAPH = Set.of("Input", "Const", "Output");

    private static KnownType result(OpDescription op, KnownType input) {
        KnownTypes types = new KnownTypes(Map.of(), value -> Optional.empty());
        List<String> inputs = new ArrayList<>();
        for (InputDescription each : op.inputs()) {
            inputs.add(each.name());
            types.declare(each.name(), input);
        }
        types.follow(new Node("node", op.optype(), inputs, List.of("result"), Map.of(), new SourceRef("test", "")));
        return types.of("result");
    }

    @Test
    void somethingFollowsOfEveryOperatorButThese() {
        KnownType reals = KnownType.of(TensorType.of(DType.FLOAT32, 2, 3, 4, 5));
        Set<String> without = new TreeSet<>();
        for (OpDescription op : OpCatalog.builtIn().operators()) {
            if (!OF_THE_GRAPH.contains(op.optype()) && result(op, reals).equals(KnownType.NOTHING)) {
                without.add(op.optype());
            }
        }
        assertThat(without).containsExactlyInAnyOrderElementsOf(NOT_FOLLOWED);
    }

    @Test
    void descriptionsSayWhatElementsBecome() {
        KnownType known = KnownType.of(TensorType.of(DType.FLOAT16, 2, 3));
        for (String op : List.of("Celu", "Softmax", "CumSum", "Add", "Clip", "PRelu", "ScatterND", "Identity", "Max")) {
            assertThat(result(OpCatalog.builtIn().find(op).orElseThrow(), known))
                    .as(op)
                    .isEqualTo(known);
        }
        for (String op : List.of("Less", "Equal", "And")) {
            assertThat(result(OpCatalog.builtIn().find(op).orElseThrow(), known))
                    .as(op)
                    .isEqualTo(known.withDtype(DType.BOOL));
        }
    }

    @Test
    void shapesAreBroadcast() {
        KnownTypes types = new KnownTypes(Map.of(), value -> Optional.empty());
        types.declare("yes", KnownType.of(TensorType.of(DType.BOOL, 5)));
        types.declare("a", KnownType.of(TensorType.of(DType.FLOAT16, 3, 1)));
        types.declare("b", KnownType.of(TensorType.of(DType.FLOAT16)));
        SourceRef source = new SourceRef("test", "");
        types.follow(new Node("node", "Where", List.of("yes", "a", "b"), List.of("y"), Map.of(), source));
        assertThat(types.of("y"))
                .isEqualTo(new KnownType(Optional.of(DType.FLOAT16), Optional.of(KnownType.anyShape(2))));
        types.follow(new Node("node", "Where", List.of("yes", "a", "other"), List.of("z"), Map.of(), source));
        assertThat(types.of("z")).isEqualTo(new KnownType(Optional.of(DType.FLOAT16), Optional.empty()));
    }
}
