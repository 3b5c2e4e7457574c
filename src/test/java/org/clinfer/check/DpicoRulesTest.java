package org.clinfer.check;

/** What MindSpore Lite tests before it gives an operator to the DPICO NPU. */
class DpicoRulesTest extends FamilyContract {

    private static final String CASES = """
            # Convolution
            sd3403-dpico | Conv2d 1x16x32x32 8x16x3x3 | ok
            sd3403-dpico | Conv2d 1x16x32x32 8x16x15x15 | ok
            sd3403-dpico | Conv2d 1x16x32x32 8x16x1x16 | conv2d/kernel 16 15; conv2d/dilated-kernel 16 15
            sd3403-dpico | Conv2d 1x16x32x32 8x16x8x8 dilation=[2,2] | ok
            sd3403-dpico | Conv2d 1x16x32x32 8x16x6x6 dilation=[3,3] | conv2d/dilated-kernel 16 15
            sd3403-dpico | Conv2d 1x16x32x32 8x16x3x3 dilation=[5,5] | ok
            sd3403-dpico | Conv2d 1x16x32x32 8x16x3x3 dilation=[1,6] | conv2d/dilation 6 5
            sd3403-dpico | Conv2d 1x16x32x32 8x16x3x3 strides=[7,7] | ok
            sd3403-dpico | Conv2d 1x16x32x32 8x16x3x3 strides=[8,7] | conv2d/stride 8 7
            sd3403-dpico | Conv2d 1x16x32x32 8x16x3x3 padding=[7,7,7,7] | ok
            sd3403-dpico | Conv2d 1x16x32x32 8x16x3x3 padding=[7,7,7,8] | conv2d/padding 8 7
            sd3403-dpico | Conv2d 1x1x4x4 32768x1x3x3 | ok
            sd3403-dpico | Conv2d 1x1x4x4 32769x1x3x3 | conv2d/output-channels 32769 32768
            sd3403-dpico | Conv2d 1x4096x4x4 4096x2x3x3 group=2048 | ok
            sd3403-dpico | Conv2d 1x4098x4x4 4098x2x3x3 group=2049 | conv2d/group 2049 2048
            sd3403-dpico | DepthwiseConv2d 1x2049x4x4 1x2049x3x3 | depthwise-conv2d/group 2049 2048
            sd3403-dpico | Conv2d 1x1x9x4096 1x1x8x3 | ok
            sd3403-dpico | Conv2d 1x1x9x4096 1x1x9x3 | conv2d/rows 36864 32768
            sd3403-dpico | Conv2d 1x1x9x4097 1x1x3x3 | conv2d/width 4097 4096
            sd3403-dpico | Conv2d 1x1x15x2184 1x1x15x3 strides=[7,7] | ok
            sd3403-dpico | Conv2d 1x1x15x2185 1x1x15x3 strides=[7,7] | conv2d/rows 32775 32768
            sd3403-dpico | Convolution 1x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | operators
            sd3403-dpico | ConvTranspose 1x4x8 4x4x3 | transposed-conv2d/rank-4 3 4
            sd3403-dpico | Conv2dTranspose 1x4x8x8 4x4x4x4 strides=[2,2] padding=[1,1,1,1] | ok
            sd3403-dpico | ConvTranspose 1x4x8x8 4x4x3x3 strides=[2,2] padding=[1,1,1,1] output_padding=[1,1] \
            | transposed-conv2d/output-padding 0 1
            sd3403-dpico | ConvTranspose 1x4x8x8 4x4x3x3 strides=[2,2] padding=[1,1,1,1] | ok
            sd3403-dpico | Conv2dTranspose 1x4x2x4096 4x4x15x3 strides=[2,1] | ok
            sd3403-dpico | Conv2dTranspose 1x4x2x4096 4x4x9x3 | transposed-conv2d/rows 9 8
            sd3403-dpico | Conv2dTranspose 1x4x2x3641 4x4x9x3 | transposed-conv2d/rows 9 8
            sd3403-dpico | Conv2dTranspose 1x4x2x3640 4x4x9x3 | ok
            # Pooling
            sd3403-dpico | MaxPool 1x1x300x128 kernel_size=[255,3] strides=[1,1] | ok
            sd3403-dpico | MaxPool 1x1x300x127 kernel_size=[256,3] strides=[1,1] | pool/kernel 256 255
            sd3403-dpico | MaxPool 1x1x300x127 kernel_size=[3,3] strides=[255,255] | ok
            sd3403-dpico | MaxPool 1x1x300x127 kernel_size=[3,3] strides=[256,255] | pool/stride 256 255
            sd3403-dpico | AvgPool 1x1x30x30 kernel_size=[9,9] strides=[1,1] padding=[7,7,7,7] | ok
            sd3403-dpico | AvgPool 1x1x30x30 kernel_size=[9,9] strides=[1,1] padding=[8,7,7,7] | pool/padding 8 7
            sd3403-dpico | AvgPool 1x1x30x3276 kernel_size=[10,3] strides=[1,1] | ok
            sd3403-dpico | AvgPool 1x1x30x3277 kernel_size=[10,3] strides=[1,1] | pool/rows 32770 32768
            sd3403-dpico | AvgPool 1x1x300x4096 is_global=true | ok
            sd3403-dpico | AvgPool 1x1x300x4097 is_global=true | global-pool/width 4097 4096
            sd3403-dpico | AvgPool 1x8x30 kernel_size=[3] strides=[1] | pool/rank-4 3 4
            # Products of matrices
            sd3403-dpico | InnerProduct 1x8x1x1 32768x8x1x1 | ok
            sd3403-dpico | InnerProduct 1x8x1x1 32769x8x1x1 | InnerProduct/outputs 32769 32768
            sd3403-dpico | Gemm 1x8 8x4=1.0 | ok
            sd3403-dpico | Gemm 1x8 8x4 | Gemm/weights
            sd3403-dpico | Gemm 2x8 8x4=1.0 | Gemm/batch 2 1
            sd3403-dpico | Gemm 1x1 1x4=1.0 transpose_a=true | Gemm/transposed
            sd3403-dpico | MatMul 1x8 8x4=1.0 | ok
            sd3403-dpico | MatMul 1x1x8 8x4=1.0 | matmul/batch 3 2
            sd3403-dpico | MatMul 1x8 8x4 | matmul/weights
            # Elementwise
            sd3403-dpico | Add 1x2x3x4 1x2x3x4 | ok
            sd3403-dpico | Add 1x2x3x4 1x1x3x1 | ok
            sd3403-dpico | Add 1x2x3x4 1x1x1x1 | Add/broadcast-axes
            sd3403-dpico | Add 1x2x3x4 1x1x1x1=2.0 | ok
            sd3403-dpico | Add 1x2x3x4 3x4 | Add/broadcast-rank 4 2
            sd3403-dpico | Add 1x2x3x4 3x4=2.0 | ok
            sd3403-dpico | Add 1x2x3x4097 1x2x3x4097 | eltwise/width 4097 4096
            sd3403-dpico | Div 1x2x3x4 1x2x3x4 | ok
            sd3403-dpico | Div 1x2x3x4 1x2x1x1 | Div/broadcast
            sd3403-dpico | Div 1x2x3x4 1x2x1x1=2.0 | ok
            sd3403-dpico | Max 1x2x3x4 1x2x3x4 | ok
            sd3403-dpico | Max 1x2x3x4 1x2x3x4 1x2x3x4 | Max/two-inputs 3 2
            sd3403-dpico | Max 1x2x3x4 1x2x1x1 | Max/broadcast
            sd3403-dpico | Max 1x2x3x4 1x2x1x1=2.0 | ok
            sd3403-dpico | Pow 1x2x3x4 1=0.5 | ok
            sd3403-dpico | Pow 1x2x3x4 1=-3.0 | ok
            sd3403-dpico | Pow 1x2x3x4 1=0.25 | eltwise-pow/exponent
            sd3403-dpico | Pow 1x2x3x4 1 | eltwise-pow/constant
            sd3403-dpico | Concat %s | ok
            sd3403-dpico | Concat %s 1x1 | concat/inputs 33 32
            sd3403-dpico | Concat 1x2x3x4 1x2x3x4=1.0 | concat/constant
            sd3403-dpico | Concat 1x2x3x4096 1x2x3x4 axis=3 | ok
            sd3403-dpico | Concat 1x2x3x4097 1x2x3x4 axis=3 | concat/width 4097 4096
            sd3403-dpico | Concat 1x2x3x16384 1x2x3x16384 axis=2 | ok
            sd3403-dpico | Concat 1x2x3x16385 1x2x3x16385 axis=2 | concat/width 16385 16384
            sd3403-dpico | Concat 1x2x3x16385 1x2x3x16385 axis=1 | ok
            sd3403-dpico | Eltwise %s 1x1 | Eltwise/inputs 33 32
            # The others
            sd3403-dpico | Relu 1x2x3x4096 | ok
            sd3403-dpico | Relu 1x2x3x4097 | activation/width 4097 4096
            sd3403-dpico | Relu 1x2x3x4x5 | */rank 5 4
            sd3403-dpico | Relu 1x4097 | ok
            sd3403-dpico | HardSigmoid 1x2 | operators
            sd3403-dpico | Lrn 1x8x3x4 size=7 | ok
            sd3403-dpico | Lrn 1x8x3x4 size=9 | lrn/size
            sd3403-dpico | Softmax 1x65536 axis=1 | ok
            sd3403-dpico | Softmax 1x65537 axis=1 | softmax/vector 65537 65536
            sd3403-dpico | Softmax 1x4096x1x2 axis=1 | ok
            sd3403-dpico | Softmax 1x4097x1x2 axis=1 | softmax/channels 4097 4096
            sd3403-dpico | Softmax 1x4097x1x2 axis=3 | ok
            sd3403-dpico | Softmax 1x2x1x4096 axis=3 | ok
            sd3403-dpico | Softmax 1x2x1x4097 axis=3 | softmax/width 4097 4096
            sd3403-dpico | Softmax 4x2 axis=0 | softmax/axis 0 1
            sd3403-dpico | Split 1x4 axis=1 split=[2,2] | ok
            sd3403-dpico | Split 4x4 axis=0 split=[2,2] | split/axis 0 0
            sd3403-dpico | Split 1x32 axis=1 split=[%s] | ok
            sd3403-dpico | Split 1x33 axis=1 split=[%s,1] | split/outputs 33 32
            sd3403-dpico | Transpose 1x2x3x4 perm=[0,2,3,1] | ok
            sd3403-dpico | Transpose 1x2x3x4 perm=[0,3,1,2] | ok
            sd3403-dpico | Transpose 1x2x3x4 perm=[0,1,3,2] | transpose/order
            sd3403-dpico | Mean 1x2x3x4 axis=[2,3] | ok
            sd3403-dpico | Mean 1x2x3x4 axis=[2,3] keep_dims=true | reduce/axes
            sd3403-dpico | Mean 1x2x3x4 axis=[3] keep_dims=true | ok
            sd3403-dpico | Mean 2x2x3x4 axis=[1] | ok
            sd3403-dpico | Mean 2x3x4 axis=[2] keep_dims=true | ok
            sd3403-dpico | Mean 2x3x4 axis=[2] | reduce/kept-axis
            sd3403-dpico | ReduceL2 1x2x3x4 axis=[2,3] | operators
            sd3403-dpico | Resize 1x2x3x4 scales=[1.0,1.0,2.0,2.0] coordinate_mode=asymmetric nearest_mode=floor | ok
            sd3403-dpico | Resize 1x2x3x4 scales=[1.0,1.0,2.0,4.0] coordinate_mode=asymmetric nearest_mode=floor \
            | Resize/scale 16 8
            sd3403-dpico | Resize 1x2x3x4 scales=[1.0,1.0,2.0,2.0] nearest_mode=floor \
            | Resize/coordinates 'half_pixel' 'asymmetric'
            sd3403-dpico | Resize 1x2x3x4 scales=[1.0,1.0,2.0,2.0] coordinate_mode=asymmetric nearest_mode=ceil \
            | Resize/rounding 'ceil' 'floor'
            sd3403-dpico | Resize 1x2x3x4 scales=[1.0,1.0,2.0,2.0] coordinate_mode=asymmetric nearest_mode=floor \
            mode=linear | Resize/mode 'linear' 'nearest'
            sd3403-dpico | Reshape 1x1x1x65536 shape=[1,2,1,32768] | ok
            sd3403-dpico | Reshape 1x1x1x65537 shape=[1,65537] | Reshape/width 65537 65536
            sd3403-dpico | Reshape 1x4 shape=[1,1,1,1,4] | Reshape/rank 5 4
            sd3403-dpico | Squeeze 1x4x1 axis=[2] | ok
            sd3403-dpico | Squeeze 1x4x1 axis=[0,2] | Squeeze/rank 1 2
            """;

    DpicoRulesTest() {
        super("dpico", CASES.replace("[%s", "[1" + ",1".repeat(31)).replace("%s", "1x1 ".repeat(32)));
    }
}
