package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.caffe.proto.FillerParameter;
import org.clinfer.importer.caffe.proto.LayerParameter;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every field that Caffe knows for a layer's parameters changes the result, or is refused by its name. */
class CaffeFieldsTest {

    /** Fields that change no result of any layer, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("engine", "which library computes"),
            Map.entry("force_nd_im2col", "how it is computed"),
            Map.entry("cudnn_convolution_algo", "how it is computed"),
            Map.entry("cudnn_convolution_algo_seeker", "how it is computed"),
            Map.entry("stable_prod_grad", "how gradients are computed"),
            Map.entry("moving_average_fraction", "training"),
            Map.entry("momentum", "training"),
            Map.entry("frozen", "training"),
            Map.entry("update_global_stats", "training"),
            Map.entry("icnet", "how it is computed"),
            Map.entry("blobs_lr", "training"),
            Map.entry("weight_decay", "training"),
            Map.entry("weight_filler", "the weights are there"),
            Map.entry("bias_filler", "the weights are there"),
            Map.entry("scale_filler", "the weights are there"),
            Map.entry("shift_filler", "the weights are there"),
            Map.entry("slope_filler", "the weights are there"),
            Map.entry("filler", "the weights are there"),
            Map.entry("dropout_ratio", "nothing is dropped at inference"),
            Map.entry("do_abs", "it is for differences, which are refused"),
            Map.entry("save_output_param", "files beside the result"),
            Map.entry("visualize", "pictures beside the result"),
            Map.entry("visualize_threshold", "pictures beside the result"),
            Map.entry("save_file", "files beside the result"),
            Map.entry("augment_during_test", "it is for random changes, of which there are none"),
            Map.entry("max_multiplier", "it is for random changes, of which there are none"),
            Map.entry("write_augmented", "files beside the result"),
            Map.entry("write_mean", "files beside the result"));

    /** Fields that say what the weights or bottoms must be, which are other ones then. */
    private static final Set<String> OF_SHAPES = Set.of(
            "Convolution num_output",
            "Convolution kernel_size",
            "Convolution kernel_h",
            "Convolution kernel_w",
            "ConvolutionDepthwise num_output",
            "ConvolutionDepthwise kernel_size",
            "DepthwiseConvolution num_output",
            "DepthwiseConvolution kernel_size",
            "Deconvolution num_output",
            "Deconvolution kernel_size",
            "Deconvolution group",
            "InnerProduct num_output",
            "InnerProduct axis",
            "PReLU channel_shared",
            "BatchNorm scale_bias",
            "Scale bias_term",
            "DetectionOutput share_location");

    /** Layers that stand for what the caller supplies. */
    private static final Set<String> OF_SOURCES = Set.of("input_param", "memory_data_param");

    private static final String REFUSED = "refused: ";

    /**
     * A layer with what it is given.
     *
     * @param param the name of the message of its parameters
     * @param inputs sizes of its bottoms; {@code mask} is that of a pool
     * @param blobs sizes of its weights
     * @param given fields, with semicolons between them
     * @param others fields with other values
     */
    private record Layer(
            String type, String param, String inputs, int tops, String blobs, String given, List<String> others) {
        Layer(String type, String param, String inputs, String blobs, String given, String... others) {
            this(type, param, inputs, 1, blobs, given, List.of(others));
        }

        Layer tops(int count) {
            return new Layer(type, param, inputs, count, blobs, given, others);
        }

        String fields(String without) {
            return parts(given, ";").stream()
                    .filter(each -> without.isEmpty() || !name(each).equals(without))
                    .collect(Collectors.joining(" "));
        }
    }

    private static final String PICTURE = "1,4,6,6";
    private static final String CONVOLUTION = "num_output: 4; kernel_size: 3; pad: 1";

    private static final List<Layer> LAYERS = List.of(
            new Layer("AbsVal", "abs_val_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("BNLL", "bnll_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("ReLU6", "relu6_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("Sigmoid", "sigmoid_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("TanH", "tanh_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("Softplus", "softplus_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("Softsign", "softsign_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("HardSwish", "hard_swish_param", PICTURE, "", "", "engine: CAFFE"),
            new Layer("Mish", "mish_param", PICTURE, "", "", "beta: 1"),
            new Layer("ReLU", "relu_param", PICTURE, "", "", "negative_slope: .5", "engine: CAFFE", "relu6: true"),
            new Layer("ReLU", "relu_param", PICTURE, "", "negative_slope: .5", "negative_slope: .1", "relu6: true"),
            new Layer("PReLU", "prelu_param", PICTURE, "4", "", "filler { value: 1 }", "channel_shared: true"),
            new Layer("ELU", "elu_param", PICTURE, "", "", "alpha: 2"),
            new Layer("Swish", "swish_param", PICTURE, "", "", "beta: 2"),
            new Layer("Clip", "clip_param", PICTURE, "", "min: -1; max: 1", "min: -.5", "max: .5"),
            new Layer("Threshold", "threshold_param", PICTURE, "", "", "threshold: 1"),
            new Layer("Axpy", "axpy_param", "1,4 1,4,6,6 1,4,6,6", "", "", "axis: 1"),
            new Layer(
                    "Eltwise",
                    "eltwise_param",
                    "1,4,3,3 1,4,3,3",
                    "",
                    "",
                    "operation: PROD",
                    "operation: MIN",
                    "coeff: 2 coeff: 1",
                    "coeff: 2",
                    "stable_prod_grad: false"),
            new Layer(
                    "Eltwise",
                    "eltwise_param",
                    "1,4,3,3 1,4,3,3",
                    "",
                    "operation: MAX",
                    "operation: 0",
                    "coeff: 2 coeff: 1"),
            new Layer("Exp", "exp_param", PICTURE, "", "", "base: 2", "scale: 2", "shift: 1"),
            new Layer("Log", "log_param", PICTURE, "", "shift: 9", "base: 2", "scale: 1.1", "shift: 10"),
            new Layer("Power", "power_param", PICTURE, "", "", "power: 2", "scale: 2", "shift: 1"),
            new Layer(
                    "Convolution",
                    "convolution_param",
                    PICTURE,
                    "4,4,3,3 4",
                    CONVOLUTION,
                    "num_output: 2",
                    "kernel_size: 1",
                    "kernel_h: 1 kernel_w: 1",
                    "pad: 0",
                    "pad_h: 2 pad_w: 0",
                    "pad_t: 2",
                    "pad_b: 2",
                    "pad_l: 2",
                    "pad_r: 2",
                    "stride: 2",
                    "stride_h: 2 stride_w: 1",
                    "dilation: 2",
                    "dilation_h: 2",
                    "dilation_w: 2",
                    "group: 2",
                    "bias_term: false",
                    "axis: 2",
                    "force_nd_im2col: true",
                    "engine: CAFFE",
                    "weight_filler { type: 'xavier' }",
                    "bias_filler { value: 1 }",
                    "cudnn_convolution_algo: 1",
                    "cudnn_convolution_algo_seeker: 1",
                    "blobs_lr: 1",
                    "weight_decay: 1"),
            new Layer(
                    "Convolution",
                    "convolution_param",
                    PICTURE,
                    "4,4,3,3 4",
                    "num_output: 4; kernel_h: 3; kernel_w: 3; pad_h: 1; pad_w: 1; stride_h: 1; stride_w: 1",
                    "num_output: 2",
                    "kernel_h: 1",
                    "kernel_w: 1",
                    "pad_h: 0",
                    "pad_w: 0",
                    "stride_h: 2",
                    "stride_w: 2",
                    "kernel_size: 3",
                    "pad: 2",
                    "stride: 2"),
            new Layer(
                    "ConvolutionDepthwise",
                    "convolution_param",
                    PICTURE,
                    "4,1,3,3 4",
                    CONVOLUTION,
                    "num_output: 8",
                    "kernel_size: 1",
                    "pad: 0",
                    "stride: 2",
                    "dilation: 2",
                    "group: 2",
                    "bias_term: false"),
            new Layer(
                    "DepthwiseConvolution",
                    "convolution_param",
                    PICTURE,
                    "4,1,3,3 4",
                    CONVOLUTION,
                    "num_output: 8",
                    "kernel_size: 1",
                    "pad: 0",
                    "stride: 2",
                    "dilation: 2",
                    "group: 2",
                    "bias_term: false"),
            new Layer(
                    "Deconvolution",
                    "convolution_param",
                    PICTURE,
                    "4,4,3,3 4",
                    CONVOLUTION,
                    "num_output: 2",
                    "kernel_size: 1",
                    "pad: 0",
                    "stride: 2",
                    "dilation: 2",
                    "group: 2",
                    "bias_term: false"),
            new Layer("Padding", "padding_param", PICTURE, "", "pad: 1", "pad: 2"),
            new Layer(
                    "InnerProduct",
                    "inner_product_param",
                    "2,3,3",
                    "9,9 9",
                    "num_output: 9",
                    "num_output: 3",
                    "bias_term: false",
                    "axis: 2",
                    "transpose: true",
                    "engine: CAFFE",
                    "weight_filler { type: 'xavier' }",
                    "bias_filler { value: 1 }",
                    "blobs_lr: 1",
                    "weight_decay: 1"),
            new Layer(
                    "Dropout",
                    "dropout_param",
                    PICTURE,
                    "",
                    "",
                    "dropout_ratio: .2",
                    "scale_train: false",
                    "sample_weights_test: true"),
            new Layer("Split", "split_param", PICTURE, "", "", "axis: 1").tops(2),
            new Layer("Silence", "silence_param", PICTURE, "", "", "axis: 1").tops(0),
            new Layer(
                    "DummyData",
                    "dummy_data_param",
                    "",
                    "",
                    "shape { dim: 2 }; data_filler { value: 1 }",
                    "shape { dim: 3 }",
                    "data_filler { value: 2 }",
                    "data_filler { type: 'gaussian' }",
                    "num: 3",
                    "channels: 3",
                    "height: 3",
                    "width: 3"),
            new Layer(
                    "DummyData",
                    "dummy_data_param",
                    "",
                    "",
                    "num: 1; channels: 2; height: 2; width: 2",
                    "data_filler { value: 2 }",
                    "num: 2",
                    "channels: 3",
                    "height: 3",
                    "width: 3"),
            new Layer(
                    "Correlation",
                    "correlation_param",
                    "1,2,5,5 1,2,5,5",
                    "",
                    "kernel_size: 1; max_displacement: 1; stride_1: 1; stride_2: 1; pad: 1",
                    "kernel_size: 3",
                    "max_displacement: 2",
                    "stride_1: 2",
                    "stride_2: 2",
                    "pad: 2",
                    "correlation_type: SUBTRACT",
                    "single_direction: 1",
                    "do_abs: true"),
            new Layer(
                    "DataAugmentation",
                    "augmentation_param",
                    "1,3,2,2",
                    "",
                    "mean: 1; mean: 2; mean: 3; mean_per_pixel: false",
                    "mean: 1 mean: 2 mean: 4",
                    "mean_per_pixel: true",
                    "recompute_mean: 1",
                    "crop_width: 1",
                    "augment_during_test: true",
                    "max_multiplier: 2",
                    "write_augmented: 'a'",
                    "write_mean: 'a'"),
            new Layer(
                    "BatchNorm",
                    "batch_norm_param",
                    PICTURE,
                    "4 4 1",
                    "eps: .1",
                    "eps: 1",
                    "use_global_stats: false",
                    "moving_average_fraction: .1",
                    "scale_bias: true",
                    "engine: CAFFE",
                    "scale_filler { value: 1 }",
                    "bias_filler { value: 1 }"),
            new Layer(
                    "BN",
                    "bn_param",
                    PICTURE,
                    "4 4 4 4",
                    "eps: .1",
                    "eps: 1",
                    "var_eps: .1",
                    "bn_mode: INFERENCE",
                    "momentum: .5",
                    "frozen: true",
                    "engine: CAFFE",
                    "icnet: true",
                    "update_global_stats: true",
                    "slope_filler { value: 1 }",
                    "bias_filler { value: 1 }"),
            new Layer(
                    "BN",
                    "bn_param",
                    PICTURE,
                    "4 4",
                    "var_eps: .1",
                    "eps: .1",
                    "var_eps: 1",
                    "bn_mode: INFERENCE",
                    "scale_filler { value: 1 }",
                    "shift_filler { value: 1 }"),
            new Layer(
                    "LRN",
                    "lrn_param",
                    PICTURE,
                    "",
                    "local_size: 3",
                    "local_size: 1",
                    "alpha: 2",
                    "beta: 1",
                    "k: 2",
                    "norm_region: WITHIN_CHANNEL",
                    "engine: CAFFE"),
            new Layer(
                    "LRN",
                    "lrn_param",
                    PICTURE,
                    "",
                    "local_size: 3; norm_region: WITHIN_CHANNEL",
                    "local_size: 1",
                    "alpha: 2",
                    "beta: .5",
                    "norm_region: 0"),
            new Layer(
                    "MVN",
                    "mvn_param",
                    PICTURE,
                    "",
                    "eps: .1",
                    "eps: 1",
                    "normalize_variance: false",
                    "across_channels: true"),
            new Layer(
                    "Normalize",
                    "norm_param",
                    PICTURE,
                    "1",
                    "eps: .1; channel_shared: true",
                    "eps: 1",
                    "across_spatial: false",
                    "channel_shared: false",
                    "scale_filler { value: 2 }"),
            new Layer("Softmax", "softmax_param", PICTURE, "", "", "axis: 2", "engine: CAFFE"),
            new Layer("LogSoftmax", "softmax_param", PICTURE, "", "", "axis: 2", "engine: CAFFE"),
            new Layer(
                    "Pooling",
                    "pooling_param",
                    PICTURE,
                    "",
                    "kernel_size: 3; stride: 2",
                    "pool: AVE",
                    "pool: STOCHASTIC",
                    "kernel_size: 2",
                    "kernel_h: 1 kernel_w: 3",
                    "stride: 1",
                    "stride_h: 1 stride_w: 1",
                    "pad: 1",
                    "pad_h: 1 pad_w: 0",
                    "round_mode: FLOOR",
                    "ceil_mode: false",
                    "engine: CAFFE",
                    "global_pooling: true"),
            new Layer(
                    "Pooling",
                    "pooling_param",
                    PICTURE,
                    "",
                    "kernel_h: 3; kernel_w: 3; stride_h: 1; stride_w: 1; pad_h: 1; pad_w: 1; pool: AVE",
                    "kernel_h: 2",
                    "kernel_w: 2",
                    "stride_h: 2",
                    "stride_w: 2",
                    "pad_h: 0",
                    "pad_w: 0",
                    "kernel_size: 3",
                    "stride: 2",
                    "pad: 2",
                    "pool: AVE_EXC_PAD"),
            new Layer(
                    "Pooling",
                    "pooling_param",
                    PICTURE,
                    "",
                    "kernel_size: 3; pool: AVE",
                    "kernel_size: 2",
                    "pool: MAX",
                    "pad_t: 1",
                    "pad_b: 1",
                    "pad_l: 1",
                    "pad_r: 1"),
            new Layer(
                    "Pooling",
                    "pooling_param",
                    PICTURE,
                    "",
                    "global_pooling: true",
                    "global_pooling: false kernel_size: 2",
                    "kernel_size: 2",
                    "kernel_h: 2",
                    "kernel_w: 2",
                    "stride: 2",
                    "stride_h: 2",
                    "stride_w: 2",
                    "pad: 1",
                    "pad_h: 1",
                    "pad_w: 1",
                    "pool: AVE"),
            new Layer(
                    "PriorBox",
                    "prior_box_param",
                    "1,1,2,2 1,3,16,16",
                    "",
                    "min_size: 12; max_size: 15; aspect_ratio: 2; offset: .25; variance: .1",
                    "min_size: 13",
                    "max_size: 14",
                    "aspect_ratio: 3",
                    "flip: false",
                    "clip: true",
                    "variance: .2",
                    "img_size: 32",
                    "img_h: 32 img_w: 16",
                    "img_h: 32",
                    "img_w: 32",
                    "step: 4",
                    "step_h: 4 step_w: 8",
                    "step_h: 4",
                    "step_w: 4",
                    "offset: .5"),
            new Layer(
                    "PriorBox",
                    "prior_box_param",
                    "1,1,2,2 1,3,16,16",
                    "",
                    "min_size: 2; img_h: 16; img_w: 16; step_h: 8; step_w: 8",
                    "min_size: 3",
                    "img_size: 32",
                    "img_h: 32",
                    "img_w: 32",
                    "step: 4",
                    "step_h: 4",
                    "step_w: 4"),
            new Layer(
                    "PriorBoxClustered",
                    "prior_box_param",
                    "1,1,2,2 1,3,16,16",
                    "",
                    "width: 12; height: 9",
                    "width: 3",
                    "height: 2",
                    "clip: true",
                    "variance: .2",
                    "img_size: 32",
                    "step: 4",
                    "offset: .25",
                    "min_size: 2",
                    "flip: true"),
            new Layer("ArgMax", "argmax_param", PICTURE, "", "", "out_max_val: true", "top_k: 2", "axis: 1"),
            new Layer(
                    "Reduction",
                    "reduction_param",
                    PICTURE,
                    "",
                    "",
                    "operation: MEAN",
                    "operation: 2",
                    "operation: SUMSQ",
                    "axis: 1",
                    "coeff: 2"),
            new Layer(
                    "Interp",
                    "interp_param",
                    PICTURE,
                    "",
                    "height: 8; width: 8",
                    "height: 9",
                    "width: 9",
                    "zoom_factor: 2",
                    "shrink_factor: 2",
                    "pad_beg: -1",
                    "pad_end: -1"),
            new Layer(
                    "Interp",
                    "interp_param",
                    PICTURE,
                    "",
                    "zoom_factor: 2; shrink_factor: 1",
                    "height: 9",
                    "width: 9",
                    "zoom_factor: 3",
                    "shrink_factor: 2",
                    "pad_beg: -1",
                    "pad_end: -1"),
            new Layer(
                    "Upsample",
                    "upsample_param",
                    PICTURE,
                    "",
                    "",
                    "scale: 3",
                    "scale_h: 2",
                    "scale_w: 2",
                    "upsample_h: 9",
                    "upsample_w: 9",
                    "pad_out_h: true",
                    "pad_out_w: true"),
            new Layer(
                    "Upsample",
                    "upsample_param",
                    "mask",
                    "",
                    "scale: 2",
                    "scale: 3",
                    "scale_h: 3",
                    "scale_w: 3",
                    "upsample_h: 5 upsample_w: 6",
                    "upsample_h: 5",
                    "upsample_w: 5",
                    "pad_out_h: true pad_out_w: true",
                    "pad_out_w: true"),
            new Layer(
                    "Upsample",
                    "upsample_param",
                    "mask",
                    "",
                    "upsample_h: 5; upsample_w: 5",
                    "scale: 3",
                    "scale_h: 3",
                    "scale_w: 3",
                    "upsample_h: 6",
                    "upsample_w: 6",
                    "pad_out_h: true",
                    "pad_out_w: true"),
            new Layer(
                    "Unpooling",
                    "unpooling_param",
                    "mask",
                    "",
                    "unpool: MAX",
                    "unpool: AVE",
                    "kernel_size: 3",
                    "stride: 3",
                    "unpool_size: 5",
                    "unpool_h: 5 unpool_w: 6",
                    "unpool_h: 5",
                    "unpool_w: 5",
                    "pad: 1",
                    "kernel_h: 3"),
            new Layer(
                    "Unpooling",
                    "unpooling_param",
                    "mask",
                    "",
                    "unpool_size: 5",
                    "unpool_size: 6",
                    "unpool_h: 6 unpool_w: 6"),
            new Layer(
                    "Resample",
                    "resample_param",
                    PICTURE,
                    "",
                    "type: NEAREST; factor: 2",
                    "type: LINEAR antialias: false",
                    "factor: 3",
                    "width: 9 height: 9",
                    "width: 9",
                    "height: 9"),
            new Layer(
                    "Resample",
                    "resample_param",
                    PICTURE,
                    "",
                    "type: LINEAR; antialias: false; width: 9; height: 9",
                    "type: CUBIC",
                    "antialias: true",
                    "factor: 3",
                    "width: 8",
                    "height: 8"),
            new Layer(
                    "Resample",
                    "resample_param",
                    "1,4,6,6 1,1,9,9",
                    "",
                    "type: NEAREST",
                    "type: LINEAR antialias: false",
                    "width: 9",
                    "height: 9"),
            new Layer("Reorg", "reorg_param", "1,16,6,6", "", "stride: 2", "stride: 1", "reverse: true"),
            new Layer("ShuffleChannel", "shuffle_channel_param", PICTURE, "", "group: 2", "group: 1"),
            new Layer(
                    "DepthToSpace",
                    "depth_to_space_param",
                    PICTURE,
                    "",
                    "block_size: 2",
                    "block_size: 1",
                    "data_format: 'NHWC'"),
            new Layer(
                    "Scale",
                    "scale_param",
                    "1,4,4,4",
                    "4",
                    "",
                    "axis: 2",
                    "num_axes: 2",
                    "num_axes: -1",
                    "bias_term: true",
                    "filler { value: 2 }",
                    "bias_filler { value: 2 }"),
            new Layer(
                    "Scale",
                    "scale_param",
                    "1,4,4,4",
                    "4 4",
                    "bias_term: true",
                    "axis: 2",
                    "num_axes: 2",
                    "bias_term: false",
                    "filler { value: 2 }",
                    "bias_filler { value: 2 }"),
            new Layer("Bias", "bias_param", "1,4,4,4", "4", "", "axis: 2", "num_axes: 2", "filler { value: 2 }"),
            new Layer("Concat", "concat_param", "1,4,4,4 1,4,4,4", "", "", "axis: 2", "concat_dim: 2"),
            new Layer("Concat", "concat_param", "1,4,4,4 1,4,4,4", "", "axis: 1", "axis: 2", "concat_dim: 2"),
            new Layer("Slice", "slice_param", "1,4,4,4", "", "", "axis: 2", "slice_dim: 2", "slice_point: 1").tops(2),
            new Layer("Slice", "slice_param", "1,4,4,4", "", "axis: 1", "axis: 2", "slice_dim: 2").tops(2),
            new Layer("Crop", "crop_param", "1,4,6,6 1,2,3,3", "", "offset: 1", "offset: 2", "axis: 1"),
            new Layer("Flatten", "flatten_param", "2,3,4,5", "", "", "axis: 2", "end_axis: 2"),
            new Layer(
                    "Reshape",
                    "reshape_param",
                    "2,3,4",
                    "",
                    "shape { dim: 2 dim: -1 }",
                    "shape { dim: 3 dim: -1 }",
                    "axis: 1",
                    "num_axes: 2"),
            new Layer("Permute", "permute_param", "2,3,4", "", "order: 1; order: 0; order: 2", "order: 2"),
            new Layer("Tile", "tile_param", "2,3,4", "", "tiles: 2", "tiles: 3", "axis: 2"),
            new Layer("Squeeze", "squeeze_param", "1,1,4", "", "axis: 0", "axis: 1 axis: 0"),
            new Layer(
                    "Pad",
                    "pad_param",
                    "1,2",
                    "",
                    "paddings: 0; paddings: 0; paddings: 1; paddings: 1",
                    "paddings: 1 paddings: 0 paddings: 0 paddings: 0"),
            new Layer(
                    "ROIPooling",
                    "roi_pooling_param",
                    "1,2,6,6 2,5",
                    "",
                    "pooled_h: 2; pooled_w: 2",
                    "pooled_h: 3",
                    "pooled_w: 3",
                    "spatial_scale: .5"),
            new Layer(
                    "PSROIPooling",
                    "psroi_pooling_param",
                    "1,8,6,6 2,5",
                    "",
                    "group_size: 2; output_dim: 2; spatial_scale: 1",
                    "group_size: 1",
                    "output_dim: 8",
                    "spatial_scale: .5"),
            new Layer(
                    "Proposal",
                    "proposal_param",
                    "1,4,3,3 1,8,3,3 1,3",
                    "",
                    "feat_stride: 4; base_size: 4; min_size: 1; pre_nms_topn: 18; post_nms_topn: 4; nms_thresh: .7;"
                            + " ratio: 1; scale: 1; scale: 2",
                    "feat_stride: 5",
                    "base_size: 5",
                    "min_size: 9",
                    "pre_nms_topn: 2",
                    "post_nms_topn: 2",
                    "nms_thresh: .01",
                    "ratio: 2",
                    "scale: 1 scale: 3"),
            new Layer(
                    "DetectionOutput",
                    "detection_output_param",
                    "1,16 1,12 1,2,16",
                    "",
                    "num_classes: 3; confidence_threshold: .1; keep_top_k: 6; nms_param { nms_threshold: .6 top_k: 3 }",
                    "num_classes: 2",
                    "share_location: false",
                    "background_label_id: 1",
                    "nms_param { nms_threshold: .6 top_k: 1 }",
                    "nms_param { nms_threshold: .01 top_k: 3 }",
                    "nms_param { nms_threshold: .6 top_k: 3 eta: .1 }",
                    "nms_param { foreign: 3 }",
                    "code_type: CENTER_SIZE",
                    "keep_top_k: 1",
                    "variance_encoded_in_target: true",
                    "confidence_threshold: .9",
                    "clip: true",
                    "loc_pred_transposed: true",
                    "save_output_param { output_directory: 'a' }",
                    "visualize: true",
                    "visualize_threshold: .1",
                    "save_file: 'a'"),
            new Layer(
                    "DetectionOutput",
                    "detection_output_param",
                    "1,16 1,12 1,2,16",
                    "",
                    "num_classes: 3; confidence_threshold: .1; nms_param { nms_threshold: .4 }",
                    "num_classes: 2",
                    "confidence_threshold: .9",
                    "nms_param { nms_threshold: .1 }",
                    "normalized_bbox: false"));

    @TempDir
    Path folder;

    private static List<String> parts(String list, String between) {
        return list.isBlank()
                ? List.of()
                : Stream.of(list.split(between, -1)).map(String::strip).toList();
    }

    private static String name(String field) {
        return field.replaceFirst("\\s*[:{].*", "");
    }

    private static long[] dims(String list) {
        return Stream.of(list.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    /** Boxes for layers that look at parts of pictures, otherwise numbers from {@code least} on, by 16 more at most. */
    private static float[] numbers(Layer layer, int input, long[] dims, float least) {
        float[] numbers = new float[(int) LongStream.of(dims).reduce(1, (a, b) -> a * b)];
        Random random = new Random(input + 3L);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = least + 16 * random.nextFloat();
        }
        float[] corners = switch (layer.type() + input) {
            case "ROIPooling1", "PSROIPooling1" -> new float[] {0, 0, 0, 3, 3, 0, 1, 1, 5, 4};
            case "Proposal2" -> new float[] {12, 12, 1};
            case "DetectionOutput0" -> new float[] {.1f, 0, .1f, 0, 0, .1f, 0, .1f, .1f, 0, 0, .1f, 0, .1f, .1f, 0};
            case "DetectionOutput1" -> new float[] {.2f, .5f, .3f, .1f, .6f, .3f, .3f, .4f, .3f, .1f, .2f, .7f};
            case "DetectionOutput2" ->
                new float[] {
                    .1f, .1f, .5f, .5f, .15f, .12f, .55f, .5f, .3f, .3f, .9f, .8f, .5f, .5f, 1.1f, .9f,
                    .1f, .1f, .2f, .2f, .1f, .1f, .2f, .2f, .1f, .1f, .2f, .2f, .1f, .1f, .2f, .2f
                };
            default -> numbers;
        };
        return corners;
    }

    private CaffeNet net(Layer layer, String fields, Map<String, Tensor> inputs) {
        StringBuilder text = new StringBuilder();
        StringBuilder bottoms = new StringBuilder();
        StringBuilder before = new StringBuilder();
        boolean masked = layer.inputs().equals("mask");
        List<String> given = masked ? List.of("1,2,6,6") : parts(layer.inputs(), " ");
        for (int i = 0; i < given.size(); i++) {
            text.append("input: 'x").append(i).append("' input_shape {");
            LongStream.of(dims(given.get(i)))
                    .forEach(dim -> text.append(" dim: ").append(dim));
            text.append(" }\n");
            bottoms.append(" bottom: 'x").append(i).append('\'');
            float[] numbers = numbers(layer, i, dims(given.get(i)), -8);
            inputs.put("x" + i, Tensor.of(numbers, dims(given.get(i))));
        }
        if (masked) {
            before.append("layer { name: 'p' type: 'Pooling' bottom: 'x0' top: 'p' top: 'm'");
            before.append(" pooling_param { kernel_size: 2 stride: 2 } }\n");
            bottoms.setLength(0);
            bottoms.append(" bottom: 'p' bottom: 'm'");
        }
        if (layer.tops() == 0) {
            before.append("layer { name: 'a' type: 'AbsVal' bottom: 'x0' top: 'a' }\n");
        }
        text.append(before)
                .append("layer { name: 'l' type: '")
                .append(layer.type())
                .append('\'')
                .append(bottoms);
        for (int i = 0; i < layer.tops(); i++) {
            text.append(" top: 'y").append(i).append('\'');
        }
        text.append(fields).append(" }\n");
        CaffeNet net = CaffeNet.of(text.toString());
        int number = 10;
        for (String blob : parts(layer.blobs(), " ")) {
            net.blob("l", numbers(layer, number++, dims(blob), .5f), dims(blob));
        }
        return net;
    }

    /** The results, or the refusal. */
    private String outcome(Layer layer, String fields) throws IOException {
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        Files.deleteIfExists(folder.resolve("net.caffemodel"));
        Path file = net(layer, fields, inputs).write(folder, "net");
        try {
            return CaffeNet.run(file, inputs).entrySet().stream()
                    .map(y -> y.getKey()
                            + y.getValue()
                            + Arrays.toString(y.getValue().toDoubleArray()))
                    .collect(Collectors.joining());
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    private String with(Layer layer, String fields) throws IOException {
        return outcome(layer, fields.isBlank() ? "" : " " + layer.param() + " { " + fields + " }");
    }

    /** The fields of a message, and those of its messages. */
    private static Set<String> fields(Descriptor message) {
        Set<String> names = new TreeSet<>();
        for (FieldDescriptor field : message.getFields()) {
            names.add(field.getName());
            boolean own = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && !field.getMessageType().equals(FillerParameter.getDescriptor());
            if (own) {
                names.addAll(fields(field.getMessageType()));
            }
        }
        return names;
    }

    @Test
    void everyTypeAndEveryFieldOfTheFormatHasACase() {
        assertThat(LAYERS.stream().map(Layer::type).collect(Collectors.toSet()))
                .isEqualTo(CaffeTranslation.LAYERS.types());
        for (FieldDescriptor param : LayerParameter.getDescriptor().getFields()) {
            if (!param.getName().endsWith("_param") || OF_SOURCES.contains(param.getName())) {
                continue;
            }
            String tried = LAYERS.stream()
                    .filter(layer -> layer.param().equals(param.getName()))
                    .flatMap(layer -> layer.others().stream())
                    .collect(Collectors.joining(" ", " ", ""));
            assertThat(fields(param.getMessageType()))
                    .as(param.getName())
                    .allMatch(field -> tried.contains(" " + field + ":") || tried.contains(" " + field + " {"));
        }
        for (Layer layer : LAYERS) {
            assertThat(layer.others().stream().map(CaffeFieldsTest::name))
                    .as(layer.type())
                    .containsAll(parts(layer.given(), ";").stream()
                            .map(CaffeFieldsTest::name)
                            .toList());
        }
    }

    @Test
    void everyFieldChangesTheResultOrIsRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Layer layer : LAYERS) {
            String before = with(layer, layer.fields(""));
            if (before.startsWith(REFUSED)) {
                wrong.add(layer + ": " + before);
            }
            for (String other : layer.others()) {
                String after = with(layer, layer.fields(name(other)) + " " + other);
                boolean refused = after.startsWith(REFUSED);
                boolean told = refused
                        ? after.contains(name(other))
                                || after.contains("'" + layer.param() + "'")
                                || OF_SHAPES.contains(layer.type() + " " + name(other))
                        : !after.equals(before);
                if (WITHOUT_EFFECT.containsKey(name(other)) ? !after.equals(before) : !told) {
                    wrong.add(layer.type() + " " + other + ": " + after);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void fieldsThatNoLayerHasAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Layer layer : LAYERS) {
            String given = layer.given().isEmpty() ? "" : " " + layer.param() + " { " + layer.fields("") + " }";
            for (String after : List.of(
                    with(layer, layer.fields("") + " foreign: 1"),
                    outcome(layer, given + " foreign_param { axis: 1 }"),
                    outcome(layer, given + " foreign: 1"))) {
                if (!after.startsWith(REFUSED)
                        || !(after.contains("foreign") || after.contains("'" + layer.param() + "'"))) {
                    wrong.add(layer.type() + ": " + after);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void networksAndInputsHaveNoOtherFields() throws IOException {
        Layer plain = LAYERS.get(0);
        String net = "layer { name: 'x' type: 'Input' top: 'x' input_param { shape { dim: 2 } %s } } %s "
                + "layer { name: 'l' type: 'AbsVal' bottom: 'x' top: 'y' }";
        for (String text : List.of(
                net.formatted("foreign: 1", ""),
                net.formatted("", "foreign: 1"),
                net.formatted("shape { foreign: 1 }", ""))) {
            Files.deleteIfExists(folder.resolve("net.caffemodel"));
            Path file = CaffeNet.of(text).write(folder, "net");
            assertThat(refusal(file)).as(plain.type()).contains("foreign");
        }
    }

    private static String refusal(Path file) {
        try {
            CaffeNet.run(file, Map.of("x", Tensor.of(new float[2], 2)));
            return "";
        } catch (GraphException refusal) {
            return String.valueOf(refusal.getMessage());
        }
    }
}
