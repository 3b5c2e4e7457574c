package org.clinfer.check;

/** The lists of operators of the Rockchip NPUs of the second generation. */
class RockchipRulesTest extends FamilyContract {

    private static final String CASES = """
            # Data types
            rv1106 | Conv2d 1x16x32x32:int8 8x16x3x3 | ok
            rv1106 | Conv2d 1x16x32x32:float32 8x16x3x3 | ok
            rv1106 | Conv2d 1x16x32x32:float16 8x16x3x3 | */data-type
            rk2118 | Conv2d 1x16x32x32:float16 8x16x3x3 | ok
            rk2118 | Conv2d 1x16x32x32:int8 8x16x3x3 | */data-type
            # Convolution
            rk3588 | Conv2d 1x16x32x32 8x16x31x31 | ok
            rk3588 | Conv2d 1x16x32x32 8x16x31x32 | conv2d/kernel 32 31
            rk3588 | Conv2d 1x16x32x32 8x16x3x3 strides=[7,7] | ok
            rk3588 | Conv2d 1x16x32x32 8x16x3x3 strides=[7,8] | conv2d/stride 8 7
            rk3588 | Conv2d 1x16x32x32 8x16x3x3 padding=[15,15,15,15] | ok
            rk3588 | Conv2d 1x16x32x32 8x16x3x3 padding=[15,15,16,15] | conv2d/padding 16 15
            rk3588 | Conv2d 1x16x64x64 8x16x3x3 dilation=[31,31] | ok
            rk3588 | Conv2d 1x16x68x64 8x16x3x3 dilation=[32,31] | conv2d/dilation 32 31
            rk3588 | Conv2d 1x16x4x16382 8x16x2x1 | ok
            rk3588 | Conv2d 1x16x4x16383 8x16x2x1 | conv2d/width 16383 16383
            rk3588 | Conv2d 1x16x4x16383 8x16x1x3 | ok
            rk3588 | DepthwiseConv2d 1x16x32x32 1x16x8x8 | ok
            rk3588 | DepthwiseConv2d 1x16x32x32 1x16x9x8 | depthwise-conv2d/kernel 9 8
            rk3588 | DepthwiseConv2d 1x16x80x80 1x16x3x3 dilation=[32,32] | ok
            rk3588 | DepthwiseConv2d 1x16x80x80 1x16x3x3 dilation=[33,32] | depthwise-conv2d/dilation 33 32
            # The first layer
            rk3588 | Conv2d 1x3x9x6144:int8 8x3x3x3 | ok
            rk3588 | Conv2d 1x3x9x6145:int8 8x3x3x3 | conv2d/first-layer-row 18435 18432
            rk3588 | Conv2d 1x2x9x6145:int8 8x2x3x3 | ok
            rk3588 | Conv2d 1x3x19x1700:int8 8x3x11x11 | conv2d/first-layer-row 18700 18432
            rk3588 | Conv2d 1x3x9x3072:float16 8x3x3x3 | ok
            rk3588 | Conv2d 1x3x9x3073:float16 8x3x3x3 | conv2d/first-layer-row 9219 9216
            rk3588 | Conv2d 1x4x9x3073 8x4x3x3 | conv2d/first-layer-row 9219 9216
            rk3588 | Conv2d 1x1x9x8192:int8 8x1x1x3 | ok
            rk3588 | Conv2d 1x1x9x8193:int8 8x1x1x3 | conv2d/first-layer-width 8193 8192
            rk3588 | Conv2d 1x3x40x500:int8 8x3x31x31 | conv2d/first-layer-row 15500 8192
            rk3588 | Conv2d 1x3x40x264:int8 8x3x31x31 | ok
            rk3588 | DepthwiseConv2d 1x3x9x3072:float16 1x3x3x3 | ok
            rk3588 | DepthwiseConv2d 1x3x9x3073:float16 1x3x3x3 | depthwise-conv2d/first-layer-row 9219 9216
            rk3566 | Conv2d 1x3x9x2389:int8 8x3x3x3 | ok
            rk3566 | Conv2d 1x3x9x2390:int8 8x3x3x3 | conv2d/first-layer-row 7170 7167
            rk3566 | Conv2d 1x1x9x4096 8x1x1x3 | ok
            rk3566 | Conv2d 1x1x9x4097 8x1x1x3 | conv2d/first-layer-width 4097 4096
            rv1106 | Conv2d 1x3x9x4096:int8 8x3x3x3 | ok
            rv1106 | Conv2d 1x3x9x3072:int8 8x3x4x3 | ok
            rv1106 | Conv2d 1x3x9x3073:int8 8x3x4x3 | conv2d/first-layer-row 12292 12288
            rk3576 | Conv2d 1x3x9x10000 8x3x3x3 | ok
            # Transposed convolution
            rk3588 | ConvTranspose 1x16x8x8 16x16x31x31 strides=[8,8] | ok
            rk3588 | ConvTranspose 1x16x8x8 16x16x32x31 strides=[8,8] | transposed-conv2d/kernel 32 31
            rk3588 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[3,2] | transposed-conv2d/stride
            rv1106 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[3,2] | ok
            rv1106 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[9,2] | transposed-conv2d/stride
            rk3588 | ConvTranspose 1x16x8x8 16x1x4x4 group=16 | ok
            rk3588 | ConvTranspose 1x16x8x8 16x2x4x4 group=8 | transposed-conv2d/group
            rk3588 | ConvTranspose 1x16x8x8 16x2x4x4 group=16 | depthwise-transposed-conv2d/group
            rk3588 | ConvTranspose 1x16x80x80 16x16x3x3 dilation=[32,32] | ok
            rk3588 | ConvTranspose 1x16x80x80 16x16x3x3 dilation=[33,32] | transposed-conv2d/dilation 33 32
            rk3588 | ConvTranspose 1x16x40x40 16x16x16x16 padding=[15,15,15,15] | ok
            rk3588 | ConvTranspose 1x16x40x40 16x16x17x17 padding=[16,15,15,15] | transposed-conv2d/padding 16 15
            rk3588 | ConvTranspose 1x16x8x8 16x16x3x3 padding=[2,2,2,2] | ok
            rk3588 | ConvTranspose 1x16x8x8 16x16x3x3 padding=[3,2,2,2] | transposed-conv2d/padding-to-kernel 3 3
            # Pooling
            rk3588 | MaxPool 1x8192x9x9 kernel_size=[7,7] strides=[8,8] | ok
            rk3588 | MaxPool 1x8193x9x9 kernel_size=[7,7] strides=[8,8] | pool/channels 8193 8192
            rk3588 | MaxPool 2x8x9x9 kernel_size=[7,7] strides=[8,8] | pool/batch 2 1
            rk3588 | MaxPool 1x8x9x9 kernel_size=[8,7] strides=[8,8] | max-pool/kernel 8 7
            rk3588 | MaxPool 1x8x9x9 kernel_size=[7,7] strides=[8,9] | pool/stride 9 8
            rk3588 | MaxPool 1x8x8192x9 kernel_size=[3,3] strides=[1,1] | ok
            rk3588 | MaxPool 1x8x8193x9 kernel_size=[3,3] strides=[1,1] | max-pool/size 8193 8192
            rv1103b | MaxPool 1x8x7x7 kernel_size=[3,3] strides=[1,1] | ok
            rv1103b | MaxPool 1x8x8x7 kernel_size=[3,3] strides=[1,1] | max-pool/size 8 7
            rk2118 | MaxPool 1x8x9x9 kernel_size=[1,1] strides=[2,2] | max-pool/kernel-area 1 2
            rk2118 | MaxPool 1x8x9x9 kernel_size=[1,2] strides=[2,2] | ok
            rk3588 | MaxPool 1x8x9x9 kernel_size=[1,1] strides=[2,2] | ok
            rk3588 | MaxPool 1x8x9x9 kernel_size=[7,7] strides=[1,1] padding=[7,7,7,7] | ok
            rk3588 | MaxPool 1x8x9x9 kernel_size=[7,7] strides=[1,1] padding=[8,7,7,7] | pool/padding 8 7
            rk3588 | MaxPool 1x8x9x9 kernel_size=[3,3] strides=[1,1] dilation=[2,1] | pool/dilation 2 1
            rk3588 | MaxPool 1x8x9x9 kernel_size=[2,2] strides=[2,2] ceil_mode=CEIL | pool/rounding 'CEIL' 'FLOOR'
            rk3588 | AvgPool 1x8x8192x9 kernel_size=[7,7] strides=[8,8] | ok
            rk3588 | AvgPool 1x8x8193x9 kernel_size=[7,7] strides=[8,8] | average-pool/size 8193 8192
            rk3588 | AvgPool 1x8x9x9 kernel_size=[8,7] strides=[8,8] | average-pool/kernel 8 7
            rv1106 | AvgPool 1x8x9x9 kernel_size=[8,8] strides=[8,8] | ok
            rv1106 | AvgPool 1x8x9x9 kernel_size=[9,8] strides=[8,8] | average-pool/kernel 9 8
            rk3588 | AvgPool 1x8x9x9 kernel_size=[3,3] strides=[1,1] padding=[1,1,1,1] count_include_pad=true | ok
            rk3588 | AvgPool 1x8x9x9 kernel_size=[3,3] strides=[1,1] padding=[1,1,1,1] count_include_pad=false \
            | average-pool/padding-counts
            rk2118 | AvgPool 1x8x9x9 kernel_size=[3,3] strides=[1,1] | average-pool/on-npu
            rk3588 | MaxPool 1x8x7x7 is_global=true | ok
            rk3588 | MaxPool 1x8x8x7 is_global=true | global-max-pool/map 8 7
            rk3588 | AvgPool 1x8x7x7 is_global=true | ok
            rk3588 | AvgPool 1x8x7x8 is_global=true | global-average-pool/map 8 7
            rk3588 | AvgPool 2x8x7x7 is_global=true | global-pool/batch 2 1
            rk3576 | MaxPool 1x8x8192x7 is_global=true | ok
            rk3576 | MaxPool 1x8x8193x7 is_global=true | global-max-pool/map 8193 8192
            rk3576 | AvgPool 1x8x7x7 is_global=true | ?global-average-pool/map
            # Elementwise
            rk3588 | Max 1x8192x2x8176 1x8192x2x8176 | ok
            rk3588 | Max 1x8193x2x8 1x8193x2x8 | eltwise-max/size 8193 8192
            rk3588 | Max 1x1x8193x8 1x1x8193x8 | eltwise-max/size 8193 8192
            rk3588 | Max 1x1x1x8177 1x1x1x8177 | eltwise-max/width 8177 8176
            rv1106 | Max 1x8:int8 1x8 | eltwise-max/on-npu
            rk3576 | Max 1x8 1x8 | ?eltwise-max/on-npu
            rk3588 | Pow 1x8 1=0.5 | ok
            rk3588 | Pow 1x8 1=4.0 | eltwise-pow/exponent
            rk3588 | Pow 1x8 1 | ?eltwise-pow/exponent
            rk3588 | Relu 1x8 | ?operators
            # Movements
            rk3588 | Resize 1x8192x8x8176 scales=[1.0,1.0,8.0,2.0] | ok
            rk3588 | Resize 1x8193x8x8 scales=[1.0,1.0,8.0,2.0] | resize/size 8193 8192
            rk3588 | Resize 1x1x8x8177 scales=[1.0,1.0,8.0,2.0] | resize/width 8177 8176
            rk3588 | Resize 1x8x8x8 scales=[1.0,1.0,9.0,2.0] | resize/scale
            rk3588 | Resize 1x8x8x8 scales=[1.0,1.0,1.0,2.0] | resize/scale
            rk3588 | Resize 1x8x8x8 scales=[1.0,2.0,2.0,2.0] | resize/axes
            rk3588 | Concat 1x16x2x2:int8 1x32x2x2 axis=1 | ok
            rk3588 | Concat 1x16x2x2:int8 1x24x2x2 axis=1 | concat/alignment 8 0
            rk3588 | Concat 1x16x2x2:float16 1x24x2x2 axis=1 | ok
            rk3588 | Concat 1x16x2x2:float16 1x20x2x2 axis=1 | concat/alignment 4 0
            rk3566 | Concat 1x16x2x2:int8 1x24x2x2 axis=1 | ok
            rk3566 | Concat 1x16x2x2:float16 1x20x2x2 axis=1 | ok
            rk3588 | Concat 1x3x2x2:int8 1x3x2x2 axis=2 | ok
            rk3588 | Split 1x32x2x2:int8 axis=1 split=[16,16] | ok
            rk3588 | Split 1x32x2x2:int8 axis=1 split=[8,24] | split/alignment 8 0
            rk3588 | Slice 1x32x2x2:int8 starts=[16] ends=[32] axes=[1] | ok
            rk3588 | Slice 1x32x2x2:int8 starts=[8] ends=[24] axes=[1] | slice/alignment 8 0
            rk3588 | Reshape 1x8192x1x8176 shape=[1,1,8192,8176] | ok
            rk3588 | Reshape 1x8193x1x8 shape=[1,8,1,8193] | reshape/size 8193 8192
            rk3588 | Reshape 1x1x1x8177 shape=[1,8177] | reshape/width 8177 8176
            rk3562 | Reshape 1x1x32768x32768:int8 shape=[1,32768,1,32768] | ok
            rk3562 | Reshape 1x1x32769x32768:int8 shape=[1,32768,1,32769] | reshape/bytes 1073774592 1073741824
            rk3588 | Transpose 1x7x73x73:int8 perm=[0,2,3,1] | ok
            rk3588 | Transpose 1x1x146x56:int8 perm=[0,2,3,1] | transpose/to-nhwc-area 8176 8176
            rk3588 | Transpose 1x1x145x56:int8 perm=[0,2,3,1] | ok
            rk3588 | Transpose 1x8x8x64:int8 perm=[0,2,3,1] | transpose/to-nhwc 512 512
            rk3588 | Transpose 1x11x8x93:float16 perm=[0,2,3,1] | transpose/to-nhwc 1023 1023
            rk3588 | Transpose 1x14x8x73:float16 perm=[0,2,3,1] | ok
            rk3588 | Transpose 1x8x145x56:int8 perm=[0,3,1,2] | ok
            rk3588 | Transpose 1x8x146x56:int8 perm=[0,3,1,2] | transpose/to-nchw 8176 8176
            rk3588 | Transpose 1x8x15x17:int8 perm=[0,3,2,1] | ok
            rk3588 | Transpose 1x8x16x16:int8 perm=[0,3,2,1] | transpose/reversed 65536 65536
            rk3588 | Transpose 1x8x16x16:int8 perm=[0,1,3,2] | ?transpose/known
            rk3566 | Transpose 1x8x16x16:int8 perm=[0,2,3,1] | ?transpose/known
            rk3562 | Transpose 1x8x2048x2047 perm=[0,1,3,2] | ok
            rk3562 | Transpose 1x8x2048x2048 perm=[0,1,3,2] | transpose/area 4194304 4194304
            rk3588 | Pad 1x8x8x8176 pad_with=[0,0,0,0,1,1,1,1] | ok
            rk3588 | Pad 1x8x8x8177 pad_with=[0,0,0,0,1,1,1,1] | pad/width 8177 8176
            rk3588 | Pad 1x8x8x8 pad_with=[0,0,1,1,1,1,1,1] | pad/axes
            rk3588 | Pad 1x8192x8x8 pad_with=[0,0,0,0,1,1,1,1] mode=REFLECT | ok
            rk3588 | Pad 1x8193x8x8 pad_with=[0,0,0,0,1,1,1,1] mode=REFLECT | pad/reflected-size 8193 8192
            rk3588 | Expand 1x1 shape=[1,8192] | ok
            rk3588 | Expand 1x1 shape=[1,8193] | expand/size 8193 8192
            # Products of matrices and Softmax
            rk3588 | MatMul 4x64:int8 64x32 | ok
            rk3588 | MatMul 4x8:float16 8x32 | ok
            rk3588 | MatMul 4x8:int8 8x32 | matmul/inner-alignment 8 0
            rk3588 | MatMul 4x4:float16 4x32 | matmul/inner-size 4 8; matmul/inner-alignment 4 0
            rk3588 | MatMul 1x8192:float16 8192x32 | matmul/area 262144 65532
            rk3588 | MatMul 4x16:int8 16x31 | matmul/columns 31 32; matmul/column-alignment 31 0
            rk3588 | MatMul 1x16:int8 16x48 | matmul/column-alignment 16 0
            rk3588 | MatMul 1x32:int8 32x2016 | ok
            rk3588 | MatMul 1x32:int8 32x2048 | matmul/area 65536 65532
            rk3566 | MatMul 4x64:int8 64x32 | matmul/on-npu
            rk3576 | MatMul 4x64:int8 64x32 | ?matmul/on-npu
            rk3562 | Softmax 1x8192x1x2 axis=1 | ok
            rk3562 | Softmax 1x8193x1x2 axis=1 | softmax/channels 8193 8192
            rk3562 | Softmax 1x8x1x2 axis=2 | softmax/axis
            rk3566 | Softmax 1x8x1x2 axis=1 | softmax/on-npu
            rk3588 | Softmax 1x8x1x2 axis=1 | ?softmax/on-npu
            rk3588 | Gemm 1x8 8x4 | Gemm/on-npu
            rk3576 | Gemm 1x8 8x4 | ?Gemm/on-npu
            """;

    RockchipRulesTest() {
        super("rockchip", CASES);
    }
}
