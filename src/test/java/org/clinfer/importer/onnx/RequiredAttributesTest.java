package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes to which ONNX gives no default: a node without one is refused, and the refusal has its name. */
class RequiredAttributesTest {

    private static final Set<String> LISTS = Set.of(
            "kernel_shape", "pooled_shape", "shape", "scales", "pads", "paddings", "starts", "ends", "axes", "strides");

    private static final Set<String> REALS = Set.of("width_scale", "height_scale", "seed");

    private static final Set<String> TEXTS = Set.of("equation", "direction");

    @TempDir
    private Path folder;

    /** An attribute with a value of its kind. */
    private static AttributeProto attribute(String name) {
        if (LISTS.contains(name)) {
            return TestModel.ints(name, 1, 1);
        } else if (REALS.contains(name)) {
            return TestModel.real(name, 1);
        }
        return TEXTS.contains(name)
                ? TestModel.text(name, "LEFT")
                : TestModel.integer(name, name.equals("block_size") ? 16 : 1);
    }

    /**
     * @param shape of all inputs
     * @param given the attributes that do not stand in the way
     */
    @ParameterizedTest
    @CsvSource({
        "AveragePool, 11, 1, 1x1x4x4, '', kernel_shape",
        "MaxPool, 11, 1, 1x1x4x4, '', kernel_shape",
        "LpPool, 11, 1, 1x1x4x4, '', kernel_shape",
        "MaxRoiPool, 11, 2, 1x1x4x4, '', pooled_shape",
        "MaxUnpool, 11, 2, 1x1x4x4, '', kernel_shape",
        "Cast, 5, 1, 2x2, '', to",
        "Cast, 13, 1, 2x2, '', to",
        "BitCast, 26, 1, 2x2, '', to",
        "Concat, 13, 2, 2x2, '', axis",
        "DepthToSpace, 13, 1, 1x4x2x2, '', blocksize",
        "SpaceToDepth, 13, 1, 1x4x2x2, '', blocksize",
        "Einsum, 12, 2, 2x2, '', equation",
        "GroupNormalization, 21, 3, 1x4x2x2, '', num_groups",
        "LRN, 13, 1, 1x4x2x2, '', size",
        "RandomNormal, 13, 0, 2x2, seed, shape",
        "RandomUniform, 13, 0, 2x2, seed, shape",
        "BitShift, 11, 2, 2x2, '', direction",
        "Upsample, 7, 1, 1x1x2x2, '', scales",
        "Upsample, 1, 1, 1x1x2x2, height_scale, width_scale",
        "Upsample, 1, 1, 1x1x2x2, width_scale, height_scale",
        "Pad, 2, 1, 2, '', pads",
        "Pad, 1, 1, 2, '', paddings",
        "Slice, 1, 1, 2, ends, starts",
        "Slice, 1, 1, 2, starts, ends",
        "TopK, 1, 1, 2x2, '', k",
        "Unsqueeze, 1, 1, 2x2, '', axes",
        "If, 13, 1, 1, '', then_branch",
        "Loop, 13, 3, 1, '', body",
        "Scan, 13, 1, 2x2, num_scan_inputs, body",
        "SequenceMap, 17, 1, 2x2, '', body",
    })
    void standard(String op, int opset, int inputs, String shape, String given, String missing) {
        assertRefused(TestModel.opset(opset), op, inputs, shape, given, missing);
    }

    @ParameterizedTest
    @CsvSource({
        "QLinearConcat, 5, 1x4, '', axis",
        "QLinearAveragePool, 5, 1x1x4x4, '', kernel_shape",
        "QLinearSoftmax, 5, 2x2, '', opset",
        "Attention, 3, 1x4x8, '', num_heads",
        "MultiHeadAttention, 3, 1x4x8, '', num_heads",
        "GroupQueryAttention, 7, 1x4x8, kv_num_heads, num_heads",
        "GroupQueryAttention, 7, 1x4x8, num_heads, kv_num_heads",
        "QAttention, 5, 1x4x8, '', num_heads",
        "MatMulNBits, 3, 2x8, 'N,block_size', K",
        "MatMulNBits, 3, 2x8, 'K,block_size', N",
        "MatMulNBits, 3, 2x8, 'K,N', block_size",
        "GroupNorm, 3, 1x2x2x4, 'activation', groups",
        "GroupNorm, 3, 1x2x2x4, 'groups', activation",
    })
    void ofOnnxRuntime(String op, int inputs, String shape, String given, String missing) {
        TestModel model = TestModel.opset(17);
        model.model()
                .addOpsetImport(OperatorSetIdProto.newBuilder()
                        .setDomain(OrtQuantizedTranslators.DOMAIN)
                        .setVersion(1));
        assertRefused(model, op, inputs, shape, given, missing);
    }

    private void assertRefused(TestModel model, String op, int inputs, String shape, String given, String missing) {
        long[] sizes =
                Arrays.stream(shape.split("x")).mapToLong(Long::parseLong).toArray();
        List<String> names = IntStream.range(0, inputs).mapToObj(i -> "x" + i).toList();
        names.forEach(name -> model.input(name, sizes));
        AttributeProto[] attributes = Arrays.stream(given.split(","))
                .filter(name -> !name.isEmpty())
                .map(RequiredAttributesTest::attribute)
                .toArray(AttributeProto[]::new);
        model.node(op, String.join(",", names), "y", attributes).output("y");
        if (model.model().getOpsetImportCount() > 1) {
            model.graph().getNodeBuilder(0).setDomain(OrtQuantizedTranslators.DOMAIN);
        }
        assertThatThrownBy(() -> model.read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("attribute '" + missing + "' is missing; " + op + " needs it");
    }
}
