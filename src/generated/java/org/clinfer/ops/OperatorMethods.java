package org.clinfer.ops;

import java.util.List;
import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;

/** The operators as methods; {@code Ops} is what to use. */
@Generated("org.clinfer.generate.GeneratedFiles")
public abstract sealed class OperatorMethods permits Ops {

    OperatorMethods() {}

    abstract Ops self();

    /** A node without parameters and with one output. */
    abstract Edge direct(String op, List<Edge> inputs);

    /**
     * Absolute value. That of the lowest integer wraps, to itself.
     *
     * @param x a tensor; types: numeric, uint64
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge abs(Edge x) {
        return direct("Abs", List.of(x));
    }

    /**
     * Arc cosine in radians; a NaN beyond -1 and 1. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge acos(Edge x) {
        return direct("Acos", List.of(x));
    }

    /**
     * Inverse hyperbolic cosine; a NaN below 1. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge acosh(Edge x) {
        return direct("Acosh", List.of(x));
    }

    /**
     * a + b (numpy broadcasting). Integers wrap.
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge add(Edge a, Edge b) {
        return direct("Add", List.of(a, b));
    }

    /**
     * a and b (numpy broadcasting).
     *
     * @param a a tensor; types: bool
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge and(Edge a, Edge b) {
        return direct("And", List.of(a, b));
    }

    /**
     * Where along an axis the largest element stands; of equal ones the first. A NaN wins.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ArgMaxOp argMax(Edge x) {
        ArgMaxOp op = new ArgMaxOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Where along an axis the smallest element stands; of equal ones the first. A NaN wins.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ArgMinOp argMin(Edge x) {
        ArgMinOp op = new ArgMinOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Arc sine in radians; a NaN beyond -1 and 1. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge asin(Edge x) {
        return direct("Asin", List.of(x));
    }

    /**
     * Inverse hyperbolic sine. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge asinh(Edge x) {
        return direct("Asinh", List.of(x));
    }

    /**
     * Arc tangent in radians. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge atan(Edge x) {
        return direct("Atan", List.of(x));
    }

    /**
     * Inverse hyperbolic tangent; a NaN beyond -1 and 1. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge atanh(Edge x) {
        return direct("Atanh", List.of(x));
    }

    /**
     * Mean over a sliding window (OpLib 3.1). Integers are summed exactly and the mean is rounded half to even; float16
     * and bfloat16 are summed in float32 and rounded once.
     *
     * @param x a tensor; types: numeric; {@code x.ndim >= 3 && x.ndim <= 5}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final AvgPoolOp avgPool(Edge x) {
        AvgPoolOp op = new AvgPoolOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * scale * (x - mean) / sqrt(variance + epsilon) + bias per channel, at inference.
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 1}
     * @param scale a tensor; types: floating; 1 dimension; {@code x.ndim == 1 ? 1 : x.dims[1]} elements
     * @param bias a tensor; types: floating; 1 dimension; {@code x.ndim == 1 ? 1 : x.dims[1]} elements
     * @param mean a tensor; types: floating; 1 dimension; {@code x.ndim == 1 ? 1 : x.dims[1]} elements
     * @param variance a tensor; types: floating; 1 dimension; {@code x.ndim == 1 ? 1 : x.dims[1]} elements
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final BatchNormOp batchNorm(Edge x, Edge scale, Edge bias, Edge mean, Edge variance) {
        BatchNormOp op = new BatchNormOp(self());
        op.input(0, x);
        op.input(1, scale);
        op.input(2, bias);
        op.input(3, mean);
        op.input(4, variance);
        return op;
    }

    /**
     * The reverse of SpaceToBatch: batches are put side by side, as the places of a block, and the borders are left out
     * (TensorFlow BatchToSpaceND).
     *
     * @param x a tensor; types: any; {@code x.ndim >= 1} (a scalar has no batch)
     * @param block the sizes of a block along the axes that follow the first one; a list of ints; must be given; each
     *     {@code >= 1}; each {@code < 32768}; {@code len(block) < x.ndim} (more sizes than x has axes behind the first
     *     one)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final BatchToSpaceOp batchToSpace(Edge x, long... block) {
        BatchToSpaceOp op = new BatchToSpaceOp(self());
        op.input(0, x);
        op.param("block", Attribute.ofInts(block));
        return op;
    }

    /**
     * Gelu of x + bias (ONNX Runtime BiasGelu, and with TANH FastGelu). Floating types only, because the result is no
     * integer.
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 1} (a scalar has no features)
     * @param bias a tensor; types: type of {@code x}; {@code bias.dims == [x.dims[x.ndim - 1]]} (bias must have an
     *     element for each feature, which the last axis of x has)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final BiasGeluOp biasGelu(Edge x, Edge bias) {
        BiasGeluOp op = new BiasGeluOp(self());
        op.input(0, x);
        op.input(1, bias);
        return op;
    }

    /**
     * 2-D convolution of bits (OpenVINO BinaryConvolution-1). An element of x that equals its weight counts 1, any
     * other -1: bits 0 and 1 stand for -1 and 1, and their products are summed. An element that is neither 0 nor 1
     * equals no bit. Sums are exact and saturate to the type of x; floating types round them.
     *
     * @param x [batch, in_channels, height, width], of zeros and ones; types: numeric, uint64; 4 dimensions
     * @param weights [out_channels, in_channels, kernel_h, kernel_w]; bits in this order without gaps, the most
     *     significant of each byte first; types: u1; 4 dimensions
     * @param strides [stride_h, stride_w]; a list of ints; must be given; 2 elements; each {@code >= 1}; each {@code <
     *     1073741824}
     * @param padsBegin [top, left]; used if auto_pad is explicit; a list of ints; must be given; 2 elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @param padsEnd [bottom, right]; used if auto_pad is explicit; a list of ints; must be given; 2 elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @param dilations [dilation_h, dilation_w]; a list of ints; must be given; 2 elements; each {@code >= 1}; each
     *     {@code < 1073741824}
     * @param mode how bits are multiplied and summed; a string; must be given; one of {@code xnor-popcount}
     * @param padValue what the padding is filled with; see pad_semantics; a number; must be given
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final BinaryConvolutionOp binaryConvolution(
            Edge x,
            Edge weights,
            long[] strides,
            long[] padsBegin,
            long[] padsEnd,
            long[] dilations,
            BinaryConvolutionOp.Mode mode,
            double padValue) {
        BinaryConvolutionOp op = new BinaryConvolutionOp(self());
        op.input(0, x);
        op.input(1, weights);
        op.param("strides", Attribute.ofInts(strides));
        op.param("pads_begin", Attribute.ofInts(padsBegin));
        op.param("pads_end", Attribute.ofInts(padsEnd));
        op.param("dilations", Attribute.ofInts(dilations));
        op.param("mode", Attribute.of(mode.toString()));
        op.param("pad_value", Attribute.of(padValue));
        return op;
    }

    /**
     * The bits of the elements as those of another type of the same width. On the CPU.
     *
     * @param x a tensor; types: numeric, float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz, float8e8m0, uint64,
     *     int4, uint4, float4e2m1, int2, uint2
     * @param to a string; must be given; one of {@code int8}, {@code uint8}, {@code float8e4m3fn}, {@code
     *     float8e4m3fnuz}, {@code float8e5m2}, {@code float8e5m2fnuz}, {@code float8e8m0}, {@code int16}, {@code
     *     uint16}, {@code float16}, {@code bfloat16}, {@code int32}, {@code uint32}, {@code float32}, {@code int64},
     *     {@code uint64}, {@code float64}, {@code int4}, {@code uint4}, {@code float4e2m1}, {@code int2}, {@code uint2}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final BitCastOp bitCast(Edge x, DType to) {
        BitCastOp op = new BitCastOp(self());
        op.input(0, x);
        op.param("to", Attribute.of(to.label()));
        return op;
    }

    /**
     * The bits of a moved by b places (numpy broadcasting); those that leave it are lost, and to the right its sign
     * moves in. By less than none, or by as many places as it has bits or more, nothing is left but the sign that moved
     * in: -1 or 0.
     *
     * @param a a tensor; types: integer, uint64
     * @param b a tensor; types: type of {@code a}
     * @param direction LEFT doubles, RIGHT halves; a string; must be given; one of {@code LEFT}, {@code RIGHT}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final BitShiftOp bitShift(Edge a, Edge b, BitShiftOp.Direction direction) {
        BitShiftOp op = new BitShiftOp(self());
        op.input(0, a);
        op.input(1, b);
        op.param("direction", Attribute.of(direction.toString()));
        return op;
    }

    /**
     * The bits that a and b have in common (numpy broadcasting).
     *
     * @param a a tensor; types: integer, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge bitwiseAnd(Edge a, Edge b) {
        return direct("BitwiseAnd", List.of(a, b));
    }

    /**
     * The bits that x has not.
     *
     * @param x a tensor; types: integer, uint64
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge bitwiseNot(Edge x) {
        return direct("BitwiseNot", List.of(x));
    }

    /**
     * The bits that a or b has (numpy broadcasting).
     *
     * @param a a tensor; types: integer, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge bitwiseOr(Edge a, Edge b) {
        return direct("BitwiseOr", List.of(a, b));
    }

    /**
     * The bits that one of a and b has (numpy broadcasting).
     *
     * @param a a tensor; types: integer, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge bitwiseXor(Edge a, Edge b) {
        return direct("BitwiseXor", List.of(a, b));
    }

    /**
     * Converts the elements. Floating numbers become integers by truncation and saturation (NaN becomes 0); integers
     * keep their low bits in a narrower type, as in C; to floating types rounds to nearest, halves to even; to bool is
     * != 0. To int4, uint4, int2 and uint2 floating numbers, too, keep the low bits of what truncation gives. To the
     * float8 types and float4e2m1, what is too large saturates (see saturate); a NaN is -0 in float4e2m1. In
     * float8e8m0, which has powers of two alone, a number becomes the next one above (see round_mode), and one below 0
     * a NaN. These types are converted on the CPU.
     *
     * @param x a tensor; types: any
     * @param to a string; must be given; one of {@code int8}, {@code int16}, {@code int32}, {@code int64}, {@code
     *     uint8}, {@code uint16}, {@code uint32}, {@code uint64}, {@code float16}, {@code bfloat16}, {@code float32},
     *     {@code float64}, {@code bool}, {@code int4}, {@code uint4}, {@code int2}, {@code uint2}, {@code
     *     float8e4m3fn}, {@code float8e4m3fnuz}, {@code float8e5m2}, {@code float8e5m2fnuz}, {@code float8e8m0}, {@code
     *     float4e2m1}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final CastOp cast(Edge x, DType to) {
        CastOp op = new CastOp(self());
        op.input(0, x);
        op.param("to", Attribute.of(to.label()));
        return op;
    }

    /**
     * Smallest integer not below x; integers stay as they are.
     *
     * @param x a tensor; types: numeric
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge ceil(Edge x) {
        return direct("Ceil", List.of(x));
    }

    /**
     * max(0, x) + min(0, alpha * (exp(x / alpha) - 1)). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final CeluOp celu(Edge x) {
        CeluOp op = new CeluOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * min(max(x, min), max); a bound left out does not bind. With integers the bounds are rounded half to even and
     * saturated first.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ClipOp clip(Edge x) {
        ClipOp op = new ClipOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * The sum of columns, each of which holds a block of every channel, at the places from which they were taken; what
     * blocks have in common is added up.
     *
     * @param x batch x (channels * block) x blocks; types: numeric; {@code x.ndim == 3}
     * @param imageShape the spatial sizes of the result; types: int64; must be known when the run is planned
     * @param blockShape the sizes of a block; types: int64; must be known when the run is planned
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final Col2ImOp col2Im(Edge x, Edge imageShape, Edge blockShape) {
        Col2ImOp op = new Col2ImOp(self());
        op.input(0, x);
        op.input(1, imageShape);
        op.input(2, blockShape);
        return op;
    }

    /**
     * Joins tensors along one axis (OpLib 3.2).
     *
     * @param x a tensor; types: any; one or more
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ConcatOp concat(Edge... x) {
        return concat(List.of(x));
    }

    /**
     * Joins tensors along one axis (OpLib 3.2).
     *
     * @param x a tensor; types: any; one or more
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ConcatOp concat(List<Edge> x) {
        ConcatOp op = new ConcatOp(self());
        op.inputs(0, x);
        return op;
    }

    /**
     * A tensor of one value everywhere. The value is converted to the type as Cast does.
     *
     * @param shape a list of ints; must be given, here or as an input; each {@code >= 0}; or the input {@code
     *     shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ConstantOfShapeOp constantOfShape(long... shape) {
        ConstantOfShapeOp op = new ConstantOfShapeOp(self());
        op.param("shape", Attribute.ofInts(shape));
        return op;
    }

    /**
     * A tensor of one value everywhere. The value is converted to the type as Cast does.
     *
     * @param shapeTensor supplies {@code shape}: a list of ints; must be given, here or as an input; each {@code >= 0};
     *     or the input {@code shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ConstantOfShapeOp constantOfShape(Edge shapeTensor) {
        ConstantOfShapeOp op = new ConstantOfShapeOp(self());
        op.supplier(0, shapeTensor, "shape");
        return op;
    }

    /**
     * 2-D convolution of [batch, in_channels, height, width] with weights [out_channels, in_channels / group, kernel_h,
     * kernel_w] (OpLib 3.3). Integers are summed exactly in 64 bits and saturate to their type; float16 and bfloat16
     * are summed in float32 and rounded once. ceil_mode CEIL may read beyond the padding, where there are zeros.
     *
     * @param x a tensor; types: numeric; 4 dimensions
     * @param weights a tensor; types: type of {@code x}; 4 dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final Conv2dOp conv2d(Edge x, Edge weights) {
        Conv2dOp op = new Conv2dOp(self());
        op.input(0, x);
        op.input(1, weights);
        return op;
    }

    /**
     * 2-D transposed convolution of [batch, in_channels, height, width] with weights [in_channels, out_channels /
     * group, kernel_h, kernel_w] (OpLib 3.5). Integers are summed exactly in 64 bits and saturate to their type;
     * float16 and bfloat16 are summed in float32 and rounded once. The output has the same size whatever ceil_mode
     * says.
     *
     * @param x a tensor; types: numeric; 4 dimensions
     * @param weights a tensor; types: type of {@code x}; {@code x.ndim} dimensions; {@code weights.dims[0] ==
     *     x.dims[1]} (weights.dims[0] must be the input channels)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final Conv2dTransposeOp conv2dTranspose(Edge x, Edge weights) {
        Conv2dTransposeOp op = new Conv2dTransposeOp(self());
        op.input(0, x);
        op.input(1, weights);
        return op;
    }

    /**
     * 1-D, 2-D or 3-D transposed convolution of [batch, in_channels, spatial...] (NCX) or [batch, spatial...,
     * in_channels] (NXC), read as it is; Conv2dTranspose is the form that OpLib has. Integers are summed exactly in 64
     * bits and saturate to their type; float16 and bfloat16 are summed in float32 and rounded once. The output has the
     * same size whatever ceil_mode says.
     *
     * @param x a tensor; types: numeric; {@code x.ndim >= 3 && x.ndim <= 5}
     * @param weights [in_channels, out_channels / group, spatial...] (IOX) or [spatial..., out_channels / group,
     *     in_channels] (XOI); types: type of {@code x}; {@code x.ndim} dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ConvTransposeOp convTranspose(Edge x, Edge weights) {
        ConvTransposeOp op = new ConvTransposeOp(self());
        op.input(0, x);
        op.input(1, weights);
        return op;
    }

    /**
     * 1-D, 2-D or 3-D convolution with src [N, C, spatial...] (NCX) or [N, spatial..., C] (NXC) and weights [O, I /
     * groups, spatial...] (OIX) or [spatial..., I / groups, O] (XIO) (oneDNN Graph Convolution). Integers are summed
     * exactly in 64 bits and saturate to their type; float16 and bfloat16 are summed in float32 and rounded once.
     *
     * @param src a tensor; types: numeric; {@code src.ndim >= 3 && src.ndim <= 5}
     * @param weights a tensor; types: type of {@code src}; {@code src.ndim} dimensions
     * @param strides a list of ints; must be given; {@code src.ndim - 2} elements; each {@code >= 1}; each {@code <
     *     1073741824}
     * @param padsBegin a list of ints; must be given; {@code src.ndim - 2} elements; each {@code >= 0}; each {@code <
     *     1073741824}
     * @param padsEnd a list of ints; must be given; {@code src.ndim - 2} elements; each {@code >= 0}; each {@code <
     *     1073741824}
     * @param dilations a list of ints; must be given; {@code src.ndim - 2} elements; each {@code >= 1}; each {@code <
     *     1073741824}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ConvolutionOp convolution(
            Edge src, Edge weights, long[] strides, long[] padsBegin, long[] padsEnd, long... dilations) {
        ConvolutionOp op = new ConvolutionOp(self());
        op.input(0, src);
        op.input(1, weights);
        op.param("strides", Attribute.ofInts(strides));
        op.param("pads_begin", Attribute.ofInts(padsBegin));
        op.param("pads_end", Attribute.ofInts(padsEnd));
        op.param("dilations", Attribute.ofInts(dilations));
        return op;
    }

    /**
     * Cosine of radians. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge cos(Edge x) {
        return direct("Cos", List.of(x));
    }

    /**
     * Hyperbolic cosine. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge cosh(Edge x) {
        return direct("Cosh", List.of(x));
    }

    /**
     * Sums of the elements along an axis up to each one. Integers wrap.
     *
     * @param x a tensor; types: numeric, uint64
     * @param axis an int; must be given, here or as an input; {@code >= -x.ndim}; {@code < x.ndim}; or the input {@code
     *     axis_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final CumSumOp cumSum(Edge x, long axis) {
        CumSumOp op = new CumSumOp(self());
        op.input(0, x);
        op.param("axis", Attribute.of(axis));
        return op;
    }

    /**
     * Sums of the elements along an axis up to each one. Integers wrap.
     *
     * @param x a tensor; types: numeric, uint64
     * @param axisTensor supplies {@code axis}: an int; must be given, here or as an input; {@code >= -x.ndim}; {@code <
     *     x.ndim}; or the input {@code axis_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final CumSumOp cumSum(Edge x, Edge axisTensor) {
        CumSumOp op = new CumSumOp(self());
        op.input(0, x);
        op.supplier(1, axisTensor, "axis");
        return op;
    }

    /**
     * 2-D transposed convolution of [batch, in_channels, height, width] as CANN has it: out = (in - 1) * stride +
     * dilation * (kernel - 1) + 1 - 2 * pad along each axis. stride and pad are lists of height and width; one element
     * stands for both; an empty list leaves it to stride_h and stride_w, or pad_h and pad_w, which exclude the list.
     * int8 gives int32, summed exactly in 64 bits and saturated; float16 and bfloat16 are summed in float32 and rounded
     * once.
     *
     * @param x a tensor; types: floating, int8; 4 dimensions
     * @param filter [in_channels, out_channels / group, kernel_h, kernel_w]; types: type of {@code x}; 4 dimensions;
     *     {@code filter.dims[0] == x.dims[1]} (filter.dims[0] must be the channels of x)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DeconvolutionOp deconvolution(Edge x, Edge filter) {
        DeconvolutionOp op = new DeconvolutionOp(self());
        op.input(0, x);
        op.input(1, filter);
        return op;
    }

    /**
     * Reduces rows and columns by whole factors (OpLib 3.19); what a factor leaves over at the end is dropped. NEAREST
     * takes pixel (row * scale[0], column * scale[1]); BILINEAR interpolates at the centre of each block of scale[0] by
     * scale[1] pixels. Bilinear values of integers are computed in float64, rounded half to even and saturated.
     *
     * @param x a tensor; types: numeric; 4 dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DeePhiDownsampleOp deePhiDownsample(Edge x) {
        DeePhiDownsampleOp op = new DeePhiDownsampleOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Repeats the input along each axis (OpLib 3.17).
     *
     * @param x a tensor; types: any
     * @param multiples a list of ints; must be given, here or as an input; {@code x.ndim} elements; each {@code >= 0};
     *     or the input {@code repeats}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DeePhiTileOp deePhiTile(Edge x, long... multiples) {
        DeePhiTileOp op = new DeePhiTileOp(self());
        op.input(0, x);
        op.param("multiples", Attribute.ofInts(multiples));
        return op;
    }

    /**
     * Repeats the input along each axis (OpLib 3.17).
     *
     * @param x a tensor; types: any
     * @param repeats supplies {@code multiples}: a list of ints; must be given, here or as an input; {@code x.ndim}
     *     elements; each {@code >= 0}; or the input {@code repeats}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DeePhiTileOp deePhiTile(Edge x, Edge repeats) {
        DeePhiTileOp op = new DeePhiTileOp(self());
        op.input(0, x);
        op.supplier(1, repeats, "multiples");
        return op;
    }

    /**
     * A convolution whose taps each have an offset of their own at every place of the output, and perhaps a weight
     * there (deformable convolution v1 and v2). Between pixels it interpolates; outside is 0.
     *
     * @param x a tensor; types: floating; {@code x.ndim == 4}
     * @param weights output channels x (channels / group) x kernel; types: type of {@code x}; {@code weights.ndim == 4}
     * @param offset batch x (offset_group * taps * 2) x places: down and across for each tap; types: type of {@code x};
     *     {@code offset.ndim == 4}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DeformConvOp deformConv(Edge x, Edge weights, Edge offset) {
        DeformConvOp op = new DeformConvOp(self());
        op.input(0, x);
        op.input(1, weights);
        op.input(2, offset);
        return op;
    }

    /**
     * 2-D convolution of every channel of [batch, in_channels, height, width] on its own, with weights
     * [channel_multiplier, in_channels, kernel_h, kernel_w]; output channel c * channel_multiplier + q is input channel
     * c with weights [q, c] (OpLib 3.4). Integers are summed exactly in 64 bits and saturate to their type; float16 and
     * bfloat16 are summed in float32 and rounded once. ceil_mode CEIL may read beyond the padding, where there are
     * zeros.
     *
     * @param x a tensor; types: numeric; 4 dimensions
     * @param weights a tensor; types: type of {@code x}; 4 dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DepthwiseConv2dOp depthwiseConv2d(Edge x, Edge weights) {
        DepthwiseConv2dOp op = new DepthwiseConv2dOp(self());
        op.input(0, x);
        op.input(1, weights);
        return op;
    }

    /**
     * (x - zero_point) * scale (ONNX DequantizeLinear), computed in float32 and rounded once. scale and zero_point have
     * one element for the whole tensor, one for each index of an axis, or, with a block_size, one for so many indices
     * of the axis and each index of the others.
     *
     * @param x a tensor; types: int8, uint8, int16, uint16, int32, int4, uint4, int2, uint2, float8e4m3fn,
     *     float8e4m3fnuz, float8e5m2, float8e5m2fnuz, float4e2m1
     * @param scale a tensor; types: float32
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DequantizeLinearOp dequantizeLinear(Edge x, Edge scale) {
        DequantizeLinearOp op = new DequantizeLinearOp(self());
        op.input(0, x);
        op.input(1, scale);
        return op;
    }

    /**
     * The determinant of each matrix of the last two axes.
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 2}
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code slice(x.dims, 0, x.ndim - 2)}
     */
    public final Edge det(Edge x) {
        return direct("Det", List.of(x));
    }

    /**
     * The boxes that a detector with prior boxes finds, as Caffe's SSD has it. Each row is image, label, confidence,
     * left, top, right, bottom; images in order, labels in order, falling confidence. There are as many rows as there
     * may be at most; those that are not needed are -1 throughout, and at the end.
     *
     * @param loc images x (priors * classes, or 1, * 4); types: floating
     * @param conf images x (priors * classes); types: type of {@code loc}
     * @param priors 1 x 2 x (priors * 4): left, top, right, bottom of each, then the variances of these; 1 x 1 x
     *     (priors * 4) will do if these are not needed; types: type of {@code loc}
     * @param numClasses an int; must be given; {@code >= 1}; {@code < 1048576}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DetectionOutputOp detectionOutput(Edge loc, Edge conf, Edge priors, long numClasses) {
        DetectionOutputOp op = new DetectionOutputOp(self());
        op.input(0, loc);
        op.input(1, conf);
        op.input(2, priors);
        op.param("num_classes", Attribute.of(numClasses));
        return op;
    }

    /**
     * a / b (numpy broadcasting). Integers truncate towards zero; what is divided by 0 becomes 0.
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge div(Edge a, Edge b) {
        return direct("Div", List.of(a, b));
    }

    /**
     * The input itself: nothing is dropped at inference.
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final DropoutOp dropout(Edge x) {
        DropoutOp op = new DropoutOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Sum of the inputs times their coefficients, element by element (OpLib 3.7): alpha[0] * x[0] + alpha[1] * x[1] +
     * ... It is built from left to right; integers wrap, 16-bit floats are rounded once at the end.
     *
     * @param x a tensor; types: numeric; one or more
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final EltwiseOp eltwise(Edge... x) {
        return eltwise(List.of(x));
    }

    /**
     * Sum of the inputs times their coefficients, element by element (OpLib 3.7): alpha[0] * x[0] + alpha[1] * x[1] +
     * ... It is built from left to right; integers wrap, 16-bit floats are rounded once at the end.
     *
     * @param x a tensor; types: numeric; one or more
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final EltwiseOp eltwise(List<Edge> x) {
        EltwiseOp op = new EltwiseOp(self());
        op.inputs(0, x);
        return op;
    }

    /**
     * x where x &gt; 0, else alpha * (exp(x) - 1). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final EluOp elu(Edge x) {
        EluOp op = new EluOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Words, where they stand and which sentence they are of, each a row of a table: LayerNorm of their sum (ONNX
     * Runtime EmbedLayerNormalization, without its mask).
     *
     * @param ids [batch, words]; types: int32, int64; 2 dimensions
     * @param wordEmbedding a tensor; types: floating; 2 dimensions
     * @param positionEmbedding a tensor; types: type of {@code word_embedding}; 2 dimensions; {@code
     *     position_embedding.dims[1] == word_embedding.dims[1]} (position_embedding has rows of another length than
     *     word_embedding)
     * @param scale a tensor; types: type of {@code word_embedding}; {@code scale.dims == [word_embedding.dims[1]]}
     *     (scale must have an element for each feature)
     * @param bias a tensor; types: type of {@code word_embedding}; {@code bias.dims == [word_embedding.dims[1]]} (bias
     *     must have an element for each feature)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final EmbedLayerNormOp embedLayerNorm(
            Edge ids, Edge wordEmbedding, Edge positionEmbedding, Edge scale, Edge bias) {
        EmbedLayerNormOp op = new EmbedLayerNormOp(self());
        op.input(0, ids);
        op.input(2, wordEmbedding);
        op.input(3, positionEmbedding);
        op.input(5, scale);
        op.input(6, bias);
        return op;
    }

    /**
     * a == b (numpy broadcasting). A NaN equals nothing.
     *
     * @param a a tensor; types: any
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge equal(Edge a, Edge b) {
        return direct("Equal", List.of(a, b));
    }

    /**
     * Gauss error function. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge erf(Edge x) {
        return direct("Erf", List.of(x));
    }

    /**
     * e to the power x. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge exp(Edge x) {
        return direct("Exp", List.of(x));
    }

    /**
     * Broadcasts the input with a shape (numpy broadcasting both ways).
     *
     * @param x a tensor; types: any
     * @param shape a list of ints; must be given, here or as an input; each {@code >= 0}; or the input {@code
     *     shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ExpandOp expand(Edge x, long... shape) {
        ExpandOp op = new ExpandOp(self());
        op.input(0, x);
        op.param("shape", Attribute.ofInts(shape));
        return op;
    }

    /**
     * Broadcasts the input with a shape (numpy broadcasting both ways).
     *
     * @param x a tensor; types: any
     * @param shapeTensor supplies {@code shape}: a list of ints; must be given, here or as an input; each {@code >= 0};
     *     or the input {@code shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ExpandOp expand(Edge x, Edge shapeTensor) {
        ExpandOp op = new ExpandOp(self());
        op.input(0, x);
        op.supplier(1, shapeTensor, "shape");
        return op;
    }

    /**
     * Two axes: the product of the sizes before {@code axis}, and of the others.
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final FlattenOp flatten(Edge x) {
        FlattenOp op = new FlattenOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Largest integer not above x; integers stay as they are.
     *
     * @param x a tensor; types: numeric
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge floor(Edge x) {
        return direct("Floor", List.of(x));
    }

    /**
     * 1-D, 2-D or 3-D convolution with what follows it: activation(convolution + bias + residual), or
     * activation(convolution + bias) + residual. The other convolutions are forms of it. x is [N, C, spatial...] (NCX)
     * or [N, spatial..., C] (NXC), read as it is. Integers are summed exactly in 64 bits and saturate to their type;
     * float16 and bfloat16 are computed in float32 and rounded once, after the activation.
     *
     * @param x a tensor; types: numeric; {@code x.ndim >= 3 && x.ndim <= 5}
     * @param weights [out_channels, in_channels / groups, spatial...] (OIX), [spatial..., in_channels / groups,
     *     out_channels] (XIO), or for one group per input channel [multiplier, in_channels, spatial...] (MIX), where
     *     output channel c * multiplier + m is of input channel c; types: type of {@code x}; {@code x.ndim} dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final FusedConvOp fusedConv(Edge x, Edge weights) {
        FusedConvOp op = new FusedConvOp(self());
        op.input(0, x);
        op.input(1, weights);
        return op;
    }

    /**
     * 1-D, 2-D or 3-D transposed convolution with what follows it, as in FusedConv. The other transposed convolutions
     * are forms of it. pads_begin is cut from the beginning of the full result, and out_size elements follow; those
     * that no input reaches are 0 plus bias. x is [N, C, spatial...] (NCX) or [N, spatial..., C] (NXC), read as it is.
     * Integers are summed exactly in 64 bits and saturate to their type; float16 and bfloat16 are computed in float32
     * and rounded once, after the activation.
     *
     * @param x a tensor; types: numeric; {@code x.ndim >= 3 && x.ndim <= 5}
     * @param weights [in_channels, out_channels / groups, spatial...] (IOX) or [spatial..., out_channels / groups,
     *     in_channels] (XOI); types: type of {@code x}; {@code x.ndim} dimensions
     * @param outSize spatial size of y; a list of ints; must be given; {@code x.ndim - 2} elements; each {@code >= 1};
     *     each {@code < 2147483648}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final FusedConvTransposeOp fusedConvTranspose(Edge x, Edge weights, long... outSize) {
        FusedConvTransposeOp op = new FusedConvTransposeOp(self());
        op.input(0, x);
        op.input(1, weights);
        op.param("out_size", Attribute.ofInts(outSize));
        return op;
    }

    /**
     * Slices of x along one axis, chosen by indices; negative ones count from the end.
     *
     * @param x a tensor; types: any
     * @param indices a tensor; types: int32, int64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GatherOp gather(Edge x, Edge indices) {
        GatherOp op = new GatherOp(self());
        op.input(0, x);
        op.input(1, indices);
        return op;
    }

    /**
     * Elements of data chosen one by one: for each index the element of data at the same place, but for one axis, along
     * which the index says where; negative ones count from the end.
     *
     * @param data a tensor; types: any
     * @param indices a tensor; types: int32, int64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GatherElementsOp gatherElements(Edge data, Edge indices) {
        GatherElementsOp op = new GatherElementsOp(self());
        op.input(0, data);
        op.input(1, indices);
        return op;
    }

    /**
     * Slices of data, each chosen by the numbers of one row of indices, one number for each of the first axes of data
     * behind the batches; negative ones count from the end.
     *
     * @param data a tensor; types: any
     * @param indices a tensor; types: int32, int64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GatherNDOp gatherND(Edge data, Edge indices) {
        GatherNDOp op = new GatherNDOp(self());
        op.input(0, data);
        op.input(1, indices);
        return op;
    }

    /**
     * x / 2 * (1 + erf(x / sqrt(2))), or with TANH x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) (ONNX Gelu).
     * Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GeluOp gelu(Edge x) {
        GeluOp op = new GeluOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * alpha * A' * B' + beta * C, where ' transposes if asked. Integers are summed exactly in 64 bits; with an alpha or
     * beta other than 1 the result is computed in float64 and rounded half to even; it saturates to their type. float16
     * and bfloat16 are computed in float32 and rounded once.
     *
     * @param a a tensor; types: numeric; 2 dimensions
     * @param b a tensor; types: type of {@code a}; 2 dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GemmOp gemm(Edge a, Edge b) {
        GemmOp op = new GemmOp(self());
        op.input(0, a);
        op.input(1, b);
        return op;
    }

    /**
     * a &gt; b (numpy broadcasting).
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge greater(Edge a, Edge b) {
        return direct("Greater", List.of(a, b));
    }

    /**
     * a &gt;= b (numpy broadcasting).
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge greaterOrEqual(Edge a, Edge b) {
        return direct("GreaterOrEqual", List.of(a, b));
    }

    /**
     * Elements of x at the places that a grid names, from -1 at the first to 1 at the last element of each axis, the
     * last axis first. What lies outside is 0, the border or mirrored. Halfway, the nearest is the even one.
     *
     * @param x a tensor; types: floating
     * @param grid batch x places ... x one number for each spatial axis; types: type of {@code x}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GridSampleOp gridSample(Edge x, Edge grid) {
        GridSampleOp op = new GridSampleOp(self());
        op.input(0, x);
        op.input(1, grid);
        return op;
    }

    /**
     * Normalises each group of channels of each image by its own mean and variance, then scale and bias (ONNX
     * GroupNormalization). Scale and bias have one element for each channel, or one for each group, as before ONNX'
     * operator set 21.
     *
     * @param x a tensor; types: floating
     * @param numGroups an int; must be given; {@code >= 1}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GroupNormOp groupNorm(Edge x, long numGroups) {
        GroupNormOp op = new GroupNormOp(self());
        op.input(0, x);
        op.param("num_groups", Attribute.of(numGroups));
        return op;
    }

    /**
     * A gated recurrent unit over a sequence. Gates of update, reset and the hidden state, in this order: z =
     * sigmoid(wz x + rz h + bz + sz), r alike, n = tanh(wn x + bn + rn (r h) + sn), or with linear_before_reset tanh(wn
     * x + bn + r (rn h + sn)), h' = (1 - z) n + z h; h is that of the step before, or an initial one, or 0, and b and s
     * are bias and recurrent_bias.
     *
     * @param x steps x batch x inputs; types: floating
     * @param weights (3 * units) x inputs; types: type of {@code x}
     * @param recurrence (3 * units) x units; types: type of {@code x}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final GruOp gru(Edge x, Edge weights, Edge recurrence) {
        GruOp op = new GruOp(self());
        op.input(0, x);
        op.input(1, weights);
        op.input(2, recurrence);
        return op;
    }

    /**
     * 0 up to -2, x + x^2 / 2 up to 0, then x (Darknet's hard_mish). Floating types only, because the result is no
     * integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge hardMish(Edge x) {
        return direct("HardMish", List.of(x));
    }

    /**
     * min(max(alpha * x + beta, 0), 1). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final HardSigmoidOp hardSigmoid(Edge x) {
        HardSigmoidOp op = new HardSigmoidOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * x * min(max(x / 6 + 0.5, 0), 1). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge hardSwish(Edge x) {
        return direct("HardSwish", List.of(x));
    }

    /**
     * 1 where along an axis the first largest element stands, else 0 (ONNX Hardmax).
     *
     * @param x a tensor; types: numeric, uint64; {@code x.ndim >= 1} (a scalar has no axis)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final HardmaxOp hardmax(Edge x) {
        HardmaxOp op = new HardmaxOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * The input itself.
     *
     * @param x a tensor; types: any
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge identity(Edge x) {
        return direct("Identity", List.of(x));
    }

    /**
     * Fully connected layer: every image of [batch, in_channels, in_height, in_width], flattened in this order, times
     * weights [out_channels, in_channels * in_height * in_width] or [out_channels, in_channels, in_height, in_width]
     * (OpLib 3.6). Integers are summed exactly in 64 bits and saturate to their type; float16 and bfloat16 are summed
     * in float32 and rounded once.
     *
     * @param x a tensor; types: numeric; 4 dimensions
     * @param weights a tensor; types: type of {@code x}; {@code weights.ndim == 2 || weights.ndim == 4}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final InnerProductOp innerProduct(Edge x, Edge weights) {
        InnerProductOp op = new InnerProductOp(self());
        op.input(0, x);
        op.input(1, weights);
        return op;
    }

    /**
     * Normalises each channel of each image by its own mean and variance, then scale and bias.
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 3}
     * @param scale a tensor; types: floating; 1 dimension; {@code x.ndim == 1 ? 1 : x.dims[1]} elements
     * @param bias a tensor; types: floating; 1 dimension; {@code x.ndim == 1 ? 1 : x.dims[1]} elements
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final InstanceNormOp instanceNorm(Edge x, Edge scale, Edge bias) {
        InstanceNormOp op = new InstanceNormOp(self());
        op.input(0, x);
        op.input(1, scale);
        op.input(2, bias);
        return op;
    }

    /**
     * (x - mean) / sqrt(variance + epsilon) * scale + bias, with mean and variance of everything from an axis on (ONNX
     * LayerNormalization). 16-bit floats are computed in float32 and rounded once.
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 1}
     * @param scale of the shape of what is normalised; types: type of {@code x}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final LayerNormOp layerNorm(Edge x, Edge scale) {
        LayerNormOp op = new LayerNormOp(self());
        op.input(0, x);
        op.input(1, scale);
        return op;
    }

    /**
     * x where x &gt;= 0, else alpha * x (OpLib 3.12). OpLib demands alpha &gt; 0; any alpha is taken, because ONNX
     * allows it. With integers alpha * x is computed in float64, rounded half to even and saturated.
     *
     * @param x a tensor; types: numeric
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final LeakyReluOp leakyRelu(Edge x) {
        LeakyReluOp op = new LeakyReluOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * a &lt; b (numpy broadcasting).
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge less(Edge a, Edge b) {
        return direct("Less", List.of(a, b));
    }

    /**
     * a &lt;= b (numpy broadcasting).
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge lessOrEqual(Edge a, Edge b) {
        return direct("LessOrEqual", List.of(a, b));
    }

    /**
     * Natural logarithm. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge log(Edge x) {
        return direct("Log", List.of(x));
    }

    /**
     * Logarithm of the softmax along an axis.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final LogSoftmaxOp logSoftmax(Edge x) {
        LogSoftmaxOp op = new LogSoftmaxOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Divides by the norm over axes: the sum of absolute values, or the square root of the sum of squares (ONNX
     * LpNormalization, OpenVINO NormalizeL2).
     *
     * @param x a tensor; types: floating
     * @param axes [] means that each element is a norm of its own; a list of ints; must be given; each {@code >=
     *     -x.ndim}; each {@code < x.ndim}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final LpNormOp lpNorm(Edge x, long... axes) {
        LpNormOp op = new LpNormOp(self());
        op.input(0, x);
        op.param("axes", Attribute.ofInts(axes));
        return op;
    }

    /**
     * x / (bias + alpha / size * sum of squares over {@code size} neighbouring channels) ^ beta.
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 2}
     * @param size an int; must be given; {@code >= 1}; {@code < 1073741824}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final LrnOp lrn(Edge x, long size) {
        LrnOp op = new LrnOp(self());
        op.input(0, x);
        op.param("size", Attribute.of(size));
        return op;
    }

    /**
     * A long short-term memory over a sequence. Gates of input, output, forgetting and cell, in this order: i =
     * sigmoid(wi x + ri h + bi + pi c), f alike, c' = f c + i tanh(wc x + rc h + bc), o = sigmoid(wo x + ro h + bo + po
     * c'), h' = o tanh(c'); h and c are those of the step before, or initial ones, or 0. Other activations may stand
     * for sigmoid and tanh.
     *
     * @param x steps x batch x inputs; types: floating
     * @param weights (4 * units) x inputs; types: type of {@code x}
     * @param recurrence (4 * units) x units; types: type of {@code x}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final LstmOp lstm(Edge x, Edge weights, Edge recurrence) {
        LstmOp op = new LstmOp(self());
        op.input(0, x);
        op.input(1, weights);
        op.input(2, recurrence);
        return op;
    }

    /**
     * Matrix product of the last two axes, numpy broadcasting of the others; a vector counts as a row on the left and a
     * column on the right. Integers wrap; float16 and bfloat16 are summed in float32 and rounded once.
     *
     * @param a a tensor; types: numeric, uint64; {@code a.ndim >= 1}
     * @param b a tensor; types: type of {@code a}; {@code b.ndim >= 1}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code batch_dims + (a.ndim == 1 ? [] : [m]) + (b.ndim
     *     == 1 ? [] : [n])}
     */
    public final Edge matMul(Edge a, Edge b) {
        return direct("MatMul", List.of(a, b));
    }

    /**
     * Product of real numbers and a matrix of codes of 4 or 8 bits, of which every block of neighbours in a column has
     * a scale and a zero point of its own (ONNX Runtime's MatMulNBits): y[..., j] = bias[j] + sum over i of a[..., i] *
     * (code(j, i) - zero_points[j, i / block_size]) * scales[j, i / block_size]. The codes of a column lie side by
     * side, those that share a byte low bits first. float16 and bfloat16 are summed in float32 and rounded once.
     *
     * @param a a tensor; types: float32, float16, bfloat16; {@code a.ndim >= 1}
     * @param b [columns, blocks, bytes of a block]; types: uint8; 3 dimensions
     * @param scales [columns, blocks]; types: type of {@code a}; 2 dimensions
     * @param blockSize an int; must be given; {@code block_size >= 2 && block_size % 2 == 0}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final MatMulNBitsOp matMulNBits(Edge a, Edge b, Edge scales, long blockSize) {
        MatMulNBitsOp op = new MatMulNBitsOp(self());
        op.input(0, a);
        op.input(1, b);
        op.input(2, scales);
        op.param("block_size", Attribute.of(blockSize));
        return op;
    }

    /**
     * Largest of all inputs, element by element (numpy broadcasting). A NaN wins.
     *
     * @param x a tensor; types: numeric, uint64; one or more
     * @return the output {@code y}; type: {@code x[0].dtype}; dims: {@code y_dims}
     */
    public final Edge max(Edge... x) {
        return max(List.of(x));
    }

    /**
     * Largest of all inputs, element by element (numpy broadcasting). A NaN wins.
     *
     * @param x a tensor; types: numeric, uint64; one or more
     * @return the output {@code y}; type: {@code x[0].dtype}; dims: {@code y_dims}
     */
    public final Edge max(List<Edge> x) {
        return direct("Max", x);
    }

    /**
     * Maximum over a sliding window; padding never wins (OpLib 3.8). A window of padding alone gives the smallest value
     * of the type; a NaN is larger than all.
     *
     * @param x a tensor; types: numeric; {@code x.ndim >= 3 && x.ndim <= 5}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final MaxPoolOp maxPool(Edge x) {
        MaxPoolOp op = new MaxPoolOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Where the maximum of a sliding window stands: its number among all elements of x; of equal ones the first, and a
     * NaN is larger than all. -1 for a window of padding alone.
     *
     * @param x a tensor; types: numeric; {@code x.ndim >= 3 && x.ndim <= 5}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final MaxPoolIndicesOp maxPoolIndices(Edge x) {
        MaxPoolIndicesOp op = new MaxPoolIndicesOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * The elements of x at the places that a MaxPoolIndices names, and 0 elsewhere.
     *
     * @param x a tensor; types: numeric; {@code x.ndim >= 3 && x.ndim <= 5}
     * @param indices numbers of elements of the output, whose size follows from the windows; types: int64
     * @param kernelShape a list of ints; must be given; {@code x.ndim - 2} elements; each {@code >= 1}; each {@code <
     *     1073741824}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final MaxUnpoolOp maxUnpool(Edge x, Edge indices, long... kernelShape) {
        MaxUnpoolOp op = new MaxUnpoolOp(self());
        op.input(0, x);
        op.input(1, indices);
        op.param("kernel_shape", Attribute.ofInts(kernelShape));
        return op;
    }

    /**
     * Mean over axes (OpLib 3.9). The sum of integers is exact, except that int64 wraps, and the mean is rounded half
     * to even; over no elements it is NaN, of integers 0.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final MeanOp mean(Edge x) {
        MeanOp op = new MeanOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Subtracts the mean over axes, and divides by the standard deviation over them (ONNX MeanVarianceNormalization,
     * OpenVINO MVN).
     *
     * @param x a tensor; types: floating
     * @param axes a list of ints; must be given; each {@code >= -x.ndim}; each {@code < x.ndim}; {@code len(axes) >= 1}
     *     (no axes)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final MeanVarianceNormOp meanVarianceNorm(Edge x, long... axes) {
        MeanVarianceNormOp op = new MeanVarianceNormOp(self());
        op.input(0, x);
        op.param("axes", Attribute.ofInts(axes));
        return op;
    }

    /**
     * Smallest of all inputs, element by element (numpy broadcasting). A NaN wins.
     *
     * @param x a tensor; types: numeric, uint64; one or more
     * @return the output {@code y}; type: {@code x[0].dtype}; dims: {@code y_dims}
     */
    public final Edge min(Edge... x) {
        return min(List.of(x));
    }

    /**
     * Smallest of all inputs, element by element (numpy broadcasting). A NaN wins.
     *
     * @param x a tensor; types: numeric, uint64; one or more
     * @return the output {@code y}; type: {@code x[0].dtype}; dims: {@code y_dims}
     */
    public final Edge min(List<Edge> x) {
        return direct("Min", x);
    }

    /**
     * x * tanh(log(1 + exp(x))) (ONNX Mish). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge mish(Edge x) {
        return direct("Mish", List.of(x));
    }

    /**
     * The remainder of a / b (numpy broadcasting), with the sign of b as in Python, or with fmod that of a as in C, of
     * a zero too. Of an integer divided by 0 it is 0, of a floating number a NaN.
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ModOp mod(Edge a, Edge b) {
        ModOp op = new ModOp(self());
        op.input(0, a);
        op.input(1, b);
        return op;
    }

    /**
     * a * b (numpy broadcasting). Integers wrap.
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge mul(Edge a, Edge b) {
        return direct("Mul", List.of(a, b));
    }

    /**
     * -x. Integers wrap.
     *
     * @param x a tensor; types: numeric
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge neg(Edge x) {
        return direct("Neg", List.of(x));
    }

    /**
     * The boxes of each class of each image that overlap none with a higher score by more than a threshold. Each row of
     * chosen is image, class, box: images in order, classes in order, falling scores, of equal ones the first box
     * first. There are as many rows as there may be at most; count says how many have a box, and the others are -1
     * throughout. A box whose score is no number is not chosen.
     *
     * @param boxes images x boxes x 4; types: floating
     * @param scores images x classes x boxes; types: type of {@code boxes}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final NonMaxSuppressionOp nonMaxSuppression(Edge boxes, Edge scores) {
        NonMaxSuppressionOp op = new NonMaxSuppressionOp(self());
        op.input(0, boxes);
        op.input(1, scores);
        return op;
    }

    /**
     * Where the elements are that are not 0: a column for each, in their order, and a row for each axis. There are as
     * many columns as there may be at most; count says how many are needed, and the others are -1 throughout. A NaN is
     * not 0.
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final NonZeroOp nonZero(Edge x) {
        NonZeroOp op = new NonZeroOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Logical negation.
     *
     * @param x a tensor; types: bool
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge not(Edge x) {
        return direct("Not", List.of(x));
    }

    /**
     * An axis more, along which the second of two values stands where the index says, and the first elsewhere (ONNX
     * OneHot). An index outside of the axis is nowhere.
     *
     * @param indices a tensor; types: numeric
     * @param values off and on; types: any; 1 dimension; 2 elements
     * @param depth the size of the axis; an int; must be given, here or as an input; {@code >= 0}; or the input {@code
     *     depth_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final OneHotOp oneHot(Edge indices, Edge values, long depth) {
        OneHotOp op = new OneHotOp(self());
        op.input(0, indices);
        op.input(2, values);
        op.param("depth", Attribute.of(depth));
        return op;
    }

    /**
     * An axis more, along which the second of two values stands where the index says, and the first elsewhere (ONNX
     * OneHot). An index outside of the axis is nowhere.
     *
     * @param indices a tensor; types: numeric
     * @param values off and on; types: any; 1 dimension; 2 elements
     * @param depthTensor supplies {@code depth}: the size of the axis; an int; must be given, here or as an input;
     *     {@code >= 0}; or the input {@code depth_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final OneHotOp oneHot(Edge indices, Edge values, Edge depthTensor) {
        OneHotOp op = new OneHotOp(self());
        op.input(0, indices);
        op.input(2, values);
        op.supplier(1, depthTensor, "depth");
        return op;
    }

    /**
     * a or b (numpy broadcasting).
     *
     * @param a a tensor; types: bool
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge or(Edge a, Edge b) {
        return direct("Or", List.of(a, b));
    }

    /**
     * x where x &gt;= 0, else slope * x (OpLib 3.13). slope is a vector of one slope per channel as in OpLib, or
     * broadcasts to x as in numpy and ONNX. Integers wrap.
     *
     * @param x a tensor; types: numeric
     * @param slope a tensor; types: type of {@code x}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final PReluOp pRelu(Edge x, Edge slope) {
        PReluOp op = new PReluOp(self());
        op.input(0, x);
        op.input(1, slope);
        return op;
    }

    /**
     * Pads each axis; CONSTANT, REFLECT, SYMMETRIC, EDGE and WRAP as numpy's pad; negative widths cut (OpLib 3.10).
     * Where borders of several axes cross, the constant of the last of these axes stands. A constant is rounded to a
     * floating data type, and truncated and saturated to an integer one; any but 0 is true.
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final PadOp pad(Edge x) {
        PadOp op = new PadOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * a to the power b, in the type of a (numpy broadcasting). An integer to the power of an integer wraps, 0 to a
     * negative power is 0; an integer to the power of a floating number is computed in float64 and rounded half to
     * even, and what is no number becomes 0.
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: numeric, uint64
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge pow(Edge a, Edge b) {
        return direct("Pow", List.of(a, b));
    }

    /**
     * The regions that a region proposal network finds, as Faster R-CNN has it: boxes around every place of a map, of
     * several sizes and shapes, moved by deltas, without those that overlap. Each row of rois is image, left, top,
     * right, bottom, in pixels; falling scores. Every image has post_nms_topn rows; those that are not needed are 0 but
     * for the image.
     *
     * @param scores images x (2 * boxes) x rows x columns: of background, then of objects; types: floating
     * @param deltas images x (4 * boxes) x rows x columns; types: type of {@code scores}
     * @param imInfo height and width of the picture, and by how much it was enlarged; a row for each image, or one for
     *     all; types: type of {@code scores}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ProposalOp proposal(Edge scores, Edge deltas, Edge imInfo) {
        ProposalOp op = new ProposalOp(self());
        op.input(0, scores);
        op.input(1, deltas);
        op.input(2, imInfo);
        return op;
    }

    /**
     * The means of windows of equal size that regions of pictures are divided into, each window of channels of its own
     * (R-FCN, position-sensitive). A window is rounded to whole pixels to the outside, in float32. An empty window is
     * 0, and so is a region of an image that there is not.
     *
     * @param x channels: of output channel, row and column of windows; types: floating
     * @param rois rows of image, left, top, right, bottom; types: type of {@code x}
     * @param groupSize rows and columns of windows; an int; must be given; {@code >= 1}; {@code < 32768}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final PsRoiPoolOp psRoiPool(Edge x, Edge rois, long groupSize) {
        PsRoiPoolOp op = new PsRoiPoolOp(self());
        op.input(0, x);
        op.input(1, rois);
        op.param("group_size", Attribute.of(groupSize));
        return op;
    }

    /**
     * saturate(round(x / scale) + zero_point), half to even (ONNX QuantizeLinear). scale and zero_point have one
     * element for the whole tensor, one for each index of an axis, or, with a block_size, one for so many indices of
     * the axis and each index of the others. What is no number becomes zero_point. Codes may be floats of 8 or 4 bits:
     * these are not rounded to integers first. Codes of less than 8 bits and float8 are computed on the CPU.
     *
     * @param x a tensor; types: float32, float16, bfloat16, int32
     * @param scale a tensor; types: float32
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final QuantizeLinearOp quantizeLinear(Edge x, Edge scale) {
        QuantizeLinearOp op = new QuantizeLinearOp(self());
        op.input(0, x);
        op.input(1, scale);
        return op;
    }

    /**
     * Sum of codes of 8 bits as codes (numpy broadcasting): saturate(round(a * (a_scale / y_scale) + b * (b_scale /
     * y_scale) + zeros)), where zeros = y_zero_point - (a_zero_point * (a_scale / y_scale) + b_zero_point * (b_scale /
     * y_scale)); in float32, b before a and each product added by fma, half to even, as ONNX Runtime's QLinearAdd on
     * x86-64.
     *
     * @param a a tensor; types: int8, uint8
     * @param b a tensor; types: type of {@code a}
     * @param aScale a tensor; types: float32; 1 element
     * @param bScale a tensor; types: float32; 1 element
     * @param yScale a tensor; types: float32; 1 element
     * @param yZeroPoint gives y its type; types: int8, uint8; 1 element
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final QuantizedAddOp quantizedAdd(Edge a, Edge b, Edge aScale, Edge bScale, Edge yScale, Edge yZeroPoint) {
        QuantizedAddOp op = new QuantizedAddOp(self());
        op.input(0, a);
        op.input(1, b);
        op.input(4, aScale);
        op.input(5, bScale);
        op.input(6, yScale);
        op.input(7, yZeroPoint);
        return op;
    }

    /**
     * 1-D, 2-D or 3-D convolution of codes of 8 bits: the sum of (x - x_zero_point) * (weights - w_zero_point), and
     * bias, in int32 (ONNX ConvInteger). With x_scale and w_scale it is multiplied by both, in float32; with y_scale
     * and y_zero_point it becomes codes, saturate(round(sum * (x_scale * w_scale / y_scale)) + y_zero_point), half to
     * even (ONNX QLinearConv). Sums beyond int32 wrap.
     *
     * @param x a tensor; types: int8, uint8; {@code x.ndim >= 3 && x.ndim <= 5}
     * @param weights [out_channels, in_channels / groups, spatial...]; types: int8, uint8; {@code x.ndim} dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final QuantizedConvOp quantizedConv(Edge x, Edge weights) {
        QuantizedConvOp op = new QuantizedConvOp(self());
        op.input(0, x);
        op.input(1, weights);
        return op;
    }

    /**
     * Matrix product of codes of 8 bits, over the last two axes, numpy broadcasting of the others; a vector counts as a
     * row on the left and a column on the right: the sum of (a - a_zero_point) * (b - b_zero_point), and bias, in int32
     * (ONNX MatMulInteger). With a_scale and b_scale it is multiplied by both, in float32; with y_scale and
     * y_zero_point it becomes codes, saturate(round(sum * (a_scale * b_scale / y_scale)) + y_zero_point), half to even
     * (ONNX QLinearMatMul). Sums beyond int32 wrap.
     *
     * @param a a tensor; types: int8, uint8; {@code a.ndim >= 1}
     * @param b a tensor; types: int8, uint8; {@code b.ndim >= 1}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final QuantizedMatMulOp quantizedMatMul(Edge a, Edge b) {
        QuantizedMatMulOp op = new QuantizedMatMulOp(self());
        op.input(0, a);
        op.input(1, b);
        return op;
    }

    /**
     * Random numbers of the Mersenne Twister, those that NumPy's RandomState gives for a seed. Each run draws the same.
     * On the CPU.
     *
     * @param shape a list of ints; must be given, here or as an input; each {@code >= 0}; or the input {@code
     *     shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RandomOp random(long... shape) {
        RandomOp op = new RandomOp(self());
        op.param("shape", Attribute.ofInts(shape));
        return op;
    }

    /**
     * Random numbers of the Mersenne Twister, those that NumPy's RandomState gives for a seed. Each run draws the same.
     * On the CPU.
     *
     * @param shapeTensor supplies {@code shape}: a list of ints; must be given, here or as an input; each {@code >= 0};
     *     or the input {@code shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RandomOp random(Edge shapeTensor) {
        RandomOp op = new RandomOp(self());
        op.supplier(0, shapeTensor, "shape");
        return op;
    }

    /**
     * Start, start + delta, ... below limit (exclusive). Integers are exact; others are computed in float64 and
     * rounded.
     *
     * @param start a number; must be given, here or as an input; or the input {@code start_tensor}
     * @param limit a number; must be given, here or as an input; or the input {@code limit_tensor}
     * @param delta a number; must be given, here or as an input; {@code != 0}; or the input {@code delta_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RangeOp range(double start, double limit, double delta) {
        RangeOp op = new RangeOp(self());
        op.param("start", Attribute.of(start));
        op.param("limit", Attribute.of(limit));
        op.param("delta", Attribute.of(delta));
        return op;
    }

    /**
     * Start, start + delta, ... below limit (exclusive). Integers are exact; others are computed in float64 and
     * rounded.
     *
     * @param startTensor supplies {@code start}: a number; must be given, here or as an input; or the input {@code
     *     start_tensor}
     * @param limitTensor supplies {@code limit}: a number; must be given, here or as an input; or the input {@code
     *     limit_tensor}
     * @param deltaTensor supplies {@code delta}: a number; must be given, here or as an input; {@code != 0}; or the
     *     input {@code delta_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RangeOp range(Edge startTensor, Edge limitTensor, Edge deltaTensor) {
        RangeOp op = new RangeOp(self());
        op.supplier(0, startTensor, "start");
        op.supplier(1, limitTensor, "limit");
        op.supplier(2, deltaTensor, "delta");
        return op;
    }

    /**
     * 1 / x. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge reciprocal(Edge x) {
        return direct("Reciprocal", List.of(x));
    }

    /**
     * Sum of absolute values over axes. Integers wrap.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceL1Op reduceL1(Edge x) {
        ReduceL1Op op = new ReduceL1Op(self());
        op.input(0, x);
        return op;
    }

    /**
     * Square root of the sum of squares over axes. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceL2Op reduceL2(Edge x) {
        ReduceL2Op op = new ReduceL2Op(self());
        op.input(0, x);
        return op;
    }

    /**
     * Logarithm of the sum over axes. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceLogSumOp reduceLogSum(Edge x) {
        ReduceLogSumOp op = new ReduceLogSumOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Logarithm of the sum of exponentials over axes, without overflow. Floating types only, because the result is no
     * integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceLogSumExpOp reduceLogSumExp(Edge x) {
        ReduceLogSumExpOp op = new ReduceLogSumExpOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Largest element over axes. A NaN wins; over no elements it is the lowest value of the type.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceMaxOp reduceMax(Edge x) {
        ReduceMaxOp op = new ReduceMaxOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Smallest element over axes. A NaN wins; over no elements it is the highest value of the type.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceMinOp reduceMin(Edge x) {
        ReduceMinOp op = new ReduceMinOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Product over axes. Integers wrap.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceProdOp reduceProd(Edge x) {
        ReduceProdOp op = new ReduceProdOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Sum over axes. Integers wrap.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceSumOp reduceSum(Edge x) {
        ReduceSumOp op = new ReduceSumOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Sum of squares over axes. Integers wrap.
     *
     * @param x a tensor; types: numeric, uint64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReduceSumSquareOp reduceSumSquare(Edge x) {
        ReduceSumSquareOp op = new ReduceSumSquareOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * max(x, 0), element by element (OpLib 3.11).
     *
     * @param x a tensor; types: numeric
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge relu(Edge x) {
        return direct("Relu", List.of(x));
    }

    /**
     * min(max(x, 0), 6), element by element (OpLib 3.14).
     *
     * @param x a tensor; types: numeric
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge relu6(Edge x) {
        return direct("Relu6", List.of(x));
    }

    /**
     * Space to depth, [N, C, H, W] -&gt; [N, C * s * s, H / s, W / s], or the reverse (OpLib 3.20). The orders DCR and
     * CRD give each channel of the deep side one place of every s * s block; DARKNET is the order of the original
     * darknet layer, which reads x as if it had C / (s * s) channels of H * s rows and W * s columns. In every order
     * {@code reversed} undoes the forward direction.
     *
     * @param x a tensor; types: any; 4 dimensions
     * @param scale s; an int; must be given; {@code >= 1}; {@code < 32768}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReorgOp reorg(Edge x, long scale) {
        ReorgOp op = new ReorgOp(self());
        op.input(0, x);
        op.param("scale", Attribute.of(scale));
        return op;
    }

    /**
     * The same elements with another shape; -1 infers one size, 0 copies the input's (OpLib 3.15).
     *
     * @param x a tensor; types: any
     * @param shape a list of ints; must be given, here or as an input; each {@code >= -1}; or the input {@code
     *     shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReshapeOp reshape(Edge x, long... shape) {
        ReshapeOp op = new ReshapeOp(self());
        op.input(0, x);
        op.param("shape", Attribute.ofInts(shape));
        return op;
    }

    /**
     * The same elements with another shape; -1 infers one size, 0 copies the input's (OpLib 3.15).
     *
     * @param x a tensor; types: any
     * @param shapeTensor supplies {@code shape}: a list of ints; must be given, here or as an input; each {@code >=
     *     -1}; or the input {@code shape_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReshapeOp reshape(Edge x, Edge shapeTensor) {
        ReshapeOp op = new ReshapeOp(self());
        op.input(0, x);
        op.supplier(1, shapeTensor, "shape");
        return op;
    }

    /**
     * Resamples by scales or to sizes, as ONNX Resize. Linear and cubic values of integers are computed in float64,
     * rounded half to even and saturated.
     *
     * @param x a tensor; types: numeric
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ResizeOp resize(Edge x) {
        ResizeOp op = new ResizeOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * The first elements of each sequence in reverse; those beyond its length stay.
     *
     * @param x a tensor; types: any; {@code x.ndim >= 2}
     * @param sequenceLens how many elements of each sequence are reversed; types: int32, int64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ReverseSequenceOp reverseSequence(Edge x, Edge sequenceLens) {
        ReverseSequenceOp op = new ReverseSequenceOp(self());
        op.input(0, x);
        op.input(1, sequenceLens);
        return op;
    }

    /**
     * x / sqrt(mean of squares + epsilon) * scale, with the mean of everything from an axis on (ONNX RMSNormalization).
     * 16-bit floats are computed in float32 and rounded once.
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 1}
     * @param scale of the shape of what is normalised; types: type of {@code x}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RmsNormOp rmsNorm(Edge x, Edge scale) {
        RmsNormOp op = new RmsNormOp(self());
        op.input(0, x);
        op.input(1, scale);
        return op;
    }

    /**
     * A recurrent layer over a sequence: h' = tanh(w x + r h + b); h is that of the step before, or an initial one, or
     * 0.
     *
     * @param x steps x batch x inputs; types: floating
     * @param weights units x inputs; types: type of {@code x}
     * @param recurrence units x units; types: type of {@code x}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RnnOp rnn(Edge x, Edge weights, Edge recurrence) {
        RnnOp op = new RnnOp(self());
        op.input(0, x);
        op.input(1, weights);
        op.input(2, recurrence);
        return op;
    }

    /**
     * Means or maxima of windows of equal size that regions of pictures are divided into, of samples that are
     * interpolated between pixels (Mask R-CNN). A maximum is that of the four weighted pixels of each sample, as ONNX
     * has it.
     *
     * @param x a tensor; types: floating
     * @param rois rows of left, top, right, bottom; types: type of {@code x}
     * @param batchIndices the image of each region; types: int32, int64
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RoiAlignOp roiAlign(Edge x, Edge rois, Edge batchIndices) {
        RoiAlignOp op = new RoiAlignOp(self());
        op.input(0, x);
        op.input(1, rois);
        op.input(2, batchIndices);
        return op;
    }

    /**
     * The maxima of windows of equal size that regions of pictures are divided into (Fast R-CNN; ONNX MaxRoiPool). The
     * first and last pixel of a region are rounded, and a window is rounded to whole pixels to the outside, all in
     * float32. An empty window is 0, and so is a region of an image that there is not.
     *
     * @param x a tensor; types: floating
     * @param rois rows of image, left, top, right, bottom; types: type of {@code x}
     * @param pooledSize rows and columns of windows; a list of ints; must be given; 2 elements; each {@code >= 1}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final RoiPoolOp roiPool(Edge x, Edge rois, long... pooledSize) {
        RoiPoolOp op = new RoiPoolOp(self());
        op.input(0, x);
        op.input(1, rois);
        op.param("pooled_size", Attribute.ofInts(pooledSize));
        return op;
    }

    /**
     * Nearest integer, halves to even; integers stay as they are.
     *
     * @param x a tensor; types: numeric
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge round(Edge x) {
        return direct("Round", List.of(x));
    }

    /**
     * A copy of data with elements replaced one by one: each update goes to its own place, but for one axis, along
     * which the index says where; negative ones count from the end.
     *
     * @param data a tensor; types: any
     * @param indices a tensor; types: int32, int64
     * @param updates a tensor; types: type of {@code data}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ScatterElementsOp scatterElements(Edge data, Edge indices, Edge updates) {
        ScatterElementsOp op = new ScatterElementsOp(self());
        op.input(0, data);
        op.input(1, indices);
        op.input(2, updates);
        return op;
    }

    /**
     * A copy of data with slices replaced: each row of indices names the slice by one number for each of the first axes
     * of data; negative ones count from the end.
     *
     * @param data a tensor; types: any
     * @param indices a tensor; types: int32, int64
     * @param updates a tensor; types: type of {@code data}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ScatterNDOp scatterND(Edge data, Edge indices, Edge updates) {
        ScatterNDOp op = new ScatterNDOp(self());
        op.input(0, data);
        op.input(1, indices);
        op.input(2, updates);
        return op;
    }

    /**
     * gamma * x where x &gt; 0, else gamma * alpha * (exp(x) - 1). Floating types only, because the result is no
     * integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SeluOp selu(Edge x) {
        SeluOp op = new SeluOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * The sizes of the input as an int64 vector.
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ShapeOp shape(Edge x) {
        ShapeOp op = new ShapeOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * x + bias where x &lt; -lambd, x - bias where x &gt; lambd, else 0 (soft and hard shrinkage). Integers are rounded
     * half to even and saturate.
     *
     * @param x a tensor; types: numeric
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ShrinkOp shrink(Edge x) {
        ShrinkOp op = new ShrinkOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * 1 / (1 + exp(-x)). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge sigmoid(Edge x) {
        return direct("Sigmoid", List.of(x));
    }

    /**
     * -1, 0 or 1. A NaN stays a NaN.
     *
     * @param x a tensor; types: numeric, uint64
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge sign(Edge x) {
        return direct("Sign", List.of(x));
    }

    /**
     * Sine of radians. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge sin(Edge x) {
        return direct("Sin", List.of(x));
    }

    /**
     * Hyperbolic sine. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge sinh(Edge x) {
        return direct("Sinh", List.of(x));
    }

    /**
     * The number of elements of the input as an int64 scalar.
     *
     * @param x a tensor; types: any
     * @return the output {@code y}; type: int64; dims: {@code []}
     */
    public final Edge size(Edge x) {
        return direct("Size", List.of(x));
    }

    /**
     * LayerNorm over the last axis of x + skip + residual_bias (ONNX Runtime SkipLayerNormalization).
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 1} (a scalar has no features)
     * @param skip added to x (numpy broadcasting); types: type of {@code x}; {@code broadcast(skip.dims, x.dims) ==
     *     x.dims} (skip does not fit x)
     * @param scale a tensor; types: type of {@code x}; {@code scale.dims == [x.dims[x.ndim - 1]]} (scale must have an
     *     element for each feature, which the last axis of x has)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SkipLayerNormOp skipLayerNorm(Edge x, Edge skip, Edge scale) {
        SkipLayerNormOp op = new SkipLayerNormOp(self());
        op.input(0, x);
        op.input(1, skip);
        op.input(2, scale);
        return op;
    }

    /**
     * RmsNorm over the last axis of x + skip + residual_bias (ONNX Runtime SkipSimplifiedLayerNormalization).
     *
     * @param x a tensor; types: floating; {@code x.ndim >= 1} (a scalar has no features)
     * @param skip added to x (numpy broadcasting); types: type of {@code x}; {@code broadcast(skip.dims, x.dims) ==
     *     x.dims} (skip does not fit x)
     * @param scale a tensor; types: type of {@code x}; {@code scale.dims == [x.dims[x.ndim - 1]]} (scale must have an
     *     element for each feature, which the last axis of x has)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SkipRmsNormOp skipRmsNorm(Edge x, Edge skip, Edge scale) {
        SkipRmsNormOp op = new SkipRmsNormOp(self());
        op.input(0, x);
        op.input(1, skip);
        op.input(2, scale);
        return op;
    }

    /**
     * A strided box of the input.
     *
     * @param x a tensor; types: any
     * @param starts a list of ints; must be given, here or as an input; or the input {@code starts_tensor}
     * @param ends a list of ints; must be given, here or as an input; {@code len(starts)} elements; or the input {@code
     *     ends_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SliceOp slice(Edge x, long[] starts, long... ends) {
        SliceOp op = new SliceOp(self());
        op.input(0, x);
        op.param("starts", Attribute.ofInts(starts));
        op.param("ends", Attribute.ofInts(ends));
        return op;
    }

    /**
     * A strided box of the input.
     *
     * @param x a tensor; types: any
     * @param startsTensor supplies {@code starts}: a list of ints; must be given, here or as an input; or the input
     *     {@code starts_tensor}
     * @param endsTensor supplies {@code ends}: a list of ints; must be given, here or as an input; {@code len(starts)}
     *     elements; or the input {@code ends_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SliceOp slice(Edge x, Edge startsTensor, Edge endsTensor) {
        SliceOp op = new SliceOp(self());
        op.input(0, x);
        op.supplier(1, startsTensor, "starts");
        op.supplier(2, endsTensor, "ends");
        return op;
    }

    /**
     * exp(x) / sum(exp(x)) along an axis, without overflow.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SoftmaxOp softmax(Edge x) {
        SoftmaxOp op = new SoftmaxOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * log(1 + exp(x)). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge softplus(Edge x) {
        return direct("Softplus", List.of(x));
    }

    /**
     * x / (1 + |x|). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge softsign(Edge x) {
        return direct("Softsign", List.of(x));
    }

    /**
     * The places of a block, each a batch of its own: x is padded with zeros, and of each axis every block[i]-th
     * element is taken, from each place in a block on (TensorFlow SpaceToBatchND).
     *
     * @param x a tensor; types: any; {@code x.ndim >= 1} (a scalar has no batch)
     * @param block the sizes of a block along the axes that follow the first one; a list of ints; must be given; each
     *     {@code >= 1}; each {@code < 32768}; {@code len(block) < x.ndim} (more sizes than x has axes behind the first
     *     one)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SpaceToBatchOp spaceToBatch(Edge x, long... block) {
        SpaceToBatchOp op = new SpaceToBatchOp(self());
        op.input(0, x);
        op.param("block", Attribute.ofInts(block));
        return op;
    }

    /**
     * Cuts a tensor along one axis.
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SplitOp split(Edge x) {
        SplitOp op = new SplitOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Square root. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge sqrt(Edge x) {
        return direct("Sqrt", List.of(x));
    }

    /**
     * Removes axes of size 1 (OpLib 3.16).
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SqueezeOp squeeze(Edge x) {
        SqueezeOp op = new SqueezeOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * alpha * A * B of matrices that lie in their tensors with strides, in elements, as after a transposition, a slice
     * or a split that need not be carried out; plans for GPUs have it, and those for processors where A has few rows.
     * float16 and bfloat16 are summed in float32 and rounded once.
     *
     * @param a a tensor; types: floating
     * @param b a tensor; types: type of {@code a}
     * @param sizes [matrices..., rows of A, terms, columns of B]; a list of ints; must be given; each {@code >= 1};
     *     {@code len(sizes) >= 3}
     * @param aStrides [matrices..., row, term]; a list of ints; must be given; each {@code >= 0}; {@code len(a_strides)
     *     == len(sizes) - 1}
     * @param bStrides [matrices..., term, column]; a list of ints; must be given; each {@code >= 0}; {@code
     *     len(b_strides) == len(sizes) - 1}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final StridedMatMulOp stridedMatMul(Edge a, Edge b, long[] sizes, long[] aStrides, long... bStrides) {
        StridedMatMulOp op = new StridedMatMulOp(self());
        op.input(0, a);
        op.input(1, b);
        op.param("sizes", Attribute.ofInts(sizes));
        op.param("a_strides", Attribute.ofInts(aStrides));
        op.param("b_strides", Attribute.ofInts(bStrides));
        return op;
    }

    /**
     * a - b (numpy broadcasting). Integers wrap.
     *
     * @param a a tensor; types: numeric, uint64
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge sub(Edge a, Edge b) {
        return direct("Sub", List.of(a, b));
    }

    /**
     * Sum of all inputs (numpy broadcasting). It is built from left to right; integers wrap, 16-bit floats are rounded
     * once at the end.
     *
     * @param x a tensor; types: numeric; one or more
     * @return the output {@code y}; type: {@code x[0].dtype}; dims: {@code y_dims}
     */
    public final Edge sum(Edge... x) {
        return sum(List.of(x));
    }

    /**
     * Sum of all inputs (numpy broadcasting). It is built from left to right; integers wrap, 16-bit floats are rounded
     * once at the end.
     *
     * @param x a tensor; types: numeric; one or more
     * @return the output {@code y}; type: {@code x[0].dtype}; dims: {@code y_dims}
     */
    public final Edge sum(List<Edge> x) {
        return direct("Sum", x);
    }

    /**
     * x / (1 + exp(-alpha * x)), also called SiLU (ONNX Swish). Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final SwishOp swish(Edge x) {
        SwishOp op = new SwishOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Tangent of radians. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge tan(Edge x) {
        return direct("Tan", List.of(x));
    }

    /**
     * Hyperbolic tangent. Floating types only, because the result is no integer.
     *
     * @param x a tensor; types: floating
     * @return the output {@code y}; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public final Edge tanh(Edge x) {
        return direct("Tanh", List.of(x));
    }

    /**
     * x where x &gt; alpha, else 0. Floating types only, as ONNX has it.
     *
     * @param x a tensor; types: floating
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final ThresholdedReluOp thresholdedRelu(Edge x) {
        ThresholdedReluOp op = new ThresholdedReluOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * The k largest or smallest elements along an axis, in their order, and where they stand; of equal ones those that
     * come first. A NaN is larger than all.
     *
     * @param x a tensor; types: numeric, uint64
     * @param k an int; must be given, here or as an input; {@code >= 0}; or the input {@code k_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final TopKOp topK(Edge x, long k) {
        TopKOp op = new TopKOp(self());
        op.input(0, x);
        op.param("k", Attribute.of(k));
        return op;
    }

    /**
     * The k largest or smallest elements along an axis, in their order, and where they stand; of equal ones those that
     * come first. A NaN is larger than all.
     *
     * @param x a tensor; types: numeric, uint64
     * @param kTensor supplies {@code k}: an int; must be given, here or as an input; {@code >= 0}; or the input {@code
     *     k_tensor}
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final TopKOp topK(Edge x, Edge kTensor) {
        TopKOp op = new TopKOp(self());
        op.input(0, x);
        op.supplier(1, kTensor, "k");
        return op;
    }

    /**
     * Permutes the axes.
     *
     * @param x a tensor; types: any
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final TransposeOp transpose(Edge x) {
        TransposeOp op = new TransposeOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * The triangle of each matrix above a diagonal, or below it, with 0 elsewhere (ONNX Trilu).
     *
     * @param x a tensor; types: any; {@code x.ndim >= 2} (x has no matrices)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final TriluOp trilu(Edge x) {
        TriluOp op = new TriluOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * Inserts axes of size 1 at these places of the output.
     *
     * @param x a tensor; types: any
     * @param axis a list of ints; must be given, here or as an input; each {@code >= -(x.ndim + len(axis))}; each
     *     {@code < (x.ndim + len(axis))}; or the input {@code axes}; {@code all(axis, a -> len(filter(axis, b -> mod(a,
     *     (x.ndim + len(axis))) == mod(b, (x.ndim + len(axis))))) == 1)} (an axis is given twice)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final UnsqueezeOp unsqueeze(Edge x, long... axis) {
        UnsqueezeOp op = new UnsqueezeOp(self());
        op.input(0, x);
        op.param("axis", Attribute.ofInts(axis));
        return op;
    }

    /**
     * Inserts axes of size 1 at these places of the output.
     *
     * @param x a tensor; types: any
     * @param axes supplies {@code axis}: a list of ints; must be given, here or as an input; each {@code >= -(x.ndim +
     *     len(axis))}; each {@code < (x.ndim + len(axis))}; or the input {@code axes}; {@code all(axis, a ->
     *     len(filter(axis, b -> mod(a, (x.ndim + len(axis))) == mod(b, (x.ndim + len(axis))))) == 1)} (an axis is given
     *     twice)
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final UnsqueezeOp unsqueeze(Edge x, Edge axes) {
        UnsqueezeOp op = new UnsqueezeOp(self());
        op.input(0, x);
        op.supplier(1, axes, "axis");
        return op;
    }

    /**
     * Enlarges rows and columns by whole factors (OpLib 3.18). NEAREST repeats them; BILINEAR interpolates between
     * pixel centres and repeats the edge. Bilinear values of integers are computed in float64, rounded half to even and
     * saturated.
     *
     * @param x a tensor; types: numeric; 4 dimensions
     * @return this use of the operator, whose methods set what is optional and give its outputs
     */
    public final UpsampleOp upsample(Edge x) {
        UpsampleOp op = new UpsampleOp(self());
        op.input(0, x);
        return op;
    }

    /**
     * a where condition, else b (numpy broadcasting of all three).
     *
     * @param condition a tensor; types: bool
     * @param a a tensor; types: any
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public final Edge where(Edge condition, Edge a, Edge b) {
        return direct("Where", List.of(condition, a, b));
    }

    /**
     * a xor b (numpy broadcasting).
     *
     * @param a a tensor; types: bool
     * @param b a tensor; types: type of {@code a}
     * @return the output {@code y}; type: bool; dims: {@code y_dims}
     */
    public final Edge xor(Edge a, Edge b) {
        return direct("Xor", List.of(a, b));
    }
}
