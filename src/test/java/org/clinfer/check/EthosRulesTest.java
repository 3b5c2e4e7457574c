package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The limits of Arm's Ethos-U and Ethos-N78, each from both sides. */
class EthosRulesTest {

    private static final List<RuleCases.Case> ETHOS_U = RuleCases.table("""
        # All operators
        ethos-u55-32 | Relu x=1x2x2x65535 |
        ethos-u55-64 | Relu x=1x2x2x65536 | */dimension 65536 65535
        ethos-u55-128 | Concat x=1x65535x2x2 x=1x1x2x2 | */dimension 65536 65535
        ethos-u65-256 | Relu x=1x1x2x2x2 | */rank 5 4
        ethos-u65-512 | Reshape x=1x1x2x2x2 shape=[1,8] | */rank 5 4
        ethos-u55-256 | Gemm a=4x8 b=8x8 |
        ethos-u55-256 | Elu x=1x8 | operators

        # Convolution
        ethos-u55-256 | Conv2d x=1x8x12x12 weights=8x8x3x3 strides=[3,3] |
        ethos-u55-256 | Conv2d x=1x8x12x12 weights=8x8x3x3 strides=[4,3] | conv2d/stride-h 4 3
        ethos-u55-256 | Conv2d x=1x8x3x12 weights=8x8x3x3 strides=[4,3] |
        ethos-u55-256 | Conv2d x=1x8x12x12 weights=8x8x3x3 strides=[1,4] |
        ethos-u55-256 | Conv2d x=1x8x12x13 weights=8x8x3x3 strides=[1,4] | conv2d/stride-w 4 3
        ethos-u55-256 | Conv2d x=1x8x12x15 weights=8x8x3x3 strides=[1,9] |
        ethos-u55-256 | Conv2d x=1x8x12x15 weights=8x8x3x3 strides=[1,5] | conv2d/stride-w 5 3
        ethos-u55-256 | Conv2d x=1x8x70x70 weights=8x8x64x64 |
        ethos-u55-256 | Conv2d x=1x8x70x70 weights=8x8x65x3 | conv2d/kernel-h 65 64
        ethos-u55-256 | Conv2d x=1x8x70x70 weights=8x8x3x3 dilation=[32,1] | conv2d/kernel-h 65 64
        ethos-u55-256 | Conv2d x=1x8x70x70 weights=8x8x64x65 | conv2d/kernel-area 4160 4096
        ethos-u55-256 | Conv2d x=2x8x9x9 weights=8x8x3x3 | conv2d/batch 2 1
        ethos-u55-256 | DepthwiseConv2d x=1x8x9x9 weights=1x8x3x3 strides=[3,3] |
        ethos-u55-256 | DepthwiseConv2d x=1x8x9x9 weights=1x8x3x3 strides=[3,4] | depthwise-conv2d/stride 4 3
        ethos-u55-256 | DepthwiseConv2d x=1x8x9x9 weights=2x8x3x3 | depthwise-conv2d/multiplier 16 8
        ethos-u55-256 | DepthwiseConv2d x=1x1x9x9 weights=2x1x3x3 |
        ethos-u55-256 | DepthwiseConv2d x=2x8x70x70 weights=1x8x65x64 | \
        depthwise-conv2d/batch 2 1, depthwise-conv2d/kernel-h 65 64, depthwise-conv2d/kernel-area 4160 4096
        ethos-u55-256 | ConvTranspose x=1x8x4x4 weights=8x8x3x3 strides=[2,2] |
        ethos-u55-256 | ConvTranspose x=1x8x4x4 weights=8x8x4x4 strides=[2,2] padding=[1,1,1,1] |
        ethos-u55-256 | ConvTranspose x=1x8x4x4 weights=8x8x3x3 strides=[2,2] padding=[1,1,1,1] | \
        transposed-conv2d/output
        ethos-u55-256 | ConvTranspose x=1x8x4x4 weights=8x8x3x3 strides=[3,3] | transposed-conv2d/stride 3 2
        ethos-u55-256 | ConvTranspose x=1x8x4x4 weights=8x8x3x3 strides=[1,2] | transposed-conv2d/stride
        ethos-u55-256 | ConvTranspose x=1x8x1x4 weights=8x8x1x3 strides=[1,2] |
        ethos-u55-256 | ConvTranspose x=1x8x4x4 weights=8x4x3x3 strides=[2,2] group=2 | transposed-conv2d/group 2 1
        ethos-u55-256 | ConvTranspose x=1x8x4x4 weights=8x1x3x3 strides=[2,2] group=8 | operators
        ethos-u55-256 | ConvTranspose x=2x8x4x4 weights=8x8x65x64 | \
        transposed-conv2d/batch 2 1, transposed-conv2d/kernel-h 65 64, transposed-conv2d/kernel-area 4160 4096

        # Pools and means
        ethos-u55-256 | AvgPool x=1x8x40x40 kernel_size=[8,8] padding=[1,1,1,1] |
        ethos-u55-256 | AvgPool x=1x8x40x40 kernel_size=[9,8] padding=[1,1,1,1] | average-pool/kernel-same 9 8
        ethos-u55-256 | AvgPool x=1x8x300x300 kernel_size=[256,256] |
        ethos-u55-256 | AvgPool x=1x8x300x300 kernel_size=[257,2] | average-pool/kernel-h 257 256
        ethos-u55-256 | AvgPool x=1x8x300x300 kernel_size=[256,257] | average-pool/kernel-area 65792 65536
        ethos-u55-256 | AvgPool x=1x8x12x12 kernel_size=[2,2] strides=[4,3] | average-pool/stride-h 4 3
        ethos-u55-256 | AvgPool x=1x8x12x13 kernel_size=[2,2] strides=[1,4] | average-pool/stride-w 4 3
        ethos-u55-256 | AvgPool x=1x8x12x12 kernel_size=[2,2] strides=[1,4] |
        ethos-u55-256 | AvgPool x=1x8x12x12 kernel_size=[2,2] strides=[1,4] padding=[1,1,1,1] | \
        average-pool/stride-same 4 3
        ethos-u55-256 | AvgPool x=1x8x257x2 is_global=true | global-average-pool/kernel-h 257 256
        ethos-u55-256 | AvgPool x=2x8x256x257 is_global=true | \
        global-average-pool/batch 2 1, global-average-pool/kernel-area 65792 65536
        ethos-u55-256 | AvgPool x=2x8x8x8 kernel_size=[2,2] | average-pool/batch 2 1
        ethos-u55-256 | MaxPool x=1x8x300x300 kernel_size=[256,256] strides=[3,3] |
        ethos-u55-256 | MaxPool x=2x8x300x300 kernel_size=[257,2] | max-pool/batch 2 1, max-pool/kernel-h 257 256
        ethos-u55-256 | MaxPool x=1x8x300x300 kernel_size=[256,257] | max-pool/kernel-area 65792 65536
        ethos-u55-256 | MaxPool x=1x8x300x300 kernel_size=[2,2] strides=[3,4] | max-pool/stride 4 3
        ethos-u55-256 | MaxPool x=2x8x257x2 is_global=true | \
        global-max-pool/batch 2 1, global-max-pool/kernel-h 257 256
        ethos-u55-256 | MaxPool x=1x8x256x257 is_global=true | global-max-pool/kernel-area 65792 65536
        ethos-u55-256 | Mean x=1x8x4096x4096 axis=[2,3] |
        ethos-u55-256 | Mean x=1x8x4097x4096 axis=[2,3] | reduce-mean/size 16781312 16777216
        ethos-u55-256 | Mean x=1x8x256x256:int16 axis=[2,3] |
        ethos-u55-256 | Mean x=1x8x256x257:int16 axis=[2,3] | reduce-mean/size 65792 65536
        ethos-u55-256 | Mean x=1x8x2x4097 axis=[2,3] | reduce-mean/width 4097 4096
        ethos-u55-256 | Mean x=1x4096x1x8 axis=[1] |
        ethos-u55-256 | Mean x=1x4097x1x8 axis=[1] | reduce-mean/depth 4097 4096
        ethos-u55-256 | Mean x=1x8x2x2 axis=[1] | reduce-mean/depth-of-plane 2 1
        ethos-u55-256 | Mean x=2x8x2x2 axis=[0] | reduce-mean/batch 2 1

        # Elements
        ethos-u55-256 | Add a=2x8x2x2 b=2x8x2x2 | eltwise-add/batch 2 1
        ethos-u55-256 | Sub a=2x8x2x2 b=2x8x2x2 | eltwise-sub/batch 2 1
        ethos-u55-256 | Mul a=2x8x2x2 b=2x8x2x2 | eltwise-mul/batch 2 1
        ethos-u55-256 | Max x=2x8x2x2 x=2x8x2x2 | eltwise-max/batch 2 1
        ethos-u55-256 | Min x=2x8x2x2 x=2x8x2x2 | eltwise-min/batch 2 1
        ethos-u55-256 | Concat x=2x8x2x2 x=2x8x2x2 | concat/batch 2 1
        ethos-u55-256 | Relu x=2x8x2x2 | relu/batch 2 1
        ethos-u55-256 | Relu6 x=2x8x2x2 | relu6/batch 2 1
        ethos-u55-256 | LeakyRelu x=2x8x2x2 | leaky-relu/batch 2 1
        ethos-u55-256 | PRelu x=2x8x2x2 slope=1 | prelu/batch 2 1
        ethos-u55-256 | Sigmoid x=2x8x2x2 | sigmoid/batch 2 1
        ethos-u55-256 | Tanh x=2x8x2x2 | tanh/batch 2 1
        ethos-u55-256 | HardSwish x=2x8x2x2 | hard-swish/batch 2 1
        ethos-u55-256 | Abs x=2x8x2x2 | abs/batch 2 1
        ethos-u55-256 | Exp x=2x8x2x2 | exp/batch 2 1
        ethos-u55-256 | Clip x=1x8x2x2 min=-1.0 max=1.0 |
        ethos-u55-256 | Clip x=2x8x2x2 min=0.0 max=1.0 | clip/batch 2 1, clip/bounds
        ethos-u55-256 | Softmax x=2x8x2x2 |
        ethos-u55-256 | LogSoftmax x=1x8 | operators

        # Others
        ethos-u55-256 | MatMul a=2x8 b=8x4 |
        ethos-u55-256 | MatMul a=2x2x8 b=2x8x4 | matmul/rank 3 2
        ethos-u55-256 | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] |
        ethos-u55-256 | Pad x=1x8x4x4 pads=[0,1,1,1,0,0,1,1] | pad/axes
        ethos-u55-256 | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] mode=REFLECT | pad/mode 'REFLECT' 'CONSTANT'
        ethos-u55-256 | Pad x=2x8x4x4 pads=[0,0,1,1,0,0,1,1] constant_value=1.0 | pad/batch 2 1, pad/value 1.0 0
        ethos-u55-256 | Slice x=1x8x4x4 starts=[1] ends=[3] axes=[2] |
        ethos-u55-256 | Slice x=1x8x4x4 starts=[0] ends=[4] axes=[2] steps=[2] | slice/step 2 1
        ethos-u55-256 | Resize x=1x8x4x4 scales=[1.0,1.0,8.0,8.0] |
        ethos-u55-256 | Resize x=1x8x1x1 sizes=[1,8,5,7] |
        ethos-u55-256 | Resize x=1x8x4x4 sizes=[1,8,13,13] coordinate_mode=align_corners |
        ethos-u55-256 | Resize x=1x8x4x4 scales=[1.0,1.0,3.0,3.0] | resize-nearest/scale
        ethos-u55-256 | Resize x=2x8x4x4 scales=[1.0,2.0,2.0,2.0] | resize-nearest/batch 2 1, resize-nearest/axes
        ethos-u55-256 | Resize x=1x8x4x4 scales=[1.0,1.0,4.0,4.0] mode=linear coordinate_mode=asymmetric |
        ethos-u55-256 | Resize x=1x8x4x4 scales=[1.0,1.0,2.0,4.0] mode=linear coordinate_mode=asymmetric | \
        resize-bilinear/scale
        ethos-u55-256 | Upsample x=1x8x4x4 scale=[2,2] |
        ethos-u55-256 | Upsample x=1x8x4x4 scale=[4,4] | resize-bilinear/half-pixel-scale 16 8
        ethos-u55-256 | Resize x=2x8x4x4 scales=[1.0,2.0,2.0,2.0] mode=linear | \
        resize-bilinear/batch 2 1, resize-bilinear/axes
        ethos-u55-256 | Transpose x=4x8 perm=[1,0] |
        ethos-u55-256 | Transpose x=1x8x4x4 perm=[0,2,3,1] | ?transpose/permutation
        """);

    private static final List<RuleCases.Case> ETHOS_N = RuleCases.table("""
        # All operators
        ethos-n78-1tops | Relu x=1x7168x2x2 |
        ethos-n78-1tops | Relu x=1x7169x2x2 | */input-depth 458816 458752, */output-depth 458816 458752
        ethos-n78-1tops | Relu x=1x7169x2x1 |
        ethos-n78-2tops | Relu x=1x12288x2x2 |
        ethos-n78-2tops | Relu x=1x12289x2x2 | */input-depth 786496 786432, */output-depth 786496 786432
        ethos-n78-4tops | Relu x=1x16385x2x2 | */input-depth 1048640 1048576, */output-depth 1048640 1048576
        ethos-n78-8tops | Relu x=1x32769x2x2 | */input-depth 2097216 2097152, */output-depth 2097216 2097152
        ethos-n78-4tops | Relu x=2x8x2x2 | */batch 2 1
        ethos-n78-4tops | Relu x=1x1x2x2x2 | */rank 5 4
        ethos-n78-4tops | Softmax x=1x8 | operators

        # Convolution
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x9x5 |
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x4x5 | conv2d/kernel
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x3x3 dilation=[2,1] | conv2d/dilation 2 1
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x7x7 strides=[2,2] |
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x9x7 strides=[2,2] | conv2d/stride-of-large-kernel 9 7
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x3x3 strides=[3,3] | conv2d/stride 3 2
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x3x3 strides=[1,2] | conv2d/equal-strides 1 2
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x8x3x3 group=2 | conv2d/group 2 1
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x3x3 padding=[1,1,1,1] |
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x3x3 padding=[1,1,1,1] strides=[2,2] |
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x3x3 padding=[2,0,1,1] | conv2d/pad
        ethos-n78-4tops | Conv2d x=1x16x20x20 weights=16x16x5x5 padding=[1,1,1,1] | conv2d/pad
        ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=1x16x3x5 padding=[1,1,2,2] |
        code ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=1x16x3x5 | depthwise-conv2d/square 3 5
        code ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=1x16x3x3 strides=[2,2] |
        ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=1x16x1x1 strides=[2,2] |
        code ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=1x16x1x1 strides=[2,2] | \
        depthwise-conv2d/stride-of-1x1 2 1
        ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=1x16x9x9 strides=[2,2] | \
        depthwise-conv2d/stride-of-large-kernel 9 7
        code ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=1x16x9x9 strides=[2,2] |
        ethos-n78-4tops | DepthwiseConv2d x=1x16x20x20 weights=2x16x6x6 strides=[2,3] padding=[3,0,0,0] \
        dilation=[1,2] | depthwise-conv2d/kernel, depthwise-conv2d/dilation 2 1, depthwise-conv2d/stride 3 2, \
        depthwise-conv2d/equal-strides 2 3, depthwise-conv2d/multiplier 32 16, depthwise-conv2d/pad
        ethos-n78-4tops | ConvTranspose x=1x16x8x8 weights=16x16x3x3 strides=[2,2] |
        ethos-n78-4tops | ConvTranspose x=1x16x8x8 weights=16x16x3x3 strides=[2,2] pad_mode=SAME |
        ethos-n78-4tops | ConvTranspose x=1x16x8x8 weights=16x16x9x9 strides=[2,2] pad_mode=SAME |
        code ethos-n78-4tops | ConvTranspose x=1x16x8x8 weights=16x16x7x7 strides=[2,2] |
        code ethos-n78-4tops | ConvTranspose x=1x16x8x8 weights=16x16x9x9 strides=[2,2] | \
        transposed-conv2d/pad-of-large-kernel 9 7
        ethos-n78-4tops | ConvTranspose x=1x16x8x8 weights=16x8x4x4 strides=[1,1] group=2 padding=[3,1,1,1] \
        dilation=[1,2] | transposed-conv2d/group 2 1, transposed-conv2d/kernel, transposed-conv2d/dilation 2 1, \
        transposed-conv2d/stride 1 2, transposed-conv2d/pad

        # Pools
        ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[1,1] strides=[2,2] |
        ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[2,2] strides=[2,2] |
        ethos-n78-4tops | MaxPool x=1x16x8x9 kernel_size=[2,2] strides=[2,2] | max-pool/even-input 1 0
        ethos-n78-4tops | MaxPool x=1x16x9x9 kernel_size=[2,2] strides=[2,2] pad_mode=SAME |
        ethos-n78-4tops | MaxPool x=1x16x8x9 kernel_size=[2,2] strides=[2,2] pad_mode=SAME | max-pool/odd-input 0 1
        ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[4,4] strides=[2,2] | max-pool/window 4 3
        code ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[4,4] strides=[2,2] | max-pool/window
        ethos-n78-4tops | MaxPool x=1x16x18x18 kernel_size=[9,9] | max-pool/window
        code ethos-n78-4tops | MaxPool x=1x16x18x18 kernel_size=[9,9] |
        code ethos-n78-4tops | MaxPool x=1x16x18x18 kernel_size=[10,9] | max-pool/dense-window 10 9
        code ethos-n78-4tops | MaxPool x=1x16x18x18 kernel_size=[17,17] pad_mode=SAME |
        code ethos-n78-4tops | MaxPool x=1x16x18x18 kernel_size=[18,17] pad_mode=SAME | max-pool/dense-window 18 17
        ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[3,3] strides=[2,2] |
        code ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[3,3] strides=[2,2] | max-pool/input-of-3x3 0 1
        ethos-n78-4tops | MaxPool x=1x16x9x9 kernel_size=[3,3] strides=[2,2] | max-pool/input-of-3x3 1 0
        code ethos-n78-4tops | MaxPool x=1x16x9x9 kernel_size=[3,3] strides=[2,2] |
        ethos-n78-4tops | MaxPool x=1x16x9x9 kernel_size=[3,3] strides=[2,2] pad_mode=SAME |
        code ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[3,3] strides=[2,2] pad_mode=SAME |
        code ethos-n78-4tops | MaxPool x=1x16x8x8 kernel_size=[3,3] strides=[2,2] padding=[1,0,1,0] | max-pool/pad 1 0
        ethos-n78-4tops | MaxPool x=1x16x8x416 kernel_size=[3,3] strides=[2,2] |
        ethos-n78-4tops | MaxPool x=1x16x8x418 kernel_size=[3,3] strides=[2,2] | max-pool/width-of-3x3 418 417
        ethos-n78-4tops | MaxPool x=1x16x1x1 kernel_size=[2,2] strides=[2,2] pad_mode=SAME | max-pool/input 1 2
        ethos-n78-4tops | AvgPool x=1x16x240x256 kernel_size=[3,3] padding=[1,1,1,1] |
        ethos-n78-4tops | AvgPool x=1x16x240x257 kernel_size=[3,3] padding=[1,1,1,1] | \
        average-pool/plane-of-3x3 61680 61440
        ethos-n78-4tops | AvgPool x=1x16x8x8 kernel_size=[3,3] | average-pool/window
        ethos-n78-4tops | AvgPool x=1x16x8x8 kernel_size=[8,8] |
        ethos-n78-4tops | AvgPool x=1x16x7x7 is_global=true |
        ethos-n78-4tops | AvgPool x=1x16x9x9 is_global=true | global-average-pool/plane
        ethos-n78-4tops | Mean x=1x16x8x8 axis=[2,3] |
        ethos-n78-4tops | Mean x=1x16x8x7 axis=[2,3] | reduce-mean/plane 8 7
        ethos-n78-4tops | Mean x=1x16x8x8 axis=[1] | reduce-mean/axes

        # Others
        ethos-n78-4tops | Gemm a=1x64 b=64x8 |
        ethos-n78-4tops | InnerProduct x=1x8x2x2 weights=8x8x2x2 | fully-connected/input 2 1
        ethos-n78-4tops | Add a=1x16x4x4 b=1x16x1x1 |
        ethos-n78-4tops | Add a=1x16x4x4 b=1x16x1x4 | eltwise-add/stretch false true
        ethos-n78-4tops | Add a=1x16x4x4 b=1x1x4x4 | eltwise-add/stretch 16 1
        ethos-n78-4tops | Concat x=1x16x4x4 x=1x32x4x4 |
        ethos-n78-4tops | Concat x=1x16x4x4 x=1x24x4x4 | concat/channels 8 0
        ethos-n78-4tops | Concat x=1x24x4x4 x=1x24x4x4 axis=2 |
        ethos-n78-4tops | Concat x=1x16x4x4 x=1x16x4x4 axis=0 | concat/batch 0 1
        ethos-n78-4tops | Split x=1x32x4x4 axis=1 num_outputs=1 |
        ethos-n78-4tops | Split x=1x24x4x4 axis=1 num_outputs=1 | split/channels 8 0
        ethos-n78-4tops | Split x=1x32x4x4 axis=0 num_outputs=1 | split/batch 0 1
        ethos-n78-4tops | Pad x=1x8x4x4 pads=[0,0,7,7,0,0,7,7] |
        ethos-n78-4tops | Pad x=1x8x4x4 pads=[0,0,8,7,0,0,7,7] | pad/size 8 7
        ethos-n78-4tops | Pad x=1x8x4x4 pads=[0,1,1,1,0,0,1,1] | pad/axes
        ethos-n78-4tops | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] mode=EDGE | pad/mode 'EDGE' 'CONSTANT'
        ethos-n78-4tops | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] constant_value=1.0 | pad/value 1.0 0
        ethos-n78-4tops | Resize x=1x8x4x4 sizes=[1,8,7,7] |
        ethos-n78-4tops | Resize x=1x8x4x4 sizes=[1,8,7,8] | resize-nearest/parity 1 0
        ethos-n78-4tops | Resize x=1x8x4x4 sizes=[1,8,9,9] | resize-nearest/scale 9 8
        ethos-n78-4tops | Resize x=1x8x4x4 sizes=[1,8,8,6] | resize-nearest/scale 6 7
        ethos-n78-4tops | Resize x=1x8x4x4 sizes=[1,16,8,8] | resize-nearest/axes
        ethos-n78-4tops | Resize x=1x8x4x4 sizes=[1,16,6,7] mode=linear | \
        resize-bilinear/axes, resize-bilinear/scale 6 7, resize-bilinear/parity 0 1
        ethos-n78-4tops | Reorg x=1x16x4x4 scale=2 reversed=true |
        ethos-n78-4tops | Reorg x=1x16x4x4 scale=4 reversed=true | depth-to-space/block 4 2
        ethos-n78-4tops | Reorg x=1x16x4x4 scale=2 | operators
        ethos-n78-4tops | LeakyRelu x=1x8x4x4 alpha=0.1 |
        ethos-n78-4tops | LeakyRelu x=1x8x4x4 alpha=1.0 | leaky-relu/slope 1.0 1.0
        ethos-n78-4tops | LeakyRelu x=1x8x4x4 alpha=0.0 | leaky-relu/slope 0.0 0.0
        """);

    static Stream<RuleCases.Case> cases() {
        return Stream.concat(ETHOS_U.stream(), ETHOS_N.stream());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void breaks(RuleCases.Case one) {
        assertThat(RuleCases.broken(one)).isEqualTo(one.broken());
    }

    @Test
    void everyRuleHasACase() {
        RuleCases.reachEveryRule("ethos-u", ETHOS_U);
        RuleCases.reachEveryRule("ethos-n", ETHOS_N);
    }
}
