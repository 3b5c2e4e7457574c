package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every operator that is read runs, and every option that it has changes the result, or is refused by its name. */
class TfliteOptionsTest {

    private static final String ACTIVATION = "fused_activation_function=1";
    private static final String REFUSED = "refused: ";
    private static final String PICTURE = "p1,6,6,2";
    private static final String WINDOW = "stride_w=1 stride_h=1";

    /** Options that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("pot_scale_int16", "how sums of 16 bits are computed"),
            Map.entry("quantized_bias_type", "the type of the bias tells it"),
            Map.entry("depth_multiplier", "the shapes tell it"),
            Map.entry("asymmetric_quantize_inputs", "how inputs of products are rounded; they are not"),
            Map.entry("new_height", "of the first files; the second input has it"),
            Map.entry("new_width", "of the first files; the second input has it"),
            Map.entry("in_data_type", "the tensor tells it"),
            Map.entry("out_data_type", "the tensor tells it"),
            Map.entry("output_type", "the tensor tells it"),
            Map.entry("idx_out_type", "the tensor tells it"),
            Map.entry("out_type", "the tensor tells it"),
            Map.entry("validate_indices", "whether indices out of order are an error"),
            Map.entry("values_count", "the number of inputs tells it"),
            Map.entry("proj_clip", "there is no projection"));

    /** The inputs of one direction of a layer. */
    private static final String LSTM = "w4,2 w4,2 w4,2 w4,2 w4,4 w4,4 w4,4 w4,4 - - - w4 w4 w4 w4 - - ";

    private record Case(TfliteCases network, List<String> others) {}

    private static Case of(String type, String operands, String options, String... others) {
        return new Case(TfliteCases.of(type, operands, options), List.of(others));
    }

    private static Case giving(String types, String type, String operands, String options, String... others) {
        return new Case(TfliteCases.of(type, operands, options).gives(types), List.of(others));
    }

    private static final String[] MEAN_POOL = pool(1);

    /** What these give is seldom below 0. */
    private static final String[] BOUNDED_POOL = pool(2);

    private static String[] pool(int activation) {
        return new String[] {
            "padding=1",
            "stride_w=2",
            "stride_h=2",
            "filter_width=2",
            "filter_height=2",
            "fused_activation_function=" + activation
        };
    }

    private static final List<Case> CASES = List.of(
            of("ABS", "p2,3", ""),
            of("ADD", "p1,3,3,2 p1,3,3,2", "", ACTIVATION, "pot_scale_int16=0"),
            of("ADD", "p1,3,3,2 w2", "fused_activation_function=3"),
            of("ADD_N", "p2,3 p2,3 p2,3", ""),
            giving("int32", "ARG_MAX", "p2,5 s1", "", "output_type=2"),
            giving("int64", "ARG_MIN", "p2,3,4,5 s-1", "output_type=4", "output_type=2"),
            of("ATAN2", "p2,3 p2,3", ""),
            of("AVERAGE_POOL_2D", PICTURE, WINDOW + " filter_width=3 filter_height=3", MEAN_POOL),
            of("BATCH_MATMUL", "p2,3,3 p2,3,3", "", "adj_x=1", "adj_y=1", "asymmetric_quantize_inputs=1"),
            of("BATCH_TO_SPACE_ND", "p4,2,3,2 i2,2 m0,1,1,0@2,2", ""),
            giving("int32", "BITCAST", "p2,3", ""),
            giving("int32", "BITWISE_XOR", "d2,3 d2,3", ""),
            giving(
                    "float32 float32",
                    "BIDIRECTIONAL_SEQUENCE_LSTM",
                    "p2,3,2 " + LSTM + LSTM + "v2,4 v2,4 v2,4 v2,4 - - - - - - - - -",
                    "fused_activation_function=4 time_major=0",
                    "fused_activation_function=1",
                    "cell_clip=0.1",
                    "proj_clip=0.1",
                    "merge_outputs=1",
                    "time_major=1",
                    "asymmetric_quantize_inputs=1"),
            of(
                    "BIDIRECTIONAL_SEQUENCE_LSTM",
                    "p2,3,2 " + LSTM + LSTM + "v3,4 v3,4 v3,4 v3,4 - - - - - - - - -",
                    "fused_activation_function=4 time_major=1 merge_outputs=1"),
            giving(
                    "float32 float32",
                    "BIDIRECTIONAL_SEQUENCE_RNN",
                    "p2,3,2 w4,2 w4,4 w4 v2,4 w4,2 w4,4 w4 v2,4 - - -",
                    "fused_activation_function=4",
                    "time_major=1",
                    "fused_activation_function=1",
                    "merge_outputs=1",
                    "asymmetric_quantize_inputs=1"),
            of(
                    "BIDIRECTIONAL_SEQUENCE_RNN",
                    "p2,3,2 w4,2 w4,4 w4 v2,4 w4,2 w4,4 w4 v2,4 - - -",
                    "fused_activation_function=1 merge_outputs=1"),
            giving("int32", "BROADCAST_ARGS", "i1,3 i2,1,1", ""),
            of("BROADCAST_TO", "p1,3,1 i2,3,4", ""),
            giving("int32", "BUCKETIZE", "p2,5", "boundaries=-1,0,0.5", "boundaries=-0.5,1"),
            giving("int32", "BUCKETIZE", "d2,5", "boundaries=-5,0,5", "boundaries=1"),
            giving("int32", "CAST", "p2,3", "in_data_type=0 out_data_type=2", "in_data_type=2", "out_data_type=0"),
            giving("float32", "CAST", "b2,3", ""),
            of("CEIL", "p2,3", ""),
            of("CONCATENATION", "p2,2,2,2 p2,2,2,2", "axis=3", "axis=1", "axis=-2", ACTIVATION),
            of(
                    "CONV_2D",
                    PICTURE + " w4,3,3,2 w4",
                    WINDOW,
                    "padding=1",
                    "stride_w=2",
                    "stride_h=2",
                    ACTIVATION,
                    "dilation_w_factor=2",
                    "dilation_h_factor=2",
                    "quantized_bias_type=2"),
            of("CONV_2D", "p2,7,5,4 w6,3,2,2 w6", "stride_w=2 stride_h=1 fused_activation_function=2"),
            of(
                    "CONV_3D",
                    "p1,4,5,5,2 w2,3,2,2,3 w3",
                    "stride_d=1 " + WINDOW,
                    "padding=1",
                    "stride_d=2",
                    "stride_w=2",
                    "stride_h=2",
                    ACTIVATION,
                    "dilation_d_factor=2",
                    "dilation_w_factor=2",
                    "dilation_h_factor=2"),
            of(
                    "CONV_3D_TRANSPOSE",
                    "i1,6,8,10,3 w4,4,4,3,2 p1,3,4,5,2",
                    "stride_d=2 stride_h=2 stride_w=2",
                    ACTIVATION,
                    "stride_d=3",
                    "stride_w=3",
                    "stride_h=3",
                    "padding=1",
                    "dilation_d_factor=2",
                    "dilation_w_factor=2",
                    "dilation_h_factor=2"),
            of("COS", "p2,3", ""),
            of("CUMSUM", "p2,3,4 s1", "", "exclusive=1", "reverse=1"),
            of("DEPTH_TO_SPACE", "p1,2,3,16", "block_size=2", "block_size=4"),
            of(
                    "DEPTHWISE_CONV_2D",
                    PICTURE + " w1,3,3,4 w4",
                    WINDOW + " depth_multiplier=2",
                    "padding=1",
                    "stride_w=2",
                    "stride_h=2",
                    "depth_multiplier=3",
                    ACTIVATION,
                    "dilation_w_factor=2",
                    "dilation_h_factor=2"),
            of("DEQUANTIZE", "q2,3", ""),
            of("DEQUANTIZE", "u1,2,2,3", ""),
            of("DENSIFY", "p2,3", ""),
            of("DILATE", "p2,3 i2,3 f-1", ""),
            of("DIV", "p2,3 n2,3", "", ACTIVATION),
            of("DYNAMIC_UPDATE_SLICE", "p3,4 p2,2 i1,-1", ""),
            of("DYNAMIC_UPDATE_SLICE", "p3,4 p2,2 i2,2", ""),
            of("ELU", "p2,3", ""),
            of("EMBEDDING_LOOKUP", "i2,0,1 w3,4", ""),
            giving("bool", "EQUAL", "d2,3 d2,3", ""),
            of("EXP", "p2,3", ""),
            of("EXPAND_DIMS", "p2,3 s1", ""),
            of("FAKE_QUANT", "p2,3", "min=-1 max=1.5 num_bits=8", "min=-0.5", "max=1", "num_bits=4", "narrow_range=1"),
            of("FILL", "i2,3 f1.5", ""),
            of("FLOOR", "p2,3", ""),
            of("FLOOR_DIV", "p2,3 n2,3", ""),
            giving("int32", "FLOOR_DIV", "d2,3 i2,-3,5", ""),
            of("FLOOR_MOD", "p2,3 n2,3", ""),
            giving("int32", "FLOOR_MOD", "d2,3 i2,-3,5", ""),
            of(
                    "FULLY_CONNECTED",
                    "p2,1,3 w4,3 w4",
                    "",
                    ACTIVATION,
                    "weights_format=1",
                    "keep_num_dims=1",
                    "asymmetric_quantize_inputs=1",
                    "quantized_bias_type=2"),
            of("FULLY_CONNECTED", "p2,3 w4,3 -", ""),
            of("GATHER", "p3,3,3 m0,2,1,1,0,2@3,2", "axis=1", "axis=0", "batch_dims=1"),
            of("GATHER", "p3,4 i1,0,2", "axis=1 batch_dims=1"),
            of("GATHER", "p2,3,2,4 m3,0,1,2@2,2", "axis=3 batch_dims=1"),
            of("GATHER_ND", "p3,2,4 m0,1,2,0@2,2", ""),
            of("GELU", "p2,3", "", "approximate=1"),
            giving("bool", "GREATER", "p2,3 p2,3", ""),
            giving("bool", "GREATER_EQUAL", "p2,3 p2,3", ""),
            of("HARD_SWISH", "p2,3", ""),
            of("L2_NORMALIZATION", "p2,3,3,4", "", ACTIVATION),
            of("L2_POOL_2D", PICTURE, WINDOW + " filter_width=3 filter_height=3", BOUNDED_POOL),
            of("LEAKY_RELU", "p2,3", "alpha=0.1", "alpha=0.3"),
            giving("bool", "LESS", "p2,3 p2,3", ""),
            giving("bool", "LESS_EQUAL", "p2,3 p2,3", ""),
            of(
                    "LOCAL_RESPONSE_NORMALIZATION",
                    "p1,2,2,6",
                    "radius=1 bias=1 alpha=0.5 beta=0.75",
                    "radius=2",
                    "bias=2",
                    "alpha=0.25",
                    "beta=0.5"),
            of("LOG", "n2,3", ""),
            of("LOG_SOFTMAX", "p2,5", ""),
            of(
                    "LSTM",
                    "p3,2 w4,2 w4,2 w4,2 w4,2 w4,4 w4,4 w4,4 w4,4 w4 w4 w4 w4 w4 w4 w4 - - v3,4 v3,4",
                    "fused_activation_function=4",
                    "fused_activation_function=1",
                    "cell_clip=0.1",
                    "proj_clip=0.1",
                    "kernel_type=1",
                    "asymmetric_quantize_inputs=1"),
            giving(
                    "float32 float32",
                    "LSTM",
                    "p3,2 p3,4 w16,6 w16 p3,4",
                    "fused_activation_function=4 kernel_type=1",
                    "fused_activation_function=1",
                    "cell_clip=0.1",
                    "kernel_type=0"),
            giving("bool", "LOGICAL_AND", "b2,3 b2,3", ""),
            giving("bool", "LOGICAL_NOT", "b2,3", ""),
            giving("bool", "LOGICAL_OR", "b2,3 b2,3", ""),
            of("LOGISTIC", "p2,3", ""),
            of("MAX_POOL_2D", PICTURE, WINDOW + " filter_width=3 filter_height=3", BOUNDED_POOL),
            of("MATRIX_DIAG", "p2,3", ""),
            of("MATRIX_SET_DIAG", "p2,3,4 p2,3", ""),
            of("MATRIX_SET_DIAG", "p2,4,3 p2,3", ""),
            of("MAXIMUM", "p2,3 p2,3", ""),
            of("MEAN", "p2,3,4,5 i1,2", "", "keep_dims=1"),
            of("MINIMUM", "p2,3 p2,3", ""),
            of("MIRROR_PAD", "p2,3 m0,1,1,1@2,2", "mode=0", "mode=1"),
            of("MUL", "p2,3 p2,3", "", ACTIVATION),
            of("NEG", "p2,3", ""),
            giving("int32 int32", "NON_MAX_SUPPRESSION_V4", "n6,4 n6 s8 f0.1 f0.5", ""),
            giving("int32 float32 int32", "NON_MAX_SUPPRESSION_V5", "n6,4 n6 s8 f0.1 f0.5 f0", ""),
            giving("int32 float32 int32", "NON_MAX_SUPPRESSION_V5", "n6,4 n6 s2 f0.9 f0.1 f0", ""),
            giving("bool", "NOT_EQUAL", "d2,3 d2,3", ""),
            of("ONE_HOT", "e2,2 s2 f2 f0.5", "axis=-1", "axis=0"),
            of("PACK", "p2,3 p2,3", "values_count=2 axis=0", "values_count=3", "axis=1"),
            of("PAD", "p1,2,2,3 m0,0,1,2,2,1,0,0@4,2", ""),
            of("PADV2", "p1,2,2,3 m0,0,1,2,2,1,0,1@4,2 f1.5", ""),
            of("POW", "n2,3 p2,3", ""),
            of("PRELU", "p1,2,2,3 w1,1,3", ""),
            giving("int8", "QUANTIZE", "p2,3", ""),
            giving("int8", "QUANTIZE", "q2,3", ""),
            giving("int32", "RANGE", "s1 s9 s3", ""),
            giving("int32", "RANK", "p2,3,4", ""),
            giving("bool", "REDUCE_ALL", "b2,3,2 i1", "", "keep_dims=1"),
            giving("bool", "REDUCE_ANY", "b2,3,2 i1", "", "keep_dims=1"),
            of("REDUCE_MAX", "p2,3,4 i1", "", "keep_dims=1"),
            of("REDUCE_MIN", "p2,3,4 i1", "", "keep_dims=1"),
            of("REDUCE_PROD", "p2,3,4 i1", "", "keep_dims=1"),
            of("RELU", "p2,3", ""),
            of("RELU6", "p2,3", ""),
            of("RELU_0_TO_1", "p2,3", ""),
            of("RELU_N1_TO_1", "p2,3", ""),
            of("RESHAPE", "p2,3", "new_shape=3,2", "new_shape=6"),
            of("RESHAPE", "p2,3 i3,2", ""),
            of(
                    "RESIZE_BILINEAR",
                    "p1,3,4,2 i5,7",
                    "",
                    "align_corners=1",
                    "half_pixel_centers=1",
                    "new_height=3",
                    "new_width=3"),
            of("RESIZE_NEAREST_NEIGHBOR", "p1,3,4,2 i5,7", "", "align_corners=1", "half_pixel_centers=1"),
            of("REVERSE_SEQUENCE", "p2,2,3 i1,2", "seq_dim=1", "seq_dim=2", "batch_dim=1"),
            of("REVERSE_V2", "p2,3,4 i1", ""),
            giving("int32", "RIGHT_SHIFT", "d2,3 i1,0,2", ""),
            of(
                    "RNN",
                    "p2,3 w4,3 w4,4 w4 v2,4",
                    "fused_activation_function=4",
                    "fused_activation_function=1",
                    "asymmetric_quantize_inputs=1"),
            of("ROUND", "p2,3", ""),
            of("RSQRT", "n2,3", ""),
            of("SCATTER_ND", "m0,2,2@3,1 w3,2 i4,2", ""),
            of("SEGMENT_SUM", "p4,3 i0,0,1,2", ""),
            giving("int32", "SEGMENT_SUM", "d3,2,2 i0,0,0", ""),
            of("SELECT", "b2,3 p2,3 p2,3", ""),
            of("SELECT_V2", "b2,1 p2,3 p1,3", ""),
            giving("int32", "SHAPE", "p2,3", "", "out_type=2"),
            of("SIGN", "p2,3", ""),
            of("SIN", "p2,3", ""),
            of("SLICE", "p3,4,5 i1,0,2 i2,3,-1", ""),
            of("SOFTMAX", "p2,5", "beta=1", "beta=0.5"),
            of("SPACE_TO_BATCH_ND", "p1,3,4,2 i2,2 m0,1,1,1@2,2", ""),
            of("SPACE_TO_DEPTH", "p1,4,4,3", "block_size=2", "block_size=4"),
            of("SPARSE_TO_DENSE", "m0,1,2,0@2,2 i3,2 w2 f-1", "", "validate_indices=1"),
            of("SPARSE_TO_DENSE", "i1,3 i5 w2 f0", ""),
            giving("float32 float32", "SPLIT", "s1 p2,4,3", "num_splits=2", "num_splits=4"),
            giving("float32 float32", "SPLIT_V", "p2,5,3 i2,-1 s1", "num_splits=2", "num_splits=3"),
            of("SQRT", "n2,3", ""),
            of("SQUARE", "p2,3", ""),
            of("SQUARED_DIFFERENCE", "p2,3 p2,3", ""),
            of("SQUEEZE", "p1,2,1,3", "", "squeeze_dims=2"),
            of(
                    "STRIDED_SLICE",
                    "p4,5,6 i1,2,3 i3,4,5 i1,1,1",
                    "",
                    "begin_mask=1",
                    "end_mask=2",
                    "ellipsis_mask=2",
                    "new_axis_mask=1",
                    "shrink_axis_mask=2",
                    "offset=1"),
            of("STRIDED_SLICE", "p4,5,6 i-1,3,-2 i0,0,-6 i-1,-2,-3", "end_mask=1"),
            of("STRIDED_SLICE", "p4,5,6 i-6,3,-2 i0,0,-6 i-1,-2,-3", "end_mask=1"),
            of("STRIDED_SLICE", "p4,5,6 i-1,3,-2 i2147483647,0,-6 i-1,-2,-3", "begin_mask=1"),
            of("SUB", "p2,3 p2,3", "", ACTIVATION, "pot_scale_int16=0"),
            of("SUM", "p2,3,4 i1,2", "", "keep_dims=1"),
            of(
                    "SVDF",
                    "p2,3 w4,3 w4,5 w2 v2,20",
                    "rank=2",
                    "rank=1",
                    "fused_activation_function=2",
                    "asymmetric_quantize_inputs=1"),
            of("SVDF", "p2,3 w4,3 w4,5 - v2,20", "rank=1 fused_activation_function=1"),
            of("TANH", "p2,3", ""),
            of("TILE", "p2,3 i2,2", ""),
            giving("float32 int32", "TOPK_V2", "p2,5 s3", ""),
            of("TRANSPOSE", "p2,3,4 i2,0,1", ""),
            of(
                    "TRANSPOSE_CONV",
                    "i1,6,9,3 w3,4,4,2 p1,3,3,2 w3",
                    "stride_w=3 stride_h=2",
                    "padding=1",
                    "stride_w=4",
                    "stride_h=3",
                    ACTIVATION,
                    "quantized_bias_type=2"),
            of(
                    "UNIDIRECTIONAL_SEQUENCE_LSTM",
                    "p2,3,2 w4,2 w4,2 w4,2 w4,2 w4,4 w4,4 w4,4 w4,4 - - - w4 w4 w4 w4 - - v2,4 v2,4",
                    "fused_activation_function=4",
                    "fused_activation_function=1",
                    "cell_clip=0.1",
                    "proj_clip=0.1",
                    "time_major=1",
                    "asymmetric_quantize_inputs=1",
                    "diagonal_recurrent_tensors=1"),
            of(
                    "UNIDIRECTIONAL_SEQUENCE_LSTM",
                    "p2,3,2 w4,2 w4,2 w4,2 w4,2 w4,4 w4,4 w4,4 w4,4 w4 w4 w4 w4 w4 w4 w4 - - v2,4 v2,4",
                    "fused_activation_function=4"),
            of(
                    "UNIDIRECTIONAL_SEQUENCE_RNN",
                    "p2,3,2 w4,2 w4,4 w4 v2,4",
                    "fused_activation_function=4",
                    "fused_activation_function=1",
                    "time_major=1",
                    "asymmetric_quantize_inputs=1"),
            of("UNSORTED_SEGMENT_MAX", "p4,2 i1,0,1,3 s4", ""),
            of("UNSORTED_SEGMENT_MAX", "p4,2 i1,-1,1,0 s2", ""),
            of("UNSORTED_SEGMENT_MIN", "p4,2 i1,0,1,3 s4", ""),
            of("UNSORTED_SEGMENT_MIN", "p4,2 i1,-1,1,0 s2", ""),
            of("UNSORTED_SEGMENT_PROD", "p4,2 i1,0,1,3 s4", ""),
            of("UNSORTED_SEGMENT_PROD", "p4,2 i1,-1,1,0 s2", ""),
            of("UNSORTED_SEGMENT_SUM", "p4,2 i1,0,1,3 s4", ""),
            of("UNSORTED_SEGMENT_SUM", "p4,2 i1,-1,1,0 s2", ""),
            of("UNSORTED_SEGMENT_SUM", "p2,2,3 m0,1,2,1@2,2 s3", ""),
            giving("int32 int32", "UNIQUE", "d24", "idx_out_type=2", "idx_out_type=4"),
            giving("float32 int32", "UNIQUE", "p5", "idx_out_type=2"),
            giving("float32 float32", "UNPACK", "p2,2,3", "num=2 axis=0", "num=3", "axis=1"),
            giving("int64", "WHERE", "b2,3", ""),
            giving("int64", "WHERE", "p3", ""),
            of("ZEROS_LIKE", "p2,3", ""));

    @TempDir
    Path folder;

    /** All networks of one operator. */
    static List<TfliteCases> networks() {
        List<TfliteCases> networks = new ArrayList<>();
        for (Case each : CASES) {
            networks.add(each.network());
            each.others().forEach(option -> networks.add(each.network().with(option)));
        }
        return networks;
    }

    private String result(TfliteCases network) throws IOException {
        TfliteCases.Written written = network.write();
        try {
            return written.net().run(folder, written.inputs()).values().stream()
                    .map(TfliteOptionsTest::shown)
                    .collect(Collectors.joining("; "));
        } catch (GraphException | InputException refused) {
            return REFUSED + refused.getMessage();
        }
    }

    private static String shown(Tensor tensor) {
        return tensor.type() + " " + Arrays.toString(tensor.toDoubleArray());
    }

    @Test
    void everyOperatorRuns() throws IOException {
        for (Case each : CASES) {
            assertThat(result(each.network())).as(each.network().toString()).doesNotStartWith(REFUSED);
        }
    }

    @Test
    void noMoreIsMadeThanFitsAFileOfThatSize() throws IOException {
        assertThat(result(TfliteCases.of("MATRIX_DIAG", "p3000", "")))
                .startsWith(REFUSED)
                .contains("a tensor that takes 9000000 places");
        assertThat(result(TfliteCases.of("DYNAMIC_UPDATE_SLICE", "p1500,1500 p1500,1500 i0,0", "")))
                .startsWith(REFUSED)
                .contains("a tensor that takes 4500000 places");
    }

    @Test
    void everyOptionCounts() throws IOException {
        for (Case each : CASES) {
            String usual = result(each.network());
            for (String option : each.others()) {
                String name = option.substring(0, option.indexOf('='));
                String result = result(each.network().with(option));
                if (WITHOUT_EFFECT.containsKey(name)) {
                    assertThat(result).as(each.network().type() + " " + option).isEqualTo(usual);
                } else {
                    assertThat(result).as(each.network().type() + " " + option).isNotEqualTo(usual);
                }
            }
        }
    }

    /** Operators of the table that have no case here, and their options. */
    @Test
    void everyOptionIsTried() {
        Set<String> missing = new TreeSet<>(TfliteTranslation.OPERATORS.types());
        missing.removeAll(Set.of("Convolution2DTransposeBias", "TFLite_Detection_PostProcess"));
        missing.removeAll(TfliteFourierLayers.OF_COMPLEX);
        missing.removeAll(TfliteFourierLayers.GIVES_COMPLEX);
        for (Case each : CASES) {
            missing.remove(each.network().type());
        }
        assertThat(missing).isEmpty();
        for (TfliteSchema.Builtin builtin : TfliteSchema.BUILT_IN.operators()) {
            boolean known = TfliteTranslation.OPERATORS.types().contains(builtin.name());
            for (TfliteSchema.Field field : known ? builtin.fields() : List.<TfliteSchema.Field>of()) {
                assertThat(CASES)
                        .as(builtin.name() + " " + field.name())
                        .anyMatch(each -> each.network().type().equals(builtin.name())
                                && each.others().stream().anyMatch(option -> option.startsWith(field.name() + "=")));
            }
        }
    }
}
