package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.text.Printable;

/** The attributes that TensorFlow's operators have; those of types follow from the inputs, with few exceptions. */
final class OpAttributes {

    /** Names of types, which operators share. */
    static final Set<String> TYPES = Set.of(
            "T",
            "Ta",
            "Tb",
            "Tout",
            "Tidx",
            "Tshape",
            "Tperm",
            "Tnumsegments",
            "Tsegmentids",
            "Tshift",
            "Tdim",
            "Tlen",
            "Tindices",
            "Tparams",
            "Taxis",
            "Tcrops",
            "Tblock_shape",
            "Tpaddings",
            "Tmultiples",
            "Index",
            "Targmax",
            "TArgs",
            "THostArgs",
            "Tcomplex",
            "Treal",
            "Tindex",
            "Tk",
            "T_threshold",
            "out_idx",
            "index_type",
            "TI",
            "U",
            "SrcT",
            "DstT",
            "dtype",
            "out_type",
            "output_type",
            "element_dtype",
            "shape_type");

    private static final List<String> CONVOLUTION =
            List.of("strides", "use_cudnn_on_gpu", "padding", "explicit_paddings", "data_format", "dilations");
    private static final List<String> FUSED = List.of(
            "strides",
            "use_cudnn_on_gpu",
            "padding",
            "explicit_paddings",
            "data_format",
            "dilations",
            "filter_format",
            "fused_ops",
            "num_args",
            "num_host_args",
            "epsilon",
            "leakyrelu_alpha");
    private static final List<String> POOL = List.of("ksize", "strides", "padding", "explicit_paddings", "data_format");
    private static final List<String> RESIZE = List.of("align_corners", "half_pixel_centers");
    private static final List<String> NORMALIZATION =
            List.of("epsilon", "data_format", "is_training", "exponential_avg_factor");
    private static final List<String> MEMORY = List.of("forget_bias", "cell_clip", "use_peephole");
    private static final List<String> REDUCTION = List.of("keep_dims", "keepdims");
    private static final List<String> BLOCKS = List.of("block_size", "data_format");

    private static final List<String> ROUNDING =
            List.of("signed_input", "num_bits", "range_given", "round_mode", "narrow_range", "axis");
    private static final List<String> FORMATS = List.of("src_format", "dst_format");
    private static final List<String> SEGMENTS = List.of("sparse_gradient");
    private static final List<String> RANDOM = List.of("seed", "seed2");

    /** Those of operators that have others than types. */
    static final Map<String, List<String>> OTHERS = Map.ofEntries(
            Map.entry("AccumulateNV2", List.of("N", "shape")),
            Map.entry("AddN", List.of("N")),
            Map.entry("All", REDUCTION),
            Map.entry("Any", REDUCTION),
            Map.entry("ApproximateEqual", List.of("tolerance")),
            Map.entry("AvgPool", POOL),
            Map.entry("AvgPool3D", POOL),
            Map.entry("BatchMatMul", List.of("adj_x", "adj_y", "grad_x", "grad_y")),
            Map.entry("BatchMatMulV2", List.of("adj_x", "adj_y", "grad_x", "grad_y")),
            Map.entry("BatchMatMulV3", List.of("adj_x", "adj_y", "grad_x", "grad_y")),
            Map.entry("BatchNormWithGlobalNormalization", List.of("variance_epsilon", "scale_after_normalization")),
            Map.entry("BatchToSpace", List.of("block_size")),
            Map.entry("BiasAdd", List.of("data_format")),
            Map.entry("Bitcast", List.of("type")),
            Map.entry("BlockLSTM", MEMORY),
            Map.entry("BlockLSTMV2", List.of("cell_clip", "use_peephole")),
            Map.entry("Bucketize", List.of("boundaries")),
            Map.entry("Cast", List.of("Truncate")),
            Map.entry("CheckNumerics", List.of("message")),
            Map.entry("CombinedNonMaxSuppression", List.of("pad_per_class", "clip_boxes")),
            Map.entry("Concat", List.of("N")),
            Map.entry("ConcatV2", List.of("N")),
            Map.entry("Const", List.of("value")),
            Map.entry("Conv2D", CONVOLUTION),
            Map.entry("Conv2DBackpropInput", CONVOLUTION),
            Map.entry("Conv3D", CONVOLUTION),
            Map.entry("Conv3DBackpropInputV2", CONVOLUTION),
            Map.entry("CropAndResize", List.of("extrapolation_value", "method")),
            Map.entry("Cumprod", List.of("exclusive", "reverse")),
            Map.entry("Cumsum", List.of("exclusive", "reverse")),
            Map.entry("CumulativeLogsumexp", List.of("exclusive", "reverse")),
            Map.entry("DataFormatDimMap", FORMATS),
            Map.entry("DataFormatVecPermute", FORMATS),
            Map.entry("DenseBincount", List.of("binary_output")),
            Map.entry("DepthToSpace", BLOCKS),
            Map.entry("DepthwiseConv2dNative", CONVOLUTION),
            Map.entry("Dequantize", List.of("mode", "narrow_range", "axis")),
            Map.entry("Dilation2D", List.of("strides", "rates", "padding")),
            Map.entry("ExtractImagePatches", List.of("ksizes", "strides", "rates", "padding")),
            Map.entry("ExtractVolumePatches", List.of("ksizes", "strides", "padding")),
            Map.entry("DynamicPartition", List.of("num_partitions")),
            Map.entry("DynamicStitch", List.of("N")),
            Map.entry("Einsum", List.of("equation", "N")),
            Map.entry("EnsureShape", List.of("shape")),
            Map.entry("Equal", List.of("incompatible_shape_error")),
            Map.entry("EuclideanNorm", REDUCTION),
            Map.entry("FakeQuantWithMinMaxArgs", List.of("min", "max", "num_bits", "narrow_range")),
            Map.entry("FakeQuantWithMinMaxVars", List.of("num_bits", "narrow_range")),
            Map.entry("FakeQuantWithMinMaxVarsPerChannel", List.of("num_bits", "narrow_range")),
            Map.entry("FusedBatchNorm", NORMALIZATION),
            Map.entry("FusedBatchNormV2", NORMALIZATION),
            Map.entry("FusedBatchNormV3", NORMALIZATION),
            Map.entry("FusedDepthwiseConv2dNative", FUSED),
            Map.entry("FusedPadConv2D", List.of("mode", "strides", "padding")),
            Map.entry("FusedResizeAndPadConv2D", List.of("resize_align_corners", "mode", "strides", "padding")),
            Map.entry("Gather", List.of("validate_indices", "batch_dims")),
            Map.entry("GatherNd", List.of("batch_dims", "bad_indices_policy")),
            Map.entry("GatherV2", List.of("batch_dims")),
            Map.entry("InTopK", List.of("k")),
            Map.entry("LRN", List.of("depth_radius", "bias", "alpha", "beta")),
            Map.entry("LSTMBlockCell", MEMORY),
            Map.entry("LeakyRelu", List.of("alpha")),
            Map.entry("MatMul", List.of("transpose_a", "transpose_b", "grad_a", "grad_b")),
            Map.entry("Max", REDUCTION),
            Map.entry("MaxPool", POOL),
            Map.entry("MaxPool3D", POOL),
            Map.entry("MaxPoolGrad", POOL),
            Map.entry("MaxPoolV2", List.of("padding", "data_format")),
            Map.entry("MaxPoolWithArgmax", List.of("ksize", "strides", "padding", "include_batch_in_index")),
            Map.entry("Mean", REDUCTION),
            Map.entry("Merge", List.of("N")),
            Map.entry("Min", REDUCTION),
            Map.entry("MirrorPad", List.of("mode")),
            Map.entry("NonMaxSuppression", List.of("iou_threshold")),
            Map.entry("NonMaxSuppressionV4", List.of("pad_to_max_output_size")),
            Map.entry("NonMaxSuppressionV5", List.of("pad_to_max_output_size")),
            Map.entry("NotEqual", List.of("incompatible_shape_error")),
            Map.entry("OneHot", List.of("axis")),
            Map.entry("Pack", List.of("N", "axis")),
            Map.entry("Placeholder", List.of("shape")),
            Map.entry("PlaceholderWithDefault", List.of("shape")),
            Map.entry("PreventGradient", List.of("message")),
            Map.entry("Print", List.of("message", "first_n", "summarize")),
            Map.entry("Prod", REDUCTION),
            Map.entry("RandomStandardNormal", RANDOM),
            Map.entry("RandomUniform", RANDOM),
            Map.entry("ParallelDynamicStitch", List.of("N")),
            Map.entry("QuantizeAndDequantizeV2", ROUNDING),
            Map.entry("QuantizeAndDequantizeV3", List.of("signed_input", "range_given", "narrow_range", "axis")),
            Map.entry("QuantizeAndDequantizeV4", ROUNDING),
            Map.entry("RefMerge", List.of("N")),
            Map.entry("MatrixDiagPartV3", List.of("align")),
            Map.entry("MatrixDiagV3", List.of("align")),
            Map.entry("MatrixSetDiagV3", List.of("align")),
            Map.entry("ResizeArea", List.of("align_corners")),
            Map.entry("ResizeBicubic", RESIZE),
            Map.entry("ResizeBilinear", RESIZE),
            Map.entry("ResizeNearestNeighbor", RESIZE),
            Map.entry("ReverseSequence", List.of("seq_dim", "batch_dim")),
            Map.entry("ScaleAndTranslate", List.of("kernel_type", "antialias")),
            Map.entry("ScatterNd", List.of("bad_indices_policy")),
            Map.entry("ShapeN", List.of("N")),
            Map.entry("SpaceToBatch", List.of("block_size")),
            Map.entry("SpaceToDepth", BLOCKS),
            Map.entry("SparseSegmentMean", SEGMENTS),
            Map.entry("SparseSegmentMeanWithNumSegments", SEGMENTS),
            Map.entry("SparseSegmentSqrtN", SEGMENTS),
            Map.entry("SparseSegmentSqrtNWithNumSegments", SEGMENTS),
            Map.entry("SparseSegmentSum", SEGMENTS),
            Map.entry("SparseSegmentSumWithNumSegments", SEGMENTS),
            Map.entry("SparseTensorDenseMatMul", List.of("adjoint_a", "adjoint_b")),
            Map.entry("SparseToDense", List.of("validate_indices")),
            Map.entry("Split", List.of("num_split")),
            Map.entry("SplitV", List.of("num_split")),
            Map.entry("Squeeze", List.of("squeeze_dims", "axis")),
            Map.entry(
                    "StridedSlice",
                    List.of("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")),
            Map.entry("Sum", REDUCTION),
            Map.entry("TensorListSetItem", List.of("resize_if_index_out_of_bounds")),
            Map.entry("TensorListStack", List.of("num_elements")),
            Map.entry("TensorScatterAdd", List.of("bad_indices_policy")),
            Map.entry("TensorScatterMax", List.of("bad_indices_policy")),
            Map.entry("TensorScatterMin", List.of("bad_indices_policy")),
            Map.entry("TensorScatterSub", List.of("bad_indices_policy")),
            Map.entry("TensorScatterUpdate", List.of("bad_indices_policy")),
            Map.entry("TopK", List.of("k", "sorted")),
            Map.entry("TopKV2", List.of("sorted")),
            Map.entry("Unpack", List.of("num", "axis")),
            Map.entry("_FusedConv2D", FUSED),
            Map.entry("_FusedDepthwiseConv2dNative", FUSED),
            Map.entry(
                    "_FusedMatMul",
                    List.of("transpose_a", "transpose_b", "fused_ops", "num_args", "epsilon", "leakyrelu_alpha")));

    private static final List<String> WINDOW = List.of("strides", "padding");
    private static final List<String> SIZED_WINDOW = List.of("ksize", "strides", "padding");

    /** Those without a default, as far as nothing else of a graph says what they would. */
    static final Map<String, List<String>> REQUIRED = Map.ofEntries(
            Map.entry("AvgPool", SIZED_WINDOW),
            Map.entry("AvgPool3D", SIZED_WINDOW),
            Map.entry("BatchNormWithGlobalNormalization", List.of("variance_epsilon", "scale_after_normalization")),
            Map.entry("BatchToSpace", List.of("block_size")),
            Map.entry("Bitcast", List.of("type")),
            Map.entry("Bucketize", List.of("boundaries")),
            Map.entry("Cast", List.of("DstT")),
            Map.entry("DynamicPartition", List.of("num_partitions")),
            Map.entry("Const", List.of("value")),
            Map.entry("Conv2D", WINDOW),
            Map.entry("Conv2DBackpropInput", WINDOW),
            Map.entry("Conv3D", WINDOW),
            Map.entry("Conv3DBackpropInputV2", WINDOW),
            Map.entry("DepthToSpace", List.of("block_size")),
            Map.entry("DepthwiseConv2dNative", WINDOW),
            Map.entry("Dilation2D", List.of("strides", "rates", "padding")),
            Map.entry("ExtractImagePatches", List.of("ksizes", "strides", "rates", "padding")),
            Map.entry("ExtractVolumePatches", List.of("ksizes", "strides", "padding")),
            Map.entry("Einsum", List.of("equation")),
            Map.entry("FusedDepthwiseConv2dNative", WINDOW),
            Map.entry("FusedPadConv2D", List.of("mode", "strides", "padding")),
            Map.entry("FusedResizeAndPadConv2D", List.of("mode", "strides", "padding")),
            Map.entry("InTopK", List.of("k")),
            Map.entry("MaxPool", SIZED_WINDOW),
            Map.entry("MaxPool3D", SIZED_WINDOW),
            Map.entry("MaxPoolGrad", SIZED_WINDOW),
            Map.entry("MaxPoolV2", List.of("padding")),
            Map.entry("MaxPoolWithArgmax", SIZED_WINDOW),
            Map.entry("MirrorPad", List.of("mode")),
            Map.entry("Placeholder", List.of("dtype")),
            Map.entry("ReverseSequence", List.of("seq_dim")),
            Map.entry("SpaceToBatch", List.of("block_size")),
            Map.entry("SpaceToDepth", List.of("block_size")),
            Map.entry("Split", List.of("num_split")),
            Map.entry("SplitV", List.of("num_split")),
            Map.entry("TensorListReserve", List.of("element_dtype")),
            Map.entry("TopK", List.of("k")),
            Map.entry("Unpack", List.of("num")),
            Map.entry("_FusedConv2D", WINDOW),
            Map.entry("_FusedDepthwiseConv2dNative", WINDOW));

    private OpAttributes() {}

    /**
     * Refuses attributes that the operator does not have, those that it needs and does not have, and another number of
     * inputs than it says; those that begin with _ are notes of TensorFlow's own.
     */
    static void check(TfNode node) {
        List<String> others = OTHERS.getOrDefault(node.op(), List.of());
        for (String name : node.attributes()) {
            if (!name.startsWith("_") && !TYPES.contains(name) && !others.contains(name)) {
                throw node.unsupportedUse("attribute '" + Printable.shortened(name) + "'");
            }
        }
        for (String name : REQUIRED.getOrDefault(node.op(), List.of())) {
            if (!node.isGiven(name)) {
                throw node.malformed("attribute '" + name + "' is missing; " + node.op() + " needs it");
            }
        }
        if (node.op().endsWith("DynamicStitch")) {
            return;
        }
        long beside = node.inputs().size() - node.integer("N", node.inputs().size());
        if (beside != 0 && beside != 1) {
            throw node.malformed("attribute 'N' is " + node.integer("N", 0) + ", but it has "
                    + node.inputs().size() + " inputs");
        }
    }
}
