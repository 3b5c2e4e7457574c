package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The limits of NVIDIA's DLA and of the open NVDLA, each from both sides. */
class DlaRulesTest {

    private static final List<RuleCases.Case> DLA = RuleCases.table("""
        # The convolution buffer, in banks
        dla-orin | Conv2d x=1x512x56x56 weights=8x512x3x3 |
        dla-orin | Conv2d x=1x1024x112x112 weights=8x1024x3x3 | conv2d/buffer 22 16
        dla-xavier | Conv2d x=1x1024x112x112:float16 weights=8x1024x3x3:float16 | conv2d/buffer 22 16
        dla-orin | Conv2d x=1x1024x112x112:int8 weights=8x1024x3x3:int8 |
        dla-orin | Conv2d x=1x256x56x56 weights=8x256x7x7 |
        dla-orin | Conv2d x=1x256x160x160 weights=8x256x6x6 |
        dla-orin | Conv2d x=1x256x160x161 weights=8x256x6x6 | conv2d/buffer 17 16
        dla-orin | Conv2d x=1x512x56x56 weights=8x512x3x3 dilation=[3,3] |
        dla-orin | Conv2d x=1x512x56x56 weights=8x512x3x3 dilation=[4,4] | conv2d/buffer 17 16
        dla-orin | DepthwiseConv2d x=1x256x160x161 weights=1x256x6x6 | depthwise-conv2d/buffer 17 16
        dla-orin | InnerProduct x=1x512x7x7 weights=8x512x7x7 |
        dla-orin | InnerProduct x=1x4096x16x12 weights=8x4096x16x12 | fully-connected/buffer 96 16

        # All operators
        dla-orin | Relu x=1x8x8x8:float16 |
        dla-orin | Relu x=1x8x8x8:bfloat16 | */data-type
        dla-orin | Relu x=4096x8x8x8 |
        dla-orin | Relu x=4097x8x8x8 | */batch 4097 4096
        dla-orin | Relu x=64x65x8x8x8 | */batch 4160 4096
        dla-orin | Relu x=1x8x2x8192 |
        dla-orin | Relu x=1x8x2x8193 | */dimension 8193 8192
        dla-orin | Exp x=1x8 | operators

        # Convolution
        dla-orin | FusedConv x=1x8x40 weights=8x8x3 | conv2d/axes 1 2
        dla-orin | FusedConv x=1x8x40 weights=8x1x3 groups=8 | depthwise-conv2d/axes 1 2
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x32x32 |
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x33x32 | conv2d/kernel 33 32
        dla-orin | DepthwiseConv2d x=1x8x40x40 weights=1x8x32x33 | depthwise-conv2d/kernel 33 32
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x32x32 padding=[31,31,31,31] |
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x33x3 padding=[32,0,0,0] | conv2d/kernel 33 32, conv2d/pad 32 31
        dla-orin | DepthwiseConv2d x=1x8x40x40 weights=1x8x33x3 padding=[32,0,0,0] | \
        depthwise-conv2d/kernel 33 32, depthwise-conv2d/pad 32 31
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x3x3 padding=[2,2,2,2] |
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x3x3 padding=[2,2,3,2] | conv2d/pad-in-kernel 3 3
        dla-orin | DepthwiseConv2d x=1x8x40x40 weights=1x8x3x3 padding=[3,2,2,2] | depthwise-conv2d/pad-in-kernel 3 3
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x3x3 strides=[8,8] |
        dla-orin | Conv2d x=1x8x40x40 weights=8x8x3x3 strides=[8,9] | conv2d/stride 9 8
        dla-orin | DepthwiseConv2d x=1x8x40x40 weights=1x8x3x3 strides=[9,8] | depthwise-conv2d/stride 9 8
        dla-orin | Conv2d x=1x8x4x4 weights=8192x8x3x3 |
        dla-orin | Conv2d x=1x8x4x4 weights=8193x8x3x3 | */dimension 8193 8192, conv2d/output-channel 8193 8192
        dla-orin | DepthwiseConv2d x=1x2x4x4 weights=4097x2x3x3 | \
        */dimension 8194 8192, depthwise-conv2d/output-channel 8194 8192
        dla-orin | Conv2d x=1x32768x1x1:int8 weights=16384x2x1x1:int8 group=16384 | \
        */dimension 32768 8192, conv2d/output-channel 16384 8192, conv2d/group 16384 8192
        dla-orin | Conv2d x=1x8192x1x1:int8 weights=8192x1x1x1:int8 group=8192 |
        dla-orin | Conv2d x=1x8193x1x1:int8 weights=8193x1x1x1:int8 group=8193 | \
        */dimension 8193 8192, depthwise-conv2d/output-channel 8193 8192, depthwise-conv2d/group 8193 8192
        dla-orin | Conv2d x=1x8x80x80 weights=8x8x2x2 dilation=[32,32] |
        dla-orin | Conv2d x=1x8x80x80 weights=8x8x2x2 dilation=[32,33] | conv2d/dilation 33 32
        dla-orin | DepthwiseConv2d x=1x8x80x80 weights=1x8x2x2 dilation=[33,1] | depthwise-conv2d/dilation 33 32
        dla-orin | InnerProduct x=1x4x32x32 weights=8x4x32x32 |
        dla-orin | InnerProduct x=1x4x33x8 weights=8x4x33x8 | fully-connected/kernel 33 32
        dla-orin | Gemm a=1x8192 b=8192x8192 |
        dla-orin | Gemm a=1x64 b=64x8193 | */dimension 8193 8192, fully-connected/output-channel 8193 8192
        dla-orin | MatMul a=1x64 b=64x8193 | */dimension 8193 8192, matmul/output-channel 8193 8192

        # Deconvolution
        dla-orin | ConvTranspose x=1x8x8 weights=8x8x3 | transposed-conv2d/axes 1 2
        dla-orin | ConvTranspose x=1x8x8 weights=8x1x3 group=8 | \
        depthwise-transposed-conv2d/axes 1 2, depthwise-transposed-conv2d/group 8 1
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x4x4 strides=[2,2] |
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x31x32 strides=[2,2] |
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x33x31 strides=[2,2] | transposed-conv2d/kernel
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x1x64 strides=[1,32] |
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x128x1 strides=[32,1] |
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x2x64 strides=[1,32] | transposed-conv2d/kernel
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x22x22 strides=[22,22] |
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x23x23 strides=[2,2] | transposed-conv2d/square-kernel 23 23
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x22x22 strides=[23,23] | transposed-conv2d/square-stride 23 23
        dla-orin | ConvTranspose x=1x21x8x8 weights=21x21x64x64 strides=[32,32] | \
        transposed-conv2d/kernel, transposed-conv2d/square-stride 32 23
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x4x4 strides=[2,2] padding=[1,1,1,1] | transposed-conv2d/pad 1 0
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x4x4x4 group=2 | transposed-conv2d/group 2 1
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x8x4x4 dilation=[2,1] | transposed-conv2d/dilation 2 1
        dla-orin | ConvTranspose x=1x8192x2x2 weights=8192x8x2x2 |
        dla-orin | ConvTranspose x=1x8193x2x2 weights=8193x8x2x2 | \
        */dimension 8193 8192, transposed-conv2d/channels 8193 8192
        dla-orin | ConvTranspose x=1x8193x8x8 weights=8193x1x33x33 group=8193 strides=[23,23] dilation=[2,2] \
        padding=[1,1,1,1] | */dimension 8193 8192, depthwise-transposed-conv2d/kernel, \
        depthwise-transposed-conv2d/square-stride 23 23, depthwise-transposed-conv2d/pad 1 0, \
        depthwise-transposed-conv2d/group 8193 1, depthwise-transposed-conv2d/dilation 2 1, \
        depthwise-transposed-conv2d/channels 8193 8192
        dla-orin | ConvTranspose x=1x8x8x8 weights=8x1x23x23 group=8 | \
        depthwise-transposed-conv2d/square-kernel 23 23, depthwise-transposed-conv2d/group 8 1

        # Pools
        dla-orin | MaxPool x=1x8x40 kernel_size=[3] | max-pool/axes 1 2
        dla-orin | AvgPool x=1x8x40 kernel_size=[3] | average-pool/axes 1 2
        dla-orin | MaxPool x=1x8x40x40 kernel_size=[8,8] strides=[16,16] padding=[7,7,7,7] |
        dla-orin | MaxPool x=1x8x40x40 kernel_size=[9,8] | max-pool/kernel 9 8
        dla-orin | AvgPool x=1x8x40x40 kernel_size=[8,9] | average-pool/kernel 9 8
        dla-orin | MaxPool x=1x8x40x40 kernel_size=[8,8] padding=[8,7,7,7] | max-pool/pad 8 7
        dla-orin | AvgPool x=1x8x40x40 kernel_size=[8,8] padding=[7,7,7,8] | average-pool/pad 8 7
        dla-orin | MaxPool x=1x8x40x40 kernel_size=[8,8] strides=[17,16] | max-pool/stride 17 16
        dla-orin | AvgPool x=1x8x40x40 kernel_size=[8,8] strides=[16,17] | average-pool/stride 17 16
        dla-orin | AvgPool x=1x8x7x7 is_global=true | operators

        # Elements
        dla-orin | Clip x=1x8 min=0.0 max=6.0 |
        dla-orin | Clip x=1x8 min=0.0 |
        dla-orin | Clip x=1x8 min=0.0 max=127.0 |
        dla-orin | Clip x=1x8 min=0.0 max=128.0 | clip/upper 128.0 127.0
        dla-orin | Clip x=1x8 min=0.0 max=0.5 | clip/upper 0.5 1.0
        dla-orin | Clip x=1x8 min=-1.0 max=6.0 | clip/lower -1.0 0.0
        dla-orin | Lrn x=1x8x4x4 size=9 |
        dla-orin | Lrn x=1x8x4x4 size=11 | lrn/size
        dla-orin | Concat x=1x8x4x4 x=1x8x4x4 |
        dla-orin | Concat x=1x8x4x4 x=1x8x4x4 axis=2 | concat/axis
        dla-orin | Concat x=1x8x4x4 | concat/inputs 1 2
        dla-orin | Resize x=1x8x4x4 scales=[1.0,1.0,32.0,2.0] |
        dla-orin | Resize x=1x8x4x4 scales=[1.0,1.0,33.0,2.0] | resize-nearest/scale 33.0 32.0
        dla-orin | Resize x=1x8x4x4 scales=[1.0,1.0,1.5,2.0] | resize-nearest/whole-scale 1.5 1
        dla-orin | Resize x=1x8x4x4 scales=[1.0,2.0,2.0,2.0] | resize-nearest/axes
        dla-orin | Upsample x=1x8x4x4 scale=[4,4] |
        dla-orin | Upsample x=1x8x4x4 scale=[4,5] | resize-bilinear/scale 5.0 4.0
        dla-orin | Resize x=1x8x4x4 scales=[1.0,1.0,2.0,2.5] mode=linear | resize-bilinear/whole-scale 2.5 2
        dla-orin | Resize x=1x8x4x4 scales=[2.0,1.0,2.0,2.0] mode=linear | resize-bilinear/axes
        dla-orin | Softmax x=1x8192 |
        dla-orin | Softmax x=1x8x1024x2 axis=2 |
        dla-orin | Softmax x=1x8x1025x2 axis=2 | Softmax/size 1025 1024
        dla-orin | Softmax x=4x8 axis=0 | Softmax/axis 0 1
        dla-xavier | Softmax x=1x8 | operators
        dla-orin | LogSoftmax x=1x8 | operators
        dla-xavier | Div a=1x8 b=1x8 | operators
        dla-orin | Div a=1x8 b=1x8 |
        """);

    private static final List<RuleCases.Case> NVDLA = RuleCases.table("""
        nv-full | Relu x=32x8x8x8 |
        nv-full | Relu x=33x8x8x8 | */batch 33 32
        nv-small | Relu x=1x8x8x8 |
        nv-small | Relu x=2x8x8x8 | */batch 2 1
        nv-large | Relu x=1x8192x8x8 |
        nv-large | Relu x=1x8193x8x8 | */cube 8193 8192
        nv-full | Conv2d x=1x1x400x400 weights=1x1x333x300 |
        nv-full | Conv2d x=1x1x400x400 weights=1x1x400x250 | conv2d/kernel 100000 100000
        nv-full | DepthwiseConv2d x=1x2x400x400 weights=1x2x400x250 | depthwise-conv2d/kernel 100000 100000
        nv-full | ConvTranspose x=1x1x2x2 weights=1x1x400x250 | transposed-conv2d/kernel 100000 100000
        nv-full | MaxPool x=1x1x400x400 kernel_size=[400,250] | max-pool/kernel 100000 100000
        nv-full | AvgPool x=1x1x400x400 kernel_size=[400,250] | average-pool/kernel 100000 100000
        nv-full | Conv2d x=1x1x4x4 weights=1x1x3x3 padding=[50000,49999,0,0] strides=[100,1] |
        nv-full | Conv2d x=1x1x4x4 weights=1x1x3x3 padding=[50000,50000,0,0] | \
        */cube 100002 8192, conv2d/pad 100000 100000
        nv-full | DepthwiseConv2d x=1x2x4x4 weights=1x2x3x3 padding=[50000,50000,0,0] | \
        */cube 100002 8192, depthwise-conv2d/pad 100000 100000
        nv-full | MaxPool x=1x1x4x4 kernel_size=[3,3] padding=[50000,50000,0,0] | \
        */cube 100002 8192, max-pool/pad 100000 100000
        nv-full | AvgPool x=1x1x4x4 kernel_size=[3,3] padding=[50000,50000,0,0] | \
        */cube 100002 8192, average-pool/pad 100000 100000
        nv-full | MaxPool x=1x8x20x20 kernel_size=[3,3] strides=[8,8] |
        nv-full | MaxPool x=1x8x20x20 kernel_size=[3,3] strides=[8,9] | max-pool/stride 9 8
        nv-full | AvgPool x=1x8x20x20 kernel_size=[3,3] strides=[9,8] | average-pool/stride 9 8
        nv-large | Add a=1x8 b=1x8 |
        nv-small | Add a=1x8 b=1x8 | eltwise-add/engine
        nv-small | Mul a=1x8 b=1x8 | eltwise-mul/engine
        nv-small | Max x=1x8 x=1x8 | eltwise-max/engine
        nv-large | Sigmoid x=1x8 |
        nv-small | Sigmoid x=1x8 | sigmoid/table
        nv-small | Tanh x=1x8 | tanh/table
        nv-small | Lrn x=1x8x4x4 size=3 | lrn/table
        nv-full | Softmax x=1x8 | ?operators
        """);

    static Stream<RuleCases.Case> cases() {
        return Stream.concat(DLA.stream(), NVDLA.stream());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void breaks(RuleCases.Case one) {
        assertThat(RuleCases.broken(one)).isEqualTo(one.broken());
    }

    @Test
    void everyRuleHasACase() {
        RuleCases.reachEveryRule("dla", DLA);
        RuleCases.reachEveryRule("nvdla", NVDLA);
    }
}
