package org.clinfer.check;

/** The limits of the BPUs of the RDK X3 and X5. */
class HorizonRulesTest extends FamilyContract {

    private static final String CASES = """
            # Convolution
            rdk-x3 | Conv2d 128x16x32x32 8x16x7x7 | ok
            rdk-x3 | Conv2d 129x16x32x32 8x16x7x7 | */batch 129 128
            rdk-x3 | Conv2d 1x16x32x32 8x16x8x7 | conv2d/kernel 8 7
            rdk-x3 | Conv2d 1x4096x8x8 8x4096x1x1 | ok
            rdk-x3 | Conv2d 1x4097x8x8 8x4097x1x1 | conv2d/channels 4097 4096
            rdk-x3 | Conv2d 1x4x8x8 4097x4x1x1 | conv2d/channels 4097 4096
            rdk-x3 | Conv2d 1x2048x8x8 8x2048x2x2 dilation=[2,2] | ok
            rdk-x3 | Conv2d 1x2049x8x8 8x2049x2x2 dilation=[2,2] | conv2d/channels 2049 2048
            rdk-x3 | Conv2d 1x4096x8x8 8x2048x1x1 group=2 | ok
            rdk-x3 | Conv2d 1x4098x8x8 8x2049x1x1 group=2 | conv2d/channels 2049 2048
            rdk-x3 | Conv2d 1x512x8x8 8x512x8x8 | conv2d/kernel 8 7
            rdk-x3 | Conv2d 1x682x8x8 8x682x6x8 | conv2d/kernel 8 7
            rdk-x3 | Conv2d 1x668x8x8 8x668x7x7 | ok
            rdk-x3 | Conv2d 1x669x8x8 8x669x7x7 | conv2d/weights 32781 32768
            rdk-x3 | Conv2d 1x16x32x32 8x16x3x3 dilation=[4,4] strides=[2,4] | ok
            rdk-x3 | Conv2d 1x16x32x32 8x16x3x3 dilation=[4,4] strides=[3,1] | conv2d/dilation-stride 1 0
            rdk-x3 | Conv2d 1x16x32x32 8x16x3x3 dilation=[1,3] | conv2d/dilation-power
            rdk-x3 | Conv2d 1x16x32x32 8x16x3x3 dilation=[1,2] | ok
            rdk-x3 | Conv2d 1x16x32x32 8x16x3x3 dilation=[2,1] | conv2d/dilation-order 2 1
            rdk-x3 | Conv2d 1x16x32x32 8x16x3x3 strides=[17,3] | ok
            rdk-x3 | DepthwiseConv2d 1x2048x8x8 1x2048x3x3 | ok
            rdk-x5 | Conv2d 1x16x32x32 8x16x31x31 | ok
            rdk-x5 | Conv2d 1x16x32x32 8x16x31x32 | conv2d/kernel 32 31
            rdk-x5 | Conv2d 1x8192x8x8 8x8192x1x1 | ok
            rdk-x5 | Conv2d 1x8193x8x8 8x8193x1x1 | conv2d/channels 8193 8192
            rdk-x5 | Conv2d 1x16x8x8 8193x16x1x1 | conv2d/channels 8193 8192; conv2d/filters 8193 8192
            rdk-x5 | Conv2d 1x16384x8x8 16384x8192x1x1 group=2 | conv2d/filters 16384 8192
            rdk-x5 | Conv2d 1x668x8x8 8x668x7x7 | ok
            rdk-x5 | Conv2d 1x32x32x32 8x32x32x32 | conv2d/kernel 32 31; conv2d/weights 32768 32767
            rdk-x5 | Conv2d 1x1x600x600 8x1x3x3 strides=[256,256] | ok
            rdk-x5 | Conv2d 1x1x600x600 8x1x3x3 strides=[1,257] | conv2d/stride 257 256
            rdk-x5 | Conv2d 1x1x64x64 8x1x3x3 dilation=[16,16] | ok
            rdk-x5 | Conv2d 1x1x64x68 8x1x3x3 dilation=[16,17] | conv2d/dilation 17 16
            rdk-x5 | Conv2d 1x1x64x64 8x1x3x3 dilation=[2,2] strides=[2,1] | conv2d/dilated-stride 2 1
            rdk-x5 | Conv2d 1x1x63x64 8x1x3x3 dilation=[2,2] | conv2d/dilated-input 1 0
            rdk-x5 | Conv2d 1x1x64x64 8x1x3x3 padding=[256,256,256,256] | ok
            rdk-x5 | Conv2d 1x1x64x64 8x1x3x3 padding=[256,256,256,257] | conv2d/padding 257 256
            rdk-x5 | Convolution 128x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,2,2] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            rdk-x5 | Convolution 129x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,2,2] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/batch-128 129 128
            rdk-x5 | Convolution 1x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,2] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/stride 1 2
            rdk-x5 | Convolution 1x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,3,3] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/stride 3 2
            rdk-x5 | Convolution 1x4x8x40x8 4x4x3x31x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            rdk-x5 | Convolution 1x4x8x40x8 4x4x3x32x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/kernel 32 31
            rdk-x5 | Convolution 1x1x9000x4x4 1x1x8191x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            rdk-x5 | Convolution 1x1x9000x4x4 1x1x8192x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/kernel-depth 8192 8191
            rdk-x5 | Convolution 1x4097x4x4x4 1x4097x2x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/depth-times-channels 8194 8192
            rdk-x5 | Convolution 1x4x8x8x8 4x2x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] groups=2 \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/group 2 1
            rdk-x5 | Convolution 1x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[2,1,1] | conv3d/dilation 2 1
            rdk-x3 | Convolution 1x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | operators
            rdk-x3 | Convolution 1x4x8 4x4x3 data_format=NCX weights_format=OIX strides=[1] pads_begin=[0] \
            pads_end=[0] dilations=[1] | conv2d/rank-4 3 4
            # Transposed convolution
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x14x2 strides=[2,4] | ok
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x15x2 strides=[2,4] | transposed-conv2d/kernel 15 14
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x1x2 strides=[2,4] | transposed-conv2d/kernel 1 2
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[4,2] | transposed-conv2d/stride-order 4 2
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[1,2] | transposed-conv2d/stride-of-2-or-4
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x5x4 strides=[2,2] padding=[2,2,1,1] | ok
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x5x4 strides=[2,2] padding=[2,2,2,2] | transposed-conv2d/padding 2 1
            rdk-x3 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[2,2] dilation=[1,2] | transposed-conv2d/dilation 2 1
            rdk-x3 | ConvTranspose 1x2048x8x8 2048x16x4x4 strides=[2,2] | ok
            rdk-x3 | ConvTranspose 1x2049x8x8 2049x16x4x4 strides=[2,2] | transposed-conv2d/channels 2049 2048
            rdk-x3 | ConvTranspose 1x16x8 16x16x4 strides=[2] \
            | transposed-conv2d/rank-4 3 4; transposed-conv2d/kernel 1 2; transposed-conv2d/stride-of-2-or-4
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x1x1 strides=[1,2] | transposed-conv2d/kernel-1x1
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x14x1 strides=[14,14] | ok
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x14x1 strides=[15,14] | transposed-conv2d/stride 15 14
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[1,1] | transposed-conv2d/stride-1x1
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x8x8 strides=[4,4] padding=[2,2,2,2] | ok
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x8x8 strides=[4,4] padding=[3,3,2,2] | transposed-conv2d/padding 3 2
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x9x9 strides=[3,3] padding=[2,2,2,2] | ok
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x9x9 strides=[3,3] padding=[3,3,2,2] | transposed-conv2d/padding 3 2
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[3,3] output_padding=[1,1] | ok
            rdk-x5 | ConvTranspose 1x16x8x8 16x16x4x4 strides=[3,3] output_padding=[2,1] \
            | transposed-conv2d/output-padding 2 1
            rdk-x5 | ConvTranspose 128x16x8x8 16x16x4x4 strides=[2,2] | ok
            rdk-x5 | ConvTranspose 129x16x8x8 16x16x4x4 strides=[2,2] | transposed-conv2d/batch-128 129 128
            rdk-x5 | ConvTranspose 1x668x8x8 668x16x14x14 strides=[2,2] | ok
            rdk-x5 | ConvTranspose 1x669x8x8 669x16x14x14 strides=[2,2] | transposed-conv2d/weights 32781 32767
            # Pooling
            rdk-x3 | MaxPool 1x8x300x300 kernel_size=[64,64] strides=[185,185] | ok
            rdk-x3 | MaxPool 1x8x300x300 kernel_size=[65,64] strides=[185,185] | max-pool/kernel 65 64
            rdk-x3 | MaxPool 1x8x300x300 kernel_size=[64,64] strides=[186,185] | max-pool/stride 186 185
            rdk-x3 | MaxPool 1x8x30x30 kernel_size=[3,3] strides=[1,1] dilation=[2,2] | pool/dilation 2 1
            rdk-x3 | AvgPool 1x8x300x300 kernel_size=[7,7] strides=[185,185] | ok
            rdk-x3 | AvgPool 1x8x300x300 kernel_size=[7,8] strides=[185,185] | average-pool/kernel 8 7
            rdk-x3 | AvgPool 1x8x300x300 kernel_size=[7,7] strides=[185,186] | average-pool/stride 186 185
            rdk-x3 | AvgPool 1x8x64x128 is_global=true | ok
            rdk-x3 | AvgPool 1x8x64x129 is_global=true | global-average-pool/area 8256 8192
            rdk-x3 | MaxPool 1x8x1024x1024 is_global=true | ok
            rdk-x3 | MaxPool 1x8x1025x1024 is_global=true | global-max-pool/size 1025 1024
            rdk-x3 | MaxPool 1x8x30 kernel_size=[3] strides=[1] | pool/rank-4 3 4
            rdk-x5 | MaxPool 1x8x300x300 kernel_size=[256,256] strides=[256,256] | ok
            rdk-x5 | MaxPool 1x8x300x300 kernel_size=[257,256] strides=[256,256] | max-pool/kernel 257 256
            rdk-x5 | MaxPool 1x8x300x300 kernel_size=[256,256] strides=[256,257] | max-pool/stride 257 256
            rdk-x5 | MaxPool 1x8x300x300 kernel_size=[3,3] strides=[1,1] padding=[256,256,256,256] | ok
            rdk-x5 | MaxPool 1x8x300x300 kernel_size=[3,3] strides=[1,1] padding=[257,256,256,256] \
            | max-pool/padding 257 256
            rdk-x5 | AvgPool 1x8x300x300 kernel_size=[256,32] strides=[256,256] | ok
            rdk-x5 | AvgPool 1x8x300x300 kernel_size=[256,33] strides=[256,256] | average-pool/kernel-area 8448 8192
            rdk-x5 | AvgPool 1x8x300x300 kernel_size=[1,1] strides=[1,1] | average-pool/kernel-area 1 1
            rdk-x5 | AvgPool 1x8x300x300 kernel_size=[257,3] strides=[1,1] | average-pool/kernel 257 256
            rdk-x5 | AvgPool 1x8x300x300 kernel_size=[3,3] strides=[1,257] | average-pool/stride 257 256
            rdk-x5 | AvgPool 1x8x300x300 kernel_size=[3,3] strides=[1,1] padding=[255,255,255,255] | ok
            rdk-x5 | AvgPool 1x8x300x300 kernel_size=[3,3] strides=[1,1] padding=[255,255,255,256] \
            | average-pool/padding 256 255
            rdk-x5 | MaxPool 1x8x256x256 is_global=true | ok
            rdk-x5 | MaxPool 1x8x256x257 is_global=true | global-max-pool/size 257 256
            rdk-x5 | AvgPool 1x8x9000x9000 is_global=true | ok
            # Products of matrices
            rdk-x3 | InnerProduct 1x16384x1x1 8x16384x1x1 | ok
            rdk-x3 | InnerProduct 1x16385x1x1 8x16385x1x1 | InnerProduct/channels 16385 16384
            rdk-x3 | InnerProduct 1x668x7x7 8x668x7x7 | ok
            rdk-x3 | InnerProduct 1x669x7x7 8x669x7x7 | InnerProduct/weights 32781 32768
            rdk-x3 | InnerProduct 1x4097x1x2 8x4097x1x2 | InnerProduct/channels 4097 4096
            rdk-x3 | InnerProduct 1x2048x8x8 8x2048x8x8 | ok
            rdk-x3 | InnerProduct 1x2049x8x8 8x2049x8x8 | InnerProduct/channels 2049 2048
            rdk-x3 | Gemm 1x16384 16384x8 | ok
            rdk-x3 | Gemm 1x16385 16385x8 | Gemm/channels 16385 16384
            rdk-x5 | InnerProduct 1x8192x1x1 8192x8192x1x1 | ok
            rdk-x5 | InnerProduct 1x8193x1x1 8x8193x1x1 | InnerProduct/channels 8193 8192
            rdk-x5 | InnerProduct 1x8x31x31 8x8x31x31 | ok
            rdk-x5 | InnerProduct 1x8x31x32 8x8x31x32 | InnerProduct/map 32 31
            rdk-x5 | InnerProduct 1x8192x2x2 8x8192x2x2 | InnerProduct/weights 32768 32767
            rdk-x5 | Gemm 1x8192 8192x8192 | ok
            rdk-x5 | Gemm 1x8193 8193x8 | Gemm/channels 8193 8192
            rdk-x5 | Gemm 1x8 8x8193 | fully-connected/outputs 8193 8192
            rdk-x3 | MatMul 2x3x8 8x4=1.0 | ok
            rdk-x3 | MatMul 2x3x8 2x8x4=1.0 | matmul/weights 2 1
            rdk-x3 | MatMul 1x5x3x8 1x1x8x4 | ok
            rdk-x3 | MatMul 1x5x3x8 1x5x8x4 | matmul/computed 5 1
            rdk-x5 | MatMul 4096x3x8192 4096x8192x4 | ok
            rdk-x5 | MatMul 2x3x8193 2x8193x4 | matmul/matrix-size 8193 8192
            rdk-x5 | MatMul 1x4097x3x8 1x4097x8x4 | matmul/batch-size 4097 4096
            rdk-x5 | MatMul 2x3x8 8x4 | matmul/rank 3 2
            rdk-x5 | MatMul 5x6x3x8 5x1x8x4 | ok
            rdk-x5 | MatMul 1x1x3x8 5x6x8x4 | ok
            rdk-x5 | MatMul 5x1x3x8 5x6x8x4 | matmul/broadcast-a
            rdk-x5 | MatMul 5x6x3x8 1x6x8x4 | matmul/broadcast-b
            # Elementwise
            rdk-x3 | Add 1x2048x3x4 1x2048x3x4 | ok
            rdk-x3 | Add 1x2049x3x4 1x2049x3x4 | eltwise-add/channels 2049 2048
            rdk-x3 | Add 1x8x3x4 1x8x1x1 | ok
            rdk-x3 | Add 1x8x3x4 1x1x1x1 | eltwise-add/shapes
            rdk-x3 | Mul 1x8x3x4 1x1x1x1 | ok
            rdk-x3 | Mul 1x8x3x4 1x8x1x1 | ok
            rdk-x3 | Mul 1x8x3x4 1x8x3x1 | eltwise-mul/shapes 3 1
            rdk-x3 | Mul 8x3x4 8x3x4 | eltwise-mul/shapes 3 4
            rdk-x3 | Div 1x8x3x4 1x8x3x4 | ok
            rdk-x3 | Div 1x8x3x4 1x8x1x1=2.0 | eltwise-div/computed
            rdk-x3 | Pow 1x8x3x4 1=2.0 | ok
            rdk-x3 | Pow 1x8x3x4 1x8x1x1=2.0 | eltwise-pow/exponent 8 1
            rdk-x3 | Sub 1x8 1x8 | operators
            rdk-x3 | Sigmoid 1x32x16x16 | ok
            rdk-x3 | Sigmoid 1x33x16x16 | sigmoid/elements 9216 8192
            rdk-x3 | Sigmoid 1x128x8x2 | ok
            rdk-x3 | Sigmoid 1x129x8x8 | sigmoid/elements 8448 8192
            rdk-x3 | Tanh 1x8192x1x1 | ok
            rdk-x3 | Tanh 1x8193x1x1 | tanh/elements 8193 8192
            rdk-x5 | Tanh 1x8193x1x1 | ok
            rdk-x5 | Relu 4096x65536 | ok
            rdk-x5 | Relu 4097x65536 | */batch 4097 4096
            rdk-x5 | Relu 1x65537 | */size 65537 65536
            rdk-x5 | Relu 16384x65536 | */batch 16384 4096
            rdk-x5 | Relu 1x16384x65536 | ok
            rdk-x5 | Relu 1x16385x65536 | */bytes 1073807360 1073741824
            rdk-x5 | Relu 1x1x1x1x1x1x1x1x1x2 | ok
            rdk-x5 | Relu 1x1x1x1x1x1x1x1x1x1x2 | activation/rank 11 10
            rdk-x5 | Sub 1x8 1x8 | ok
            rdk-x5 | Min 1x8 1x8 | operators
            # Movements
            rdk-x3 | Concat 1x1024x3x4 1x1024x3x4 | ok
            rdk-x3 | Concat 1x1024x3x4 1x1025x3x4 | concat/channels 2049 2048
            rdk-x5 | Concat 1x4x3x4 1x4x3x4 axis=3 | ok
            rdk-x5 | Concat 1x4x3x4 1x4x3x4 axis=0 | concat/axis 0 0
            rdk-x5 | Concat 1x4x3 1x4x3 axis=1 | concat/rank-4 3 4
            rdk-x3 | Split 1x4x3x4 axis=1 split=[2,2] | ok
            rdk-x3 | Split 1x4x3x4 axis=1 split=[1,3] | split/parts 3 1
            rdk-x3 | Split 4x1x3x4 axis=0 split=[2,2] | split/axis 0 0
            rdk-x3 | Split 1x4x3 axis=1 split=[2,2] | split/rank-4 3 4
            rdk-x5 | Split 1x4x3 axis=1 split=[2,2] | ok
            rdk-x3 | Reorg 1x16x8x8 scale=2 reversed=true | ok
            rdk-x3 | Reorg 1x16x8x8 scale=4 reversed=true | depth-to-space/block 4 2
            rdk-x5 | Reorg 1x16x8x8 scale=2 reversed=true | ok
            rdk-x5 | Reorg 1x8x8x8 scale=2 reversed=true | depth-to-space/channels 2 0
            rdk-x3 | Resize 1x8x8x8 scales=[1.0,1.0,2.0,4.0] | ok
            rdk-x3 | Resize 1x8x8x8 scales=[1.0,1.0,4.0,2.0] | resize-nearest/scale-order 4.0 2.0
            rdk-x3 | Resize 1x8x8x8 scales=[1.0,1.0,3.0,4.0] | resize-nearest/scale
            rdk-x3 | Resize 1x8x8x8 scales=[1.0,1.0,3.0,3.0] mode=linear | ok
            rdk-x3 | Resize 1x8x8x8 scales=[1.0,2.0,2.0,2.0] | resize/axes
            rdk-x3 | Resize 1x8x8 scales=[1.0,1.0,1.0] | resize/rank-4 3 4; resize/axes
            rdk-x3 | Resize 1x8x8x8 scales=[1.0,1.0,2.0,2.0] coordinate_mode=half_pixel_symmetric | resize/coordinates
            rdk-x3 | Pad 1x8x8x8 pad_with=[0,0,0,0,1,1,1,1] | ok
            rdk-x3 | Pad 1x8x8x8 pad_with=[0,0,1,0,1,1,1,1] | pad/axes
            rdk-x3 | Pad 1x8x8x8 pad_with=[0,0,0,0,1,1,1,1] mode=REFLECT | pad/mode 'REFLECT' 'CONSTANT'
            rdk-x5 | Pad 1x8x8x8 pad_with=[0,0,1,0,1,1,1,1] | ok
            rdk-x3 | Mean 1x8x8x8 axis=[2,3] | ok
            rdk-x3 | Mean 1x8x8x8 axis=[1] | reduce-mean/axes-x3
            rdk-x5 | Mean 1x8x8x8 axis=[2,3] keep_dims=true | ok
            rdk-x5 | Mean 1x8x8x8 axis=[1] keep_dims=true | ok
            rdk-x5 | Mean 1x8x8x8 axis=[1] | reduce-mean/keep-dims
            rdk-x5 | Mean 1x8x8x8 axis=[1,2] keep_dims=true | reduce-mean/axes
            rdk-x5 | ReduceSum 1x8x8x8 axis=[1] | ok
            rdk-x5 | ReduceSum 1x8x8x8 axis=[2,3] | reduce-sum/axes 2 1
            rdk-x5 | ReduceSum 1x1x1x1x1x8 axis=[1] | reduce/rank 6 5
            rdk-x5 | ReduceMax 1x8192 axis=[1] keep_dims=true | ok
            rdk-x5 | ReduceMax 1x8193 axis=[1] keep_dims=true | reduce-max/length 8193 8192
            rdk-x5 | Gather 1x8x8x8 4:int64 axis=1 | ok
            rdk-x5 | Gather 1x8x8x8 4x4:int64 axis=1 | gather/rank 5 4
            rdk-x5 | Expand 1x1x8 shape=[1,4,8] | ok
            rdk-x5 | Expand 1x1x8 shape=[3,4,8] | expand/axes 2 1
            rdk-x3 | Reshape 1x8 shape=[8,1] | operators
            rdk-x5 | Reshape 1x8 shape=[8,1] | ok
            """;

    HorizonRulesTest() {
        super("horizon", CASES);
    }
}
