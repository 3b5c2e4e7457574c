package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The restrictions of CANN's operators on Ascend SoCs. */
class AscendRulesTest extends FamilyContract {

    private static final String CASES = """
            # Convolution
            ascend310    | Conv2d 1x16x32x32:float16 8x16x3x3 | ok
            ascend310    | Conv2d 1x16x32x32:float32 8x16x3x3 | conv2d/data-type-of-soc
            ascend310p3  | Conv2d 1x16x32x32:float32 8x16x3x3 | ok
            ascend310p3  | Conv2d 1x16x32x32:float64 8x16x3x3 | conv2d/data-type
            ascend310p3  | Conv2d 1x16x32x32:int8 8x16x3x3 | conv2d/int8-results 'int8' 'int32'
            ascend035    | Conv2d 1x16x32x32:float16 8x16x3x3 | conv2d/cube-unit 0 0
            ascend035    | DepthwiseConv2d 1x16x32x32:float16 1x16x3x3 | depthwise-conv2d/cube-unit 0 0
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x255x3 | ok
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x256x3 \
            | conv2d/kernel 256 255; conv2d/dilated-kernel 256 256
            ascend310/code     | Conv2d 1x1x300x300:float16 8x1x256x3 | ok
            ascend310/code     | Conv2d ?x1x300x100:float16 8x1x255x3 | ok
            ascend310/code     | Conv2d ?x1x300x100:float16 8x1x256x3 | conv2d/kernel 256 255
            ascend910b1/code   | Conv2d ?x1x600x300:float16 8x1x511x3 | ok
            ascend910b1/code   | Conv2d ?x1x600x300:float16 8x1x512x3 | conv2d/kernel 512 511
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x3x3 strides=[63,63] | ok
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x3x3 strides=[1,64] | conv2d/stride 64 63
            ascend310/code     | Conv2d 1x1x300x300:float16 8x1x3x3 strides=[1,64] | ok
            ascend310/document | Conv2d 1x1x30x30:float16 8x1x3x3 padding=[2,2,2,2] | ok
            ascend310/document | Conv2d 1x1x30x30:float16 8x1x3x3 padding=[2,2,2,3] | conv2d/padding 3 3
            ascend310/code     | Conv2d 1x1x30x30:float16 8x1x3x3 padding=[2,2,2,3] | ok
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x2x2 dilation=[254,1] | ok
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x2x2 dilation=[255,1] | conv2d/dilated-kernel 256 256
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x1x1 dilation=[1,255] | ok
            ascend310/document | Conv2d 1x1x300x300:float16 8x1x1x1 dilation=[1,256] | conv2d/dilation 256 255
            ascend310/document | Conv2d 1x1x4096x4096:float16 1x1x1x1 | ok
            ascend310/document | Conv2d 1x1x4097x4096:float16 1x1x1x1 | conv2d/map-size 4097 4096
            ascend310/document | Conv2d 1x1x4095x4096:float16 1x1x1x2 padding=[0,0,1,1] | conv2d/map-size 4097 4096
            ascend310/document | Conv2d 127x1x4096x4096:float16 1x1x1x1 | ok
            ascend310/document | Conv2d 128x1x4096x4096:float16 1x1x1x1 | conv2d/elements 2147483648 2147483648
            ascend310          | Conv2d 1x65535x4x4:float16 65535x1x3x3 group=65535 | ok
            ascend310          | Conv2d 1x65536x4x4:float16 65536x1x3x3 group=65536 \
            | depthwise-conv2d/group 65536 65535
            ascend310/code     | Conv2d ?x16x32x4096:float16 8x16x7x7 padding=[3,3,3,3] | ok
            hi3796cv300es/code | Conv2d ?x16x32x4096:float16 8x16x7x7 padding=[3,3,3,3] | conv2d/l1-size 1048576 524288
            ascend310/code     | Conv2d ?x16x32x4096:float16 8x16x8x8 padding=[4,4,4,4] | conv2d/l1-size 1179648 1048576
            ascend310/code     | Conv2d 1x16x32x4096:float16 8x16x8x8 padding=[4,4,4,4] | ok
            ascend910b1/code   | Conv2d ?x16x256x256:float16 8x16x120x120 | ok
            ascend910b1/code   | Conv2d ?x16x256x256:float16 8x16x121x121 | conv2d/l1-size 526592 524288
            ascend310/code     | Conv2d ?x16x1x40000:float16 8x16x1x3 strides=[1,2184] | ok
            ascend310/code     | Conv2d ?x16x1x40000:float16 8x16x1x3 strides=[1,2185] | conv2d/l1-size 1048896 1048576
            ascend310/code     | Conv2d 1x16x32x?:float16 8x16x3x3 | ?conv2d/l1-size
            ascend910b1/code   | Conv2d 1x16x?x32:float16 8x16x3x3 | ok
            # Convolution in three dimensions
            ascend310 \
            | Convolution 1x4x4x300x8:float16 4x4x1x255x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            ascend310 \
            | Convolution 1x4x4x300x8:float16 4x4x1x256x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/kernel 256 255
            ascend310/code \
            | Convolution 1x4x300x8x8:float16 4x4x256x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/kernel 256 255
            ascend910b1/document \
            | Convolution 1x4x4x600x8:float16 4x4x1x511x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            ascend910b1/document \
            | Convolution 1x4x4x600x8:float16 4x4x1x512x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/kernel 512 511
            ascend310 \
            | Convolution 1x4x4x300x300:float16 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,63,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            ascend310 \
            | Convolution 1x4x4x300x300:float16 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,64,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/stride 64 63
            ascend310/document \
            | Convolution 1x4x4x8x8:float16 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,255,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            ascend310/document \
            | Convolution 1x4x4x8x8:float16 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,256,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/padding 256 255
            ascend310/code \
            | Convolution 1x4x4x8x8:float16 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,4,0] pads_end=[0,0,0] dilations=[1,2,1] | ok
            ascend310/code \
            | Convolution 1x4x4x8x8:float16 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,5,0] pads_end=[0,0,0] dilations=[1,2,1] | conv3d/padding-to-kernel 5 5
            ascend310/document \
            | Convolution 1x4x4x8x8:float16 4x4x1x1x1 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,255] | ok
            ascend310/document \
            | Convolution 1x4x4x8x8:float16 4x4x1x1x1 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,256] | conv3d/dilation 256 255
            ascend310/code \
            | Convolution 1x4x4x8x3:float16 4x4x1x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/output-of-one-column 1 2
            ascend310/code \
            | Convolution 1x4x4x3x3:float16 4x4x1x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | ok
            ascend310 \
            | Convolution 1x65536x1x1x1:float16 65536x1x1x1x1 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] groups=65536 | depthwise-conv3d/group 65536 65535
            ascend310          | ConvTranspose 1x4x4x8x8:float16 4x4x1x15x17 \
            | ok
            ascend310          | ConvTranspose 1x4x4x8x8:float16 4x4x1x16x16 \
            | transposed-conv3d/kernel-plane 256 256
            ascend310          | ConvTranspose 1x4x4x8x8:float16 4x4x7x7x7 \
            | transposed-conv3d/kernel 343 343
            ascend310          | ConvTranspose 1x4x4x8x8:float16 4x4x6x7x8 \
            | ok
            ascend310          | ConvTranspose 1x4x4x8x8:float16 4x4x1x1x1 strides=[1,15,17] \
            | ok
            ascend310          | ConvTranspose 1x4x4x8x8:float16 4x4x1x1x1 strides=[1,16,16] \
            | transposed-conv3d/stride-plane 256 256
            ascend310          | ConvTranspose 1x4x4x8x8:float16 4x4x1x1x1 strides=[7,7,7] \
            | transposed-conv3d/stride 343 343
            ascend310          | ConvTranspose 1x4x4x8x585:float16 4x4x1x3x3 strides=[1,1,7] \
            | ok
            ascend310          | ConvTranspose 1x4x4x8x1024:float16 4x4x1x3x3 strides=[1,1,4] \
            | transposed-conv3d/expanded-input 4096 4096
            ascend035          | ConvTranspose 1x4x4x8x8:float16 4x4x3x3x3 \
            | transposed-conv3d/cube-unit 0 0
            # Pooling
            ascend310/document | MaxPool 1x8x300x32:float16 kernel_size=[255,1] strides=[1,1] | ok
            ascend310/document | MaxPool 1x8x300x32:float16 kernel_size=[256,1] strides=[1,1] \
            | pool/kernel 256 255; max-pool/kernel-area 256 255
            ascend310/code     | MaxPool 1x8x300x32:float16 kernel_size=[20,20] strides=[1,1] | ok
            ascend310/code     | MaxPool 1x8x300x32:float16 kernel_size=[21,20] strides=[1,1] \
            | max-pool/kernel-area 21 20
            ascend310/document | MaxPool 1x8x300x32:float16 kernel_size=[20,20] strides=[1,1] \
            | max-pool/kernel-area 400 255
            ascend310/document | MaxPool 1x8x300x32:float16 kernel_size=[32,1] strides=[63,1] | ok
            ascend310/document | MaxPool 1x8x300x32:float16 kernel_size=[32,1] strides=[64,1] | pool/stride 64 63
            ascend310/document | MaxPool 1x8x300x32:float16 kernel_size=[3,3] strides=[6,6] | ok
            ascend310/document | MaxPool 1x8x300x32:float16 kernel_size=[3,3] strides=[6,7] | pool/stride-to-kernel 7 6
            ascend310          | MaxPool 1x8x30x32:float16 kernel_size=[3,3] strides=[1,1] padding=[2,2,2,2] | ok
            ascend310          | MaxPool 1x8x30x32:float16 kernel_size=[3,3] strides=[1,1] padding=[3,2,2,2] \
            | pool/padding 3 3
            ascend310          | MaxPool 1x8x30x32:float16 kernel_size=[3,3] strides=[1,1] dilation=[2,1] \
            | pool/dilation 2 1
            ascend310/document | AvgPool 1x8x9x955:float16 kernel_size=[3,3] strides=[1,1] | ok
            ascend310/document | AvgPool 1x8x9x956:float16 kernel_size=[3,3] strides=[1,1] \
            | average-pool/window-row 32792 32768
            ascend310/document | AvgPool 1x8x9x499:float16 kernel_size=[3,3] strides=[2,2] | ok
            ascend310/document | AvgPool 1x8x9x500:float16 kernel_size=[3,3] strides=[2,2] \
            | average-pool/window-row 32788 32768
            ascend310/document | AvgPool 1x8x9x510:float16 kernel_size=[2,2] strides=[2,2] | ok
            ascend310/document | AvgPool 1x8x9x511:float16 kernel_size=[2,2] strides=[2,2] \
            | average-pool/window-row 32832 32768
            ascend310/document | AvgPool 1x8x9x821:float16 kernel_size=[7,7] strides=[1,1] | ok
            ascend310/document | AvgPool 1x8x9x822:float16 kernel_size=[7,7] strides=[1,1] \
            | average-pool/window-row 32804 32768
            ascend310/code     | AvgPool 1x8x9x956:float16 kernel_size=[3,3] strides=[1,1] | ok
            ascend310/code     | AvgPool 1x8x16x17:float16 kernel_size=[16,16] strides=[2,2] \
            | average-pool/output-of-1x1 16 17
            ascend310/code     | AvgPool 1x8x16x16:float16 kernel_size=[16,16] strides=[2,2] | ok
            ascend310/code     | AvgPool 1x8x16x16:float16 kernel_size=[15,15] strides=[2,2] | ok
            ascend310/code     | AvgPool 1x8x300x300:float16 kernel_size=[3,3] strides=[64,64] | ok
            ascend310/code     | AvgPool 1x8x300x300:float16 kernel_size=[3,3] strides=[65,64] \
            | average-pool/stride 65 64
            ascend310/code     | AvgPool 1x8x30x13:float16 kernel_size=[20,13] strides=[1,1] | ok
            ascend310/code     | AvgPool 1x8x30x13:float16 kernel_size=[21,13] strides=[1,1] \
            | average-pool/output-of-one-column 21 20
            ascend310/code     | AvgPool 1x8x1x100000:float16 kernel_size=[1,3] strides=[1,1] | ok
            ascend310/code     | AvgPool 1x8x1x100001:float16 kernel_size=[1,3] strides=[1,1] \
            | average-pool/row-width 100001 100000
            ascend310          | AvgPool 1x8x300x9x9:float16 kernel_size=[255,3,3] strides=[1,1,1] | ok
            ascend310          | AvgPool 1x8x300x9x9:float16 kernel_size=[256,3,3] strides=[1,1,1] \
            | average-pool3d/kernel 256 255
            ascend310          | AvgPool 1x8x300x9x9:float16 kernel_size=[3,3,3] strides=[64,1,1] \
            | average-pool3d/stride 64 63
            ascend310          | MaxPool 1x8x9x9x9:float16 kernel_size=[3,3,3] strides=[1,1,1] | ?operators
            ascend310/document | MaxPool 1x8x4096x4096:float16 is_global=true | ok
            ascend310/document | MaxPool 1x8x4097x4096:float16 is_global=true | global-pool/map-size 4097 4096
            # The others
            ascend310/document | InnerProduct 1x8x4x4:float16 32768x8x4x4 | ok
            ascend310/document | InnerProduct 1x8x4x4:float16 32769x8x4x4 | fully-connected/outputs 32769 32768
            ascend310/document | InnerProduct 1x1x1x4097:float16 8x1x1x4097 | fully-connected/map-size 4097 4096
            ascend310/document | Relu 1x2x3x4096 | ok
            ascend310/document | Relu 1x2x3x4097 | activation/map-size 4097 4096
            ascend310/document | Relu 1x2x4097 | ok
            ascend310/code     | Relu 1x2x3x4097 | ok
            ascend310          | Relu 1x2x3x4:float64 | relu/data-type
            ascend310          | Softplus 1x1x1x1x1x1x1x2 | ok
            ascend310          | Softplus 1x1x1x1x1x1x1x1x2 | softplus/rank 9 8
            ascend310/document | Lrn 1x2x3x4 size=255 | ok
            ascend310/document | Lrn 1x2x3x4 size=257 | lrn/size 257 255
            ascend310          | Lrn 1x2x3x4 size=4 | lrn/odd-size 0 1
            ascend310/code     | Lrn 1x2x3x4 size=97 | ok
            ascend310/code     | Lrn 1x2x3x4 size=99 | lrn/radius 49 48
            ascend310          | Lrn 1x2x3 size=5 | lrn/rank 3 4
            ascend310/document | Softmax 1x4096x3x4 | ok
            ascend310/document | Softmax 1x4097x3x4 | softmax/channels 4097 4096
            ascend310/code     | Softmax 1x4097x3x4 | ok
            ascend310/document | Softmax 1x30000 | ok
            hi3796cv300cs/document | Softmax 1x16384 | ok
            hi3796cv300cs/document | Softmax 1x16385 | softmax/vector 16385 16384
            hi3796cv300es/document | Softmax 1x24576 | ok
            hi3796cv300es/document | Softmax 1x24577 | softmax/vector 24577 24576
            ascend310          | LogSoftmax 1x8 | ?operators
            ascend310/document | Concat 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 | ok
            ascend310/document | Concat 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 \
            | concat/inputs 17 16
            ascend310          | Add 1x2x3x4 1x2x3x4 | ok
            ascend310          | Add 1x2x3x4 1x2x1x1 | eltwise/broadcast
            ascend310          | Add 1x2:int32 1x2 | eltwise/data-type
            ascend310          | Add 1x1x1x1x1x1x1x1x2 1x1x1x1x1x1x1x1x2 | eltwise/rank 9 8
            ascend310          | Sum 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 | ok
            ascend310          | Sum 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \
            | eltwise/inputs 33 32
            ascend310          | Sub 1x2 1x2 | ?operators
            ascend310/document | Mean 1x2x3x4:float16 axis=[2,3] | ok
            ascend310/document | Mean 1x2x3x4:float32 axis=[2,3] | reduce/data-type 'float32' 'float16'
            ascend310/code     | Mean 1x2x3x4:float32 axis=[2,3] | ok
            ascend310          | Resize 1x2x1024x64 scales=[1.0,1.0,2.0,2.0] mode=linear | ok
            ascend310          | Resize 1x2x1025x64 scales=[1.0,1.0,2.0,2.0] mode=linear \
            | resize-bilinear/map-size 2050 2048
            ascend310          | Resize 1x2x64x64 scales=[1.0,2.0,2.0,2.0] mode=linear | resize/axes 2.0 1.0
            ascend310          | Resize 1x2x3840x64 scales=[1.0,1.0,2.0,2.0] | ok
            ascend310          | Resize 1x2x3841x64 scales=[1.0,1.0,2.0,2.0] | resize-nearest/height 7682 7680
            ascend310          | Resize 1x2x64x2160 scales=[1.0,1.0,2.0,2.0] | ok
            ascend310          | Resize 1x2x64x2161 scales=[1.0,1.0,2.0,2.0] | resize-nearest/width 4322 4320
            ascend310/code     | Resize ?x2x64x1024 scales=[1.0,1.0,2.0,2.0] | ok
            ascend310/code     | Resize ?x2x64x1025 scales=[1.0,1.0,2.0,2.0] | resize-nearest/map-size 2050 2048
            ascend310          | Reorg 1x8x4x4 scale=2 reversed=true | ok
            ascend310          | Reorg 1x8x4x4 scale=1 reversed=true | depth-to-space/block 1 2
            ascend310          | MatMul 4x8 8x4 | ?operators
            # Deconvolution: both sides of every number, with what decides between the readings
            ascend310          | Deconvolution 1x16x8x8:float16 16x16x4x4 stride=[2] pad=[1] | ok
            ascend310          | Deconvolution 1x16x8x8:float32 16x16x4x4 stride=[2] pad=[1] \
            | transposed-conv2d/data-type
            ascend310          | Deconvolution 1x16x8x8:int8 16x16x4x4 stride=[2] pad=[1] | ok
            ascend310          | Conv2dTranspose 1x16x8x8:int8 16x16x4x4 strides=[2,2] \
            | transposed-conv2d/int8-results 'int8' 'int32'
            ascend310          | Conv2dTranspose 1x16x8x8:float16 16x16x4x4 strides=[2,2] | ok
            ascend310          | Deconvolution 1x65536x4x4:float16 65536x1x3x3 group=65536 \
            | depthwise-transposed-conv2d/group 65536 65535
            ascend310          | Deconvolution 1x65535x4x4:float16 65535x1x3x3 group=65535 | ok
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x4x4 stride=[15,17] | ok
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x4x4 stride=[16,16] \
            | transposed-conv2d/stride-product 256 256
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x4x4 stride=[63,1] | ok
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x4x4 stride=[64,1] \
            | transposed-conv2d/stride-h 64 63
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x4x4 stride=[1,63] | ok
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x4x4 stride=[1,64] \
            | transposed-conv2d/stride-w 64 63
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x1x1 dilation=[255] | ok
            ascend310          | Deconvolution 1x16x20x20:float16 16x16x1x1 dilation=[255,256] \
            | transposed-conv2d/dilation 256 255
            ascend310/document | Deconvolution 1x16x255x4:float16 16x16x2x1 dilation=[254,1] | ok
            ascend310/document | Deconvolution 1x16x256x4:float16 16x16x2x1 dilation=[255,1] \
            | transposed-conv2d/dilated-kernel 256 256
            ascend310/document | Deconvolution 1x1x300x8:float16 1x1x255x1 | ok
            ascend310/document | Deconvolution 1x1x300x8:float16 1x1x256x1 \
            | transposed-conv2d/dilated-kernel 256 256; transposed-conv2d/kernel 256 255
            ascend310/document | Deconvolution 1x1x11x11:float16 1x1x11x11 pad=[10] | ok
            ascend310/document | Deconvolution 1x1x12x12:float16 1x1x12x12 pad=[11] \
            | transposed-conv2d/output-of-1x1 12 11
            ascend310/code     | Deconvolution 1x1x12x12:float16 1x1x12x12 pad=[11] | transposed-conv2d/output-size 1 2
            ascend310/document | Deconvolution 1x1x9x3:float16 1x1x3x3 pad=[0,2] \
            | transposed-conv2d/output-of-one-column 1 1
            ascend310p3/code   | Deconvolution 1x1x9x3:float16 1x1x3x3 pad=[0,2] \
            | transposed-conv2d/output-of-one-column 1 1; transposed-conv2d/output-size 1 2
            ascend310p3/code   | Deconvolution 1x1x9x1:float16 1x1x3x1 | ok
            ascend310/document | Deconvolution 1x1x8x8:float16 1x1x3x3 pad=[2] | ok
            ascend310/document | Deconvolution 1x1x8x8:float16 1x1x3x3 pad=[3,2] | transposed-conv2d/padding 3 3
            ascend310/document | Deconvolution 1x1x8x8:float16 1x1x3x3 pad=[2,3] | transposed-conv2d/padding 3 3
            ascend310/code     | Deconvolution 1x1x8x8:float16 1x1x3x3 pad=[4] dilation=[2] | ok
            ascend310/code     | Deconvolution 1x1x9x9:float16 1x1x3x3 pad=[5] dilation=[2] \
            | transposed-conv2d/padding 5 5
            ascend310/document | Deconvolution 1x1x2x2:float16 1x1x4x4 pad=[1] | transposed-conv2d/input 2 4
            ascend310/document | Deconvolution 1x1x2x2:float16 1x1x5x5 pad=[1] \
            | transposed-conv2d/padded-input 4 5; transposed-conv2d/input 2 5
            ascend310/document | Deconvolution 1x1x4x4:float16 1x1x4x4 | ok
            ascend310/document | Deconvolution 1x1x1x8:float16 1x1x1x3 stride=[2,1] | ok
            ascend310/document | Deconvolution 1x1x1x8:float16 1x1x1x3 dilation=[2,1] \
            | transposed-conv2d/expanded-height 1 2
            ascend910a/document | Deconvolution 1x1x1x8:float16 1x1x1x3 dilation=[2,1] pad=[0,1] \
            | transposed-conv2d/expanded-height 1 2
            ascend310/document | Deconvolution 1x1x2048x8:float16 1x1x1x3 stride=[2,1] | ok
            ascend310/document | Deconvolution 1x1x2049x8:float16 1x1x1x3 stride=[2,1] \
            | transposed-conv2d/expanded-height 4098 4096; transposed-conv2d/output-size 4097 4096
            ascend310/document | Deconvolution 1x1x8x1:float16 1x1x3x1 | transposed-conv2d/output-of-one-column 1 1; \
            transposed-conv2d/expanded-width 1 2
            ascend310/document | Deconvolution 1x1x8x4096:float16 1x1x3x1 | ok
            ascend310/document | Deconvolution 1x1x8x4097:float16 1x1x3x1 \
            | transposed-conv2d/expanded-width 4097 4096; transposed-conv2d/output-size 4097 4096
            ascend310/code     | Deconvolution 1x1x1x1:float16 1x1x11x11 | ok
            ascend310/code     | Deconvolution 1x1x1x1:float16 1x1x12x12 \
            | transposed-conv2d/expanded-height 1 2; transposed-conv2d/expanded-width 1 2
            ascend310/code     | Deconvolution 1x1x4x1:float16 1x1x3x3 | ok
            ascend910a/code    | Deconvolution 1x1x4x1:float16 1x1x3x3 | transposed-conv2d/expanded-width 1 2
            ascend910a/code    | Deconvolution 1x1x1x4:float16 1x1x3x3 | ok
            ascend310/document | Deconvolution 1x1x8x512:float16 1x1x1x1 stride=[2,4] | ok
            ascend310/document | Deconvolution 1x1x8x513:float16 1x1x1x1 stride=[2,4] \
            | transposed-conv2d/expanded-width-1x1 4104 4096
            ascend310/code     | Deconvolution 1x1x8x513:float16 1x1x1x1 stride=[2,4] \
            | transposed-conv2d/expanded-width-1x1 4104 4096
            ascend310/code     | Deconvolution 1x1x8x512:float16 1x1x1x1 stride=[2,4] | ok
            ascend310/document | Deconvolution 1x1x8x2032:float16 1x1x1x1 stride=[1,2] | ok
            ascend310/document | Deconvolution 1x1x8x2033:float16 1x1x1x1 stride=[1,2] \
            | transposed-conv2d/strided-width-1x1 2033 2032
            ascend310/code     | Deconvolution 1x1x8x2033:float16 1x1x1x1 stride=[1,2] | ok
            ascend310          | Deconvolution 1x1x1x1000000:float16 1x1x1x3 | ok
            ascend310/code     | Deconvolution 1x1x2040x8:float16 1x1x1x3 stride=[2,1] | ok
            ascend310/code     | Deconvolution 1x1x8x2049:float16 1x1x3x3 stride=[1,2] \
            | transposed-conv2d/expanded-width 4098 4096; transposed-conv2d/output-size 4099 4096
            # The map of 128 x 2048 has 4096 columns of output
            ascend310          | Deconvolution 1x16x64x64:float16 16x16x4x4 stride=[2] pad=[1] | ok
            ascend310          | Deconvolution 1x16x128x2048:float16 16x16x4x4 stride=[2] pad=[1] | ok
            ascend910b1        | Deconvolution 1x16x128x2048:float16 16x16x4x4 stride=[2] pad=[1] \
            | transposed-conv2d/l1-size 663552 524288
            ascend310          | Deconvolution 1x16x64x512:float16 16x16x16x16 stride=[8] pad=[4] \
            | transposed-conv2d/l1-size 2359296 1048576
            ascend910b1        | Deconvolution 1x16x64x512:float16 16x16x16x16 stride=[8] pad=[4] \
            | transposed-conv2d/l1-size 2359296 524288
            ascend035          | Deconvolution 1x16x4x4:float16 16x16x4x4 stride=[2] pad=[1] \
            | transposed-conv2d/l1-size 9472 0
            ascend035          | Deconvolution 1x16x3x3:float16 16x16x3x3 stride=[2] pad=[1] \
            | transposed-conv2d/l1-size 5952 0
            """;

    AscendRulesTest() {
        super("ascend", CASES);
    }

    @TempDir
    private Path folder;

    /** The unit is told by a key that files of SoCs without it do not have. */
    @Test
    void aVendorsFileWithoutTheKeyOfTheFixPipeUnitIsDecided() throws IOException {
        SingleOperator conv = SingleOperator.of("Conv2d ?x16x600x64:float16 8x16x300x3");
        assertThat(SingleOperator.written(conv.judge(vendorFile(""), Reading.CODE)))
                .isEqualTo("conv2d/kernel 300 255");
        assertThat(conv.judge(vendorFile("support_fixpipe=1\n"), Reading.CODE)).isEmpty();
    }

    private DeviceProfile vendorFile(String lines) throws IOException {
        Path file = folder.resolve("Own.ini");
        Files.writeString(file, """
                # [Platform Info configuration begin]
                [version]
                SoC_version=Own
                Short_SoC_version=Own
                [AICoreSpec]
                l1_size=1048576
                """ + lines);
        return ProfileCatalog.builtIn().find(file.toString());
    }
}
