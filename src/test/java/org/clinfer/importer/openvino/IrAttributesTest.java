package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every attribute that OpenVINO knows for a layer changes the result, or is refused by its name. */
class IrAttributesTest {

    /** Attributes that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.of(
            "MaxPool axis", "it counts for the places of the maxima, which are not computed",
            "MaxPool index_element_type", "it is the type of the places, which are not computed",
            "TopK stable", "equal elements are in their order anyway",
            "ScatterElementsUpdate use_init_val", "it counts for reductions alone, which are refused");

    /** Attributes of all recurrent layers: their usual functions have no parameters. */
    private static final List<String> OF_FUNCTIONS = List.of("activations_alpha", "activations_beta");

    private static final String FLOATS = "f32:?,?,?,?";
    private static final String REFUSED = "refused: ";

    /**
     * A layer with what it is given.
     *
     * @param operands {@code p} with sizes is a parameter, {@code w} a constant of random numbers, {@code v} one of those that stand there, {@code z} one of truths, {@code u} one of bits, {@code f} a number, {@code s} a whole one, {@code i} a vector of these, which
     *     has sizes perhaps behind {@code @}
     * @param outputs element types with sizes
     * @param given attributes with a value, {@code !=} where the layer must have them
     * @param others other values; what the outputs are then stands behind {@code >}
     */
    private record Layer(String type, String operands, String outputs, String given, List<String> others) {
        Layer(String type, String operands, String outputs, String given, String... others) {
            this(type, operands, outputs, given, List.of(others));
        }

        String name() {
            return type.replaceFirst(":.*", "");
        }

        List<String> attributes() {
            return given.isEmpty() ? List.of() : List.of(given.split(" ", -1));
        }

        Stream<String> without(String attribute) {
            return attributes().stream()
                    .filter(each -> !IrAttributesTest.name(each).equals(attribute))
                    .map(each -> each.replace("!=", "="));
        }
    }

    private static final List<Layer> LAYERS = List.of(
            new Layer(
                    "Convolution",
                    "p1,2,5,5 w3,2,3,3",
                    FLOATS,
                    "strides!=1,1 pads_begin!=1,1 pads_end!=1,1 dilations!=1,1",
                    "strides=2,1",
                    "pads_begin=0,1",
                    "pads_end=0,1",
                    "dilations=1,2",
                    "auto_pad=valid",
                    "output_padding=1,1"),
            new Layer(
                    "Convolution",
                    "p1,2,6,6 w3,2,3,3",
                    FLOATS,
                    "strides!=2,2 dilations!=1,1 auto_pad=same_upper",
                    "strides=1,1",
                    "dilations=2,2",
                    "auto_pad=same_lower"),
            new Layer(
                    "Convolution",
                    "p1,2,5 w3,2,3",
                    "f32:?,?,?",
                    "strides!=1 pads_begin!=1 pads_end!=1 dilations!=1",
                    "strides=2",
                    "pads_begin=0",
                    "pads_end=0",
                    "dilations=2",
                    "auto_pad=valid"),
            new Layer(
                    "GroupConvolution",
                    "p1,2,5,5 w2,1,1,3,3",
                    FLOATS,
                    "strides!=1,1 pads_begin!=1,1 pads_end!=1,1 dilations!=1,1",
                    "strides=2,1",
                    "pads_begin=0,1",
                    "pads_end=0,1",
                    "dilations=1,2",
                    "auto_pad=valid",
                    "output_padding=1,1"),
            new Layer(
                    "ConvolutionBackpropData",
                    "p1,2,4,4 w2,3,3,3",
                    FLOATS,
                    "strides!=2,2 pads_begin!=1,1 pads_end!=1,1 dilations!=1,1",
                    "strides=2,1",
                    "pads_begin=0,1",
                    "pads_end=0,1",
                    "dilations=1,2",
                    "auto_pad=valid",
                    "auto_pad=same_upper",
                    "output_padding=1,1"),
            new Layer(
                    "ConvolutionBackpropData",
                    "p1,2,4,4 w2,3,3,3 i8,8",
                    FLOATS,
                    "strides!=2,2 dilations!=1,1 auto_pad=same_lower",
                    "strides=3,3",
                    "dilations=2,2",
                    "auto_pad=same_upper",
                    "output_padding=1,1"),
            new Layer(
                    "GroupConvolutionBackpropData",
                    "p1,2,4,4 w2,1,1,3,3",
                    FLOATS,
                    "strides!=2,2 pads_begin!=1,1 pads_end!=1,1 dilations!=1,1",
                    "strides=2,1",
                    "pads_begin=0,1",
                    "pads_end=0,1",
                    "dilations=1,2",
                    "auto_pad=valid",
                    "output_padding=1,1"),
            new Layer(
                    "BinaryConvolution",
                    "p1,8,4,4 u1,8,3,3",
                    FLOATS,
                    "strides!=1,1 pads_begin!=1,1 pads_end!=1,1 dilations!=1,1 mode!=xnor-popcount pad_value!=0",
                    "strides=2,1",
                    "pads_begin=0,1",
                    "pads_end=0,1",
                    "dilations=1,2",
                    "mode=other",
                    "pad_value=1",
                    "auto_pad=valid"),
            new Layer(
                    "MaxPool:opset8",
                    "p1,2,5,5",
                    FLOATS,
                    "strides!=1,1 pads_begin!=1,1 pads_end!=1,1 kernel!=3,3",
                    "strides=2,1",
                    "pads_begin=0,1",
                    "pads_end=0,1",
                    "kernel=2,3",
                    "dilations=1,2",
                    "auto_pad=valid",
                    "axis=1",
                    "index_element_type=i32"),
            new Layer(
                    "MaxPool",
                    "p1,2,6,6",
                    FLOATS,
                    "strides!=2,2 pads_begin!=0,0 pads_end!=0,0 kernel!=3,3",
                    "strides=1,1",
                    "pads_begin=1,1",
                    "pads_end=1,1",
                    "kernel=2,2",
                    "rounding_type=ceil",
                    "auto_pad=same_upper"),
            new Layer(
                    "AvgPool",
                    "p1,2,5,5",
                    FLOATS,
                    "strides!=1,1 pads_begin!=1,1 pads_end!=1,1 kernel!=3,3 exclude-pad!=true",
                    "strides=2,1",
                    "pads_begin=0,1",
                    "pads_end=0,1",
                    "kernel=2,3",
                    "exclude-pad=false",
                    "auto_pad=valid"),
            new Layer(
                    "AvgPool",
                    "p1,2,6,6",
                    FLOATS,
                    "strides!=2,2 pads_begin!=0,1 pads_end!=0,0 kernel!=3,3 exclude-pad!=false",
                    "strides=1,1",
                    "pads_begin=1,1",
                    "pads_end=1,1",
                    "kernel=2,2",
                    "exclude-pad=true",
                    "rounding_type=ceil",
                    "auto_pad=same_lower"),
            new Layer(
                    "ROIPooling",
                    "p1,2,6,6 v0,0,0,3,3,0,1,1,4,4@2,5",
                    FLOATS,
                    "pooled_h!=2 pooled_w!=2 spatial_scale!=1",
                    "pooled_h=3",
                    "pooled_w=3",
                    "spatial_scale=2",
                    "method=bilinear"),
            new Layer(
                    "ROIPooling",
                    "p1,2,6,6 v0,0,0,3,3,0,1,1,4,4@2,5",
                    FLOATS,
                    "output_size=2,2 spatial_scale=1",
                    "output_size=3,3",
                    "pooled_h=3",
                    "pooled_w=3",
                    "spatial_scale=2"),
            new Layer(
                    "ROIPooling",
                    "p1,2,6,6 v0,0,0,3,3,0,1,1,4,4@2,5",
                    FLOATS,
                    "output_roi=2,2 spatial_scale=1",
                    "output_roi=3,3",
                    "pooled_h=3",
                    "pooled_w=3",
                    "spatial_scale=2"),
            new Layer("MatMul", "p3,3 p3,3", "f32:?,?", "", "transpose_a=true", "transpose_b=true"),
            new Layer("MatMul", "p2,3,3 p2,3,3", "f32:?,?,?", "", "transpose_a=true", "transpose_b=true"),
            new Layer("Divide", "i7,-7,9 i2,2,4", "i64:3", "", "m_pythondiv=false"),
            new Layer("FakeQuantize", "p2,3 f-1 f1 f-1 f1", "f32:?,?", "levels!=4", "levels=8", "auto_broadcast=none"),
            new Layer("Select", "z2,3 p2,3 p3", "f32:?,?", "", "auto_broadcast=none", "auto_broadcast=pdpd"),
            new Layer("Clamp", "p2,9", "f32:?,?", "min!=-1 max!=1", "min=-.5", "max=.5"),
            new Layer("Convert", "p2,3", "i32:?,?", "destination_type!=i32", "destination_type=f64 > f64:?,?"),
            new Layer("ConvertLike", "p2,3 i1", "i64:?,?", ""),
            new Layer("Elu", "p2,3", "f32:?,?", "alpha!=1", "alpha=2"),
            new Layer("Gelu:opset7", "p2,3", "f32:?,?", "", "approximation_mode=tanh"),
            new Layer("HardSigmoid", "p2,3 f.2 f.5", "f32:?,?", ""),
            new Layer("Round:opset5", "p2,3", "f32:?,?", "", "mode=half_away_from_zero"),
            new Layer("Selu", "p2,3 f1.5 f1.1", "f32:?,?", ""),
            new Layer("PReLU", "p2,3 w3", "f32:?,?", ""),
            new Layer("Swish:opset4", "p2,3", "f32:?,?", ""),
            new Layer(
                    "BatchNormInference:opset5",
                    "p1,2,3,3 w2 w2 w2 v1,2@2",
                    FLOATS,
                    "epsilon!=1",
                    "epsilon=2",
                    "eps=2"),
            new Layer(
                    "GroupNormalization:opset12",
                    "p1,4,3,3 w4 w4",
                    FLOATS,
                    "num_groups!=2 epsilon!=.1",
                    "num_groups=4",
                    "epsilon=1"),
            new Layer(
                    "LRN",
                    "p1,4,3,3 i1",
                    FLOATS,
                    "alpha!=1 beta!=.75 bias!=1 size!=3",
                    "alpha=2",
                    "beta=1",
                    "bias=2",
                    "size=1"),
            new Layer(
                    "MVN:opset2",
                    "p1,2,3,3",
                    FLOATS,
                    "across_channels=true normalize_variance=true eps!=.1",
                    "across_channels=false",
                    "normalize_variance=false",
                    "eps=1",
                    "eps_mode=inside_sqrt"),
            new Layer(
                    "MVN:opset2",
                    "p1,2,3,3",
                    FLOATS,
                    "eps!=.1",
                    "across_channels=false",
                    "normalize_variance=false",
                    "eps=1"),
            new Layer(
                    "MVN:opset6",
                    "p1,2,3,3 i2,3",
                    FLOATS,
                    "normalize_variance!=true eps!=.1 eps_mode!=inside_sqrt",
                    "normalize_variance=false",
                    "eps=1",
                    "eps_mode=outside_sqrt",
                    "across_channels=true"),
            new Layer("NormalizeL2", "p1,2,3,3 i1", FLOATS, "eps!=.5 eps_mode!=add", "eps=1", "eps_mode=max"),
            new Layer("SoftMax", "p2,3,4", "f32:?,?,?", "", "axis=2"),
            new Layer("Softmax:opset8", "p2,3,4", "f32:?,?,?", "", "axis=-1"),
            new Layer("LogSoftmax:opset5", "p2,3,4", "f32:?,?,?", "", "axis=0"),
            new Layer("Reshape", "p0,3 i0,0", "f32:?,?", "special_zero!=true", "special_zero=false"),
            new Layer("Squeeze", "p1,2 i0", "f32:?", "", "allow_axis_skip=true"),
            new Layer("Unsqueeze", "p2 i0", "f32:?,?", ""),
            new Layer("Transpose", "p2,3 i1,0", "f32:?,?", ""),
            new Layer("Concat", "p2,2 p2,2", "f32:?,?", "axis!=0", "axis=1"),
            new Layer("ShapeOf:opset3", "p2,3", "i64:2", "", "output_type=i32", "output_type=i32 > i32:2"),
            new Layer("Tile", "p2,3 i2,2", "f32:?,?", ""),
            new Layer("Broadcast:opset3", "p1,3 i2,1", "f32:?,?", "mode=bidirectional", "mode=numpy", "mode=explicit"),
            new Layer(
                    "Pad",
                    "p2,4 i1,1 i1,1 f.5",
                    "f32:?,?",
                    "pad_mode!=constant",
                    "pad_mode=edge",
                    "pad_mode=reflect",
                    "pad_mode=symmetric"),
            new Layer(
                    "DepthToSpace",
                    "p1,8,2,2",
                    FLOATS,
                    "block_size=2 mode!=blocks_first",
                    "block_size=1",
                    "mode=depth_first"),
            new Layer(
                    "SpaceToDepth",
                    "p1,2,4,4",
                    FLOATS,
                    "block_size=2 mode!=blocks_first",
                    "block_size=4",
                    "mode=depth_first"),
            new Layer("ReorgYolo:opset2", "p1,4,4,4", FLOATS, "stride!=2", "stride=1"),
            new Layer("ShuffleChannels:opset3", "p1,6,2,6", FLOATS, "axis=1 group=2", "axis=3", "group=3"),
            new Layer(
                    "Split",
                    "p2,4 s1",
                    "f32:?,? f32:?,?",
                    "num_splits!=2",
                    "num_splits=4 > f32:?,? f32:?,? f32:?,? f32:?,?"),
            new Layer("VariadicSplit", "p2,4 s1 i1,3", "f32:?,? f32:?,?", ""),
            new Layer("Slice:opset8", "p2,4 i0 i2 i1 i1", "f32:?,?", ""),
            new Layer(
                    "StridedSlice",
                    "p3,4,1 i1,1,0 i2,3,1 i1,1,1",
                    "f32:?,?,?",
                    "begin_mask!=0,0,0 end_mask!=0,0,0",
                    "begin_mask=0,1,0",
                    "end_mask=0,1,0",
                    "new_axis_mask=1 > f32:?,?,?,?",
                    "shrink_axis_mask=1 > f32:?,?",
                    "ellipsis_mask=1"),
            new Layer("Gather:opset7", "p2,3 i0 s1", "f32:?,?", "", "batch_dims=1"),
            new Layer("GatherElements:opset6", "p2,2 i0,0,1,0@2,2", "f32:?,?", "axis!=0", "axis=1"),
            new Layer("GatherND:opset8", "p2,2 i0,1@2,1", "f32:?,?", "", "batch_dims=1 > f32:?"),
            new Layer("ScatterUpdate:opset3", "p2,3 i1 w1,3 s0", "f32:?,?", ""),
            new Layer(
                    "ScatterElementsUpdate:opset12",
                    "p2,3 i1,0@1,2 w1,2 s0",
                    "f32:?,?",
                    "",
                    "reduction=sum",
                    "use_init_val=false"),
            new Layer("ScatterNDUpdate:opset15", "p2,3 i1@1,1 w1,3", "f32:?,?", "", "reduction=sum"),
            new Layer(
                    "TopK:opset3",
                    "p3,3 s2",
                    "f32:?,? i32:?,?",
                    "axis!=1 mode!=max sort!=value",
                    "axis=0",
                    "mode=min",
                    "sort=index",
                    "index_element_type=i64",
                    "stable=true"),
            new Layer("OneHot", "i1,0 s3 f5 f1", "f32:?,?", "axis!=-1", "axis=0"),
            new Layer(
                    "Range:opset4",
                    "f0 f3 f1",
                    "f32:?",
                    "output_type!=f32",
                    "output_type=i64",
                    "output_type=i64 > i64:?"),
            new Layer("CumSum:opset3", "p4", "f32:?", "", "exclusive=true", "reverse=true"),
            new Layer("ReverseSequence", "p3,3,3 i1,2,3", "f32:?,?,?", "", "batch_axis=2", "seq_axis=2"),
            new Layer(
                    "Interpolate",
                    "p1,1,3,3 i6,6",
                    FLOATS,
                    "axes!=2,3 mode!=linear",
                    "axes=2,1",
                    "mode=nearest",
                    "mode=cubic",
                    "align_corners=false",
                    "antialias=true",
                    "pads_begin=1",
                    "pads_end=1"),
            new Layer(
                    "Interpolate:opset4",
                    "p1,1,3,3 i7,5 v1.5,1.5@2 i2,3",
                    FLOATS,
                    "mode!=linear_onnx shape_calculation_mode!=sizes",
                    "mode=nearest",
                    "shape_calculation_mode=scales",
                    "coordinate_transformation_mode=align_corners",
                    "antialias=true",
                    "pads_begin=1,1,1,1",
                    "pads_end=1,1,1,1",
                    "axes=2,3",
                    "align_corners=true"),
            new Layer(
                    "Interpolate:opset11",
                    "p1,1,4,4 i6,6 i2,3",
                    FLOATS,
                    "mode!=nearest shape_calculation_mode!=sizes",
                    "mode=cubic",
                    "shape_calculation_mode=scales",
                    "nearest_mode=ceil"),
            new Layer(
                    "Interpolate:opset11",
                    "p1,1,4,4 i6,6 i2,3",
                    FLOATS,
                    "mode!=cubic shape_calculation_mode!=sizes",
                    "mode=bicubic_pillow",
                    "shape_calculation_mode=scales",
                    "cube_coeff=-.5"),
            new Layer(
                    "GridSample:opset9",
                    "p1,1,4,4 p1,3,3,2",
                    FLOATS,
                    "",
                    "align_corners=true",
                    "mode=nearest",
                    "padding_mode=border"),
            new Layer(
                    "NonMaxSuppression:opset5",
                    "v0,0,2,2,1,1,2,2@1,2,4 p1,2,2 s4 f.2 f-9",
                    "i64:?,3 f32:?,3 i64:1",
                    "sort_result_descending=false",
                    "sort_result_descending=true",
                    "box_encoding=center",
                    "output_type=i32"),
            new Layer(
                    "LSTMCell:opset4",
                    "p2,3 p2,4 p2,4 w16,3 w16,4 w16",
                    "f32:?,? f32:?,?",
                    "hidden_size!=4",
                    "hidden_size=3",
                    "clip=.1",
                    "activations=relu,tanh,tanh",
                    "activations_alpha=1",
                    "activations_beta=1",
                    "weights_format=ifco",
                    "input_forget=true",
                    "linear_before_reset=true"),
            new Layer(
                    "LSTMSequence:opset5",
                    "p2,3,3 p2,1,4 p2,1,4 i3,2 w1,16,3 w1,16,4 w1,16",
                    "f32:?,?,?,? f32:?,?,? f32:?,?,?",
                    "hidden_size!=4 direction!=forward",
                    "hidden_size=3",
                    "clip=.1",
                    "activations=relu,tanh,tanh",
                    "activations_alpha=1",
                    "activations_beta=1",
                    "direction=reverse"),
            new Layer(
                    "GRUCell:opset3",
                    "p2,3 p2,4 w12,3 w12,4 w12",
                    "f32:?,?",
                    "hidden_size!=4",
                    "hidden_size=3",
                    "clip=.1",
                    "activations=relu,tanh",
                    "activations_alpha=1",
                    "activations_beta=1",
                    "linear_before_reset=true"),
            new Layer(
                    "GRUSequence:opset5",
                    "p2,3,3 p2,1,4 i3,2 w1,12,3 w1,12,4 w1,12",
                    "f32:?,?,?,? f32:?,?,?",
                    "hidden_size!=4 direction!=forward",
                    "hidden_size=3",
                    "clip=.1",
                    "activations=relu,tanh",
                    "activations_alpha=1",
                    "activations_beta=1",
                    "direction=reverse",
                    "linear_before_reset=true"),
            new Layer(
                    "RNNCell",
                    "p2,3 p2,4 w4,3 w4,4 w4",
                    "f32:?,?",
                    "hidden_size!=4",
                    "hidden_size=3",
                    "clip=.1",
                    "activations=relu",
                    "activations_alpha=1",
                    "activations_beta=1"),
            new Layer(
                    "RNNSequence:opset5",
                    "p2,3,3 p2,1,4 i3,2 w1,4,3 w1,4,4 w1,4",
                    "f32:?,?,?,? f32:?,?,?",
                    "hidden_size!=4 direction!=forward",
                    "hidden_size=3",
                    "clip=.1",
                    "activations=relu",
                    "activations_alpha=1",
                    "activations_beta=1",
                    "direction=reverse"));

    @TempDir
    Path folder;

    private static List<Layer> all() {
        List<Layer> all = new ArrayList<>(LAYERS);
        Stream.of("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2")
                .map(type -> new Layer(type, "p2,3 i1", "f32:?", "", "keep_dims=true > f32:?,?"))
                .forEach(all::add);
        Stream.of(
                        "Add",
                        "Subtract",
                        "Multiply",
                        "Divide",
                        "Maximum",
                        "Minimum",
                        "Power",
                        "Mod",
                        "FloorMod",
                        "SquaredDifference")
                .map(type -> new Layer(type, "p2,3 p3", "f32:?,?", "", "auto_broadcast=none", "auto_broadcast=pdpd"))
                .forEach(all::add);
        Stream.of("BitwiseAnd", "BitwiseOr", "BitwiseXor")
                .map(type -> new Layer(type, "i1,2,3 s3", "i64:?", "", "auto_broadcast=none", "auto_broadcast=pdpd"))
                .forEach(all::add);
        Stream.of("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual")
                .map(type ->
                        new Layer(type, "p2,3 p3", "boolean:?,?", "", "auto_broadcast=none", "auto_broadcast=pdpd"))
                .forEach(all::add);
        Stream.of("LogicalAnd", "LogicalOr", "LogicalXor", "Xor")
                .map(type ->
                        new Layer(type, "z2,3 z3", "boolean:?,?", "", "auto_broadcast=none", "auto_broadcast=pdpd"))
                .forEach(all::add);
        Stream.of(
                        "Abs",
                        "Acos",
                        "Acosh",
                        "Asin",
                        "Asinh",
                        "Atan",
                        "Atanh",
                        "Ceiling",
                        "Cos",
                        "Cosh",
                        "Erf",
                        "Exp",
                        "Floor",
                        "HSigmoid",
                        "HSwish",
                        "Identity",
                        "Log",
                        "Mish",
                        "Negative",
                        "ReLU",
                        "Sigmoid",
                        "Sign",
                        "Sin",
                        "Sinh",
                        "SoftPlus",
                        "SoftSign",
                        "Sqrt",
                        "Tan",
                        "Tanh")
                .map(type -> new Layer(type, "p2,3", "f32:?,?", ""))
                .forEach(all::add);
        all.add(new Layer("BitwiseNot", "i1,2", "i64:?", ""));
        all.add(new Layer("LogicalNot", "z2", "boolean:?", ""));
        return all;
    }

    private static String name(String attribute) {
        return attribute.replaceFirst("!?=.*", "");
    }

    private static long[] longs(String list) {
        return Stream.of(list.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    private static float[] floats(String list) {
        float[] floats = new float[list.split(",", -1).length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = Float.parseFloat(list.split(",", -1)[i]);
        }
        return floats;
    }

    private static int elements(String dims) {
        return (int) LongStream.of(longs(dims)).reduce(1, (a, b) -> a * b);
    }

    private static Out operand(IrNet net, String operand, int number) {
        String what = operand.substring(1);
        return switch (operand.charAt(0)) {
            case 'p' -> net.parameter("f32", what);
            case 'w' -> net.floats(what, IrNet.random(number, longs(what)).toFloatArray());
            case 'v' -> {
                String[] parts = what.split("@", -1);
                yield net.floats(parts[1], floats(parts[0]));
            }
            case 'z' -> truths(net, what);
            case 'u' -> net.bytes("u1", what, 0xA7, 0x31, 0x5C, 0x0F, 0xE2, 0x99, 0x46, 0xD0, 0x3B);
            case 'f' -> net.floats("", Float.parseFloat(what));
            case 's' -> net.whole(Long.parseLong(what));
            default -> {
                String[] parts = what.split("@", -1);
                yield parts.length == 1 ? net.longs(longs(what)) : net.longs(parts[1], longs(parts[0]));
            }
        };
    }

    /** True and false in turn. */
    private static Out truths(IrNet net, String dims) {
        int[] turns = new int[elements(dims)];
        for (int i = 0; i < turns.length; i++) {
            turns[i] = i % 2;
        }
        return net.bytes("boolean", dims, turns);
    }

    /** The results, or the refusal. */
    private String outcome(Engine engine, Layer layer, String attributes, String outputs) throws IOException {
        IrNet net = new IrNet();
        List<Out> operands = new ArrayList<>();
        List<Tensor> inputs = new ArrayList<>();
        for (String operand : layer.operands().split(" ", -1)) {
            operands.add(operand(net, operand, operands.size()));
            if (operand.startsWith("p")) {
                inputs.add(IrNet.random(inputs.size() + 3L, longs(operand.substring(1))));
            }
        }
        List<Out> results = net.layer(layer.type(), attributes, operands, outputs.split(" ", -1));
        // the scores of boxes are a second output, which is not computed
        boolean boxes = layer.name().equals("NonMaxSuppression");
        Out[] read = results.stream()
                .filter(each -> !boxes || each.port() != operands.size() + 1)
                .toArray(Out[]::new);
        try {
            return IrNet.run(engine, net.results(read).write(folder), inputs.toArray(Tensor[]::new)).stream()
                    .map(y -> y + Arrays.toString(y.toDoubleArray()))
                    .collect(Collectors.joining());
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    private String outcome(Engine engine, Layer layer, Stream<String> attributes) throws IOException {
        return outcome(engine, layer, attributes.collect(Collectors.joining(" ")), layer.outputs());
    }

    private static Engine cpu() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    private static boolean isWithoutEffect(Layer layer, String attribute) {
        boolean recurrent = layer.name().endsWith("Cell") || layer.name().endsWith("Sequence");
        return WITHOUT_EFFECT.containsKey(layer.name() + " " + attribute)
                || (recurrent && OF_FUNCTIONS.contains(attribute));
    }

    @Test
    void everyTypeHasACase() {
        assertThat(all().stream().map(Layer::name).collect(Collectors.toSet()))
                .isEqualTo(OpenVinoTranslation.LAYERS.types());
        for (Layer layer : all()) {
            assertThat(layer.others().stream().map(IrAttributesTest::name))
                    .as(layer.type())
                    .containsAll(layer.attributes().stream()
                            .map(IrAttributesTest::name)
                            .toList());
        }
    }

    @Test
    void everyAttributeChangesTheResultOrIsRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Engine engine = cpu()) {
            for (Layer layer : all()) {
                String before = outcome(engine, layer, layer.without(""));
                if (before.startsWith(REFUSED)) {
                    wrong.add(layer + ": " + before);
                }
                for (String other : layer.others()) {
                    String[] parts = other.split(" > ", -1);
                    String attributes = Stream.concat(layer.without(name(other)), Stream.of(parts[0]))
                            .collect(Collectors.joining(" "));
                    String after = outcome(engine, layer, attributes, parts.length > 1 ? parts[1] : layer.outputs());
                    boolean told = after.startsWith(REFUSED) ? after.contains(name(other)) : !after.equals(before);
                    if (isWithoutEffect(layer, name(other)) ? !after.equals(before) : !told) {
                        wrong.add(layer.type() + " " + other + ": " + after);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void attributesThatNoLayerHasAndThatAreMissingAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Engine engine = cpu()) {
            for (Layer layer : all()) {
                String foreign = outcome(engine, layer, Stream.concat(layer.without(""), Stream.of("foreign=1")));
                if (!foreign.startsWith(REFUSED) || !foreign.contains("foreign")) {
                    wrong.add(layer.type() + " with a foreign attribute: " + foreign);
                }
                for (String required : layer.attributes()) {
                    if (required.contains("!=")) {
                        String without = outcome(engine, layer, layer.without(name(required)));
                        if (!without.contains("attribute '" + name(required) + "' is missing")) {
                            wrong.add(layer.type() + " without " + name(required) + ": " + without);
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatIsNoOperatorHasNoOtherAttributes() throws IOException {
        IrNet parameter = new IrNet();
        parameter.results(parameter.add("Parameter", "element_type=f32 shape=1 foreign=1", "f32:1"));
        parameter.refused(folder, "foreign");
        IrNet constant = new IrNet();
        constant.floats("1", 1);
        constant.results(constant.add("Const", "element_type=f32 shape=1 offset=0 size=4 foreign=1", "f32:1"));
        constant.refused(folder, "foreign");
        IrNet result = new IrNet();
        result.layer("Result", "foreign=1", List.of(result.parameter("f32", "1")));
        result.refused(folder, "foreign");
    }
}
