package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clinfer.profile.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The limits of AMD's DPUs, each from both sides. */
class DpuRulesTest {

    private static final List<RuleCases.Case> CASES = RuleCases.table("""
        # The weight bank: kernel_w * kernel_h * ceil(input_channel / channel_parallel) <= bank_depth
        dpuczdx8g-b4096 | Conv2d x=1x128x16x16 weights=8x128x16x16 |
        dpuczdx8g-b4096 | Conv2d x=1x129x16x16 weights=8x129x16x16 | conv2d/weight-bank 2304 2048
        dpucahx8h | Conv2d x=1x128x16x16 weights=8x128x16x16 |
        dpucahx8h | Conv2d x=1x129x16x16 weights=8x129x16x16 | conv2d/weight-bank 2304 2048
        dpuczdx8g-b4096 | Conv2d x=1x3632x8x8 weights=8x3632x3x3 |
        dpuczdx8g-b4096 | Conv2d x=1x3648x8x8 weights=8x3648x3x3 | conv2d/weight-bank 2052 2048
        dpuczdx8g-b4096 | Conv2d x=1x1296x8x8 weights=8x1296x5x5 |
        dpuczdx8g-b4096 | Conv2d x=1x1312x8x8 weights=8x1312x5x5 | conv2d/weight-bank 2050 2048
        dpuczdx8g-b4096 | Conv2d x=1x656x8x8 weights=8x656x7x7 |
        dpuczdx8g-b4096 | Conv2d x=1x672x8x8 weights=8x672x7x7 | conv2d/weight-bank 2058 2048
        dpucvdx8h-f2w2-8pe | Conv2d x=1x4096x8x8 weights=8x4096x2x2 |
        dpucvdx8h-f2w2-8pe | Conv2d x=1x4097x8x8 weights=8x4097x2x2 | conv2d/weight-bank 260 256
        dpucahx8l | Conv2d x=1x512x16x16 weights=8x512x16x16 |
        dpucahx8l | Conv2d x=1x513x16x16 weights=8x513x16x16 | conv2d/weight-bank 4352 4096
        dpucadf8h | Conv2d x=1x512x16x16 weights=8x512x16x16 |
        dpucadf8h | Conv2d x=1x513x16x16 weights=8x513x16x16 | conv2d/weight-bank 8448 8192
        dpuczdx8g-b512 | Conv2d x=1x1816x8x8 weights=8x1816x3x3 |
        dpuczdx8g-b512 | Conv2d x=1x1824x8x8 weights=8x1824x3x3 | conv2d/weight-bank 2052 2048
        dpucv2dx8g-c20b1 | Conv2d x=1x4096x8x8 weights=8x4096x7x7 |
        dpucv2dx8g-c20b1 | Conv2d x=1x8192x8x8 weights=8x8192x7x7 | conv2d/weight-bank 100356 65528
        dpucv2dx8g-c20b1 | Conv2d x=1x512x16x16 weights=8x512x16x16 | conv2d/kernel-words 65536 13760
        dpucv2dx8g-c20b1 | Conv2d x=1x8x16x16 weights=8x8x4x13 |
        dpucv2dx8g-c20b1 | Conv2d x=1x8x16x16 weights=8x8x6x9 | conv2d/kernel-words 13824 13760
        dpucvdx8g-isa1-c32b3 | Conv2d x=1x4096x8x8 weights=8x4096x8x8 |
        dpucvdx8g-isa1-c32b3 | Conv2d x=1x4096x8x9 weights=8x4096x8x9 | \
        conv2d/kernel-area 72 64, conv2d/weight-bank 18432 16384
        dpucvdx8g-c32b3 | Conv2d x=1x2048x8x8 weights=8x2048x8x8 |
        dpucvdx8g-c32b3 | Conv2d x=1x2049x8x8 weights=8x2049x8x8 | \
        conv2d/kernel-area 128 64, conv2d/weight-bank 8256 8192
        dpucvdx8g-c64b5 | Conv2d x=1x4096x8x8 weights=8x4096x5x5 |
        dpucvdx8g-c64b5 | Conv2d x=1x4096x8x8 weights=8x4096x6x6 | \
        conv2d/kernel-area 72 64, conv2d/weight-bank 9216 8192

        # With as many steps as the output channels need, and the banks of the target factory
        code dpucvdx8g-c32b3 | Conv2d x=1x1024x8x8 weights=8x1024x8x8 |
        code dpucvdx8g-c32b3 | Conv2d x=1x1040x8x8 weights=8x1040x8x8 | conv2d/weight-bank-width 8320 8192
        code dpucvdx8g-c64b3 | Conv2d x=1x528x8x8 weights=8x528x8x8 | conv2d/weight-bank-width 8448 8192
        code dpucvdx8h-f2w4-4pe | Conv2d x=1x128x16x16 weights=8x128x16x16 |
        code dpucvdx8h-f2w4-4pe | Conv2d x=1x129x16x16 weights=8x129x16x16 | conv2d/weight-bank-width 768 512
        dpucvdx8h-f2w4-4pe | Conv2d x=1x512x16x16 weights=8x512x16x16 |
        dpucvdx8h-f2w4-4pe | Conv2d x=1x513x16x16 weights=8x513x16x16 | conv2d/weight-bank 2304 2048
        code dpucvdx8g-c32b3 | ConvTranspose x=1x16x4x4 weights=16x8x64x64 strides=[32,32] | \
        transposed-conv2d/stride 32 16
        code dpucvdx8g-c32b3 | ConvTranspose x=1x17x4x4 weights=17x8x64x64 strides=[16,16] | \
        transposed-conv2d/weight-bank-width 16384 8192

        # Convolution
        dpuczdx8g-b4096 | Conv2d x=1x16x8x8 weights=16x8x3x3 group=2 | conv2d/group 2 1
        dpuczdx8g-b4096 | Conv2d x=1x8x32x32 weights=8x8x16x16 |
        dpuczdx8g-b4096 | Conv2d x=1x8x32x32 weights=8x8x17x3 | conv2d/kernel 17 16
        dpuczdx8g-b4096 | Conv2d x=1x8x32x32 weights=8x8x3x17 | conv2d/kernel 17 16
        dpuczdx8g-b4096 | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[8,8] |
        dpuczdx8g-b4096 | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[9,8] | conv2d/stride 9 8
        dpucahx8l | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[4,4] |
        dpucahx8l | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[4,5] | conv2d/stride 5 4
        dpucahx8h-dwc | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[5,4] | conv2d/stride 5 4
        dpucadf8h | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[8,8] |
        dpucvdx8h-f2w4-4pe | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[5,4] | conv2d/stride 5 4
        dpucv2dx8g-c20b14 | Conv2d x=1x8x32x32 weights=8x8x3x3 strides=[9,8] | conv2d/stride 9 8
        dpucahx8l | Conv2d x=1x8x7x7 weights=8x8x7x7 strides=[5,5] | conv2d/stride 5 4
        code dpucahx8l | Conv2d x=1x8x7x7 weights=8x8x7x7 strides=[5,5] |
        code dpucahx8l | Conv2d x=1x8x8x7 weights=8x8x7x7 strides=[5,5] | conv2d/stride 5 4
        dpuczdx8g-b4096 | Conv2d x=1x682x16x16 weights=8x682x2x2 dilation=[6,6] |
        dpuczdx8g-b4096 | Conv2d x=1x683x16x16 weights=8x683x2x2 dilation=[1,6] | conv2d/dilation 4098 4096
        dpucadf8h | Conv2d x=1x8x16x16 weights=8x8x3x3 dilation=[2,2] |
        dpucadf8h | Conv2d x=1x8x16x16 weights=8x8x3x3 dilation=[2,2] strides=[2,2] | conv2d/dilated-stride 2 1
        dpuczdx8g-b4096 | Conv2d x=1x8x16x16 weights=8x8x3x3 dilation=[2,2] strides=[2,2] |
        code dpuczdx8g-b4096 | Conv2d x=1x8x16x16 weights=8x8x3x3 dilation=[2,2] strides=[2,2] | \
        conv2d/dilated-stride 2 1
        dpuczdx8g-b4096 | Conv2d x=1x4096x8x8 weights=4096x4096x1x1 |
        dpuczdx8g-b4096 | Conv2d x=1x4097x8x8 weights=4096x4097x1x1 | conv2d/input-channel 4097 4096
        dpuczdx8g-b4096 | Conv2d x=1x4096x8x8 weights=4097x4096x1x1 | conv2d/output-channel 4097 4096
        dpuczdx8g-b4096 | Conv2d x=1x8x8x8 weights=8x8x3x3 padding=[2,2,2,2] |
        dpuczdx8g-b4096 | Conv2d x=1x8x8x8 weights=8x8x3x3 padding=[3,0,0,0] | conv2d/pad-h 3 2
        dpuczdx8g-b4096 | Conv2d x=1x8x8x8 weights=8x8x3x3 padding=[0,0,0,3] | conv2d/pad-w 3 2
        code dpuczdx8g-b4096 | Conv2d x=1x8x8x8 weights=8x8x3x3 padding=[3,3,3,3] |
        code dpuczdx8g-b4096 | Conv2d x=1x8x8x8 weights=8x8x3x3 padding=[0,4,4,0] | \
        conv2d/pad-w 4 3, conv2d/pad-h 4 3
        dpuczdx8g-b4096 | FusedConv x=1x8x8x8 weights=8x8x3x3 activation=HARD_SWISH |
        dpucahx8h | FusedConv x=1x8x8x8 weights=8x8x3x3 activation=HARD_SWISH | conv2d/activation
        dpuczdx8g-b4096 | FusedConv x=1x8x8x8 weights=8x8x3x3 activation=LEAKY_RELU alpha=0.1015625 |
        dpuczdx8g-b4096 | FusedConv x=1x8x8x8 weights=8x8x3x3 activation=LEAKY_RELU alpha=0.1 | \
        conv2d/slope 0.1 0.1015625

        # Depthwise convolution
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x8x300x32 weights=1x8x256x8 |
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x8x300x32 weights=1x8x257x7 | depthwise-conv2d/kernel 257 256
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x8x300x32 weights=1x8x256x9 | depthwise-conv2d/weight-bank 2304 2048
        dpucahx8l | DepthwiseConv2d x=1x8x16x16 weights=1x8x3x3 strides=[2,2] |
        dpucahx8l | DepthwiseConv2d x=1x8x16x16 weights=1x8x2x3 | depthwise-conv2d/kernel 2 3
        dpucahx8l | DepthwiseConv2d x=1x8x16x16 weights=1x8x3x4 | depthwise-conv2d/kernel 4 3
        dpucahx8l | DepthwiseConv2d x=1x8x16x16 weights=1x8x3x3 strides=[3,2] | depthwise-conv2d/stride 3 2
        dpucahx8l | DepthwiseConv2d x=1x8x3x3 weights=1x8x3x3 strides=[3,3] | depthwise-conv2d/stride 3 2
        code dpucahx8l | DepthwiseConv2d x=1x8x3x3 weights=1x8x3x3 strides=[3,3] |
        code dpucahx8l | DepthwiseConv2d x=1x8x3x4 weights=1x8x3x3 strides=[3,3] | depthwise-conv2d/stride 3 2
        dpucahx8h-dwc | DepthwiseConv2d x=1x8x16x16 weights=1x8x7x5 |
        dpucahx8h-dwc | DepthwiseConv2d x=1x8x16x16 weights=1x8x6x5 | depthwise-conv2d/kernel-size
        dpucahx8h-dwc | DepthwiseConv2d x=1x8x16x16 weights=1x8x8x5 | depthwise-conv2d/kernel 8 7
        dpucahx8h-dwc | DepthwiseConv2d x=1x8x16x16 weights=1x8x3x3 strides=[4,3] |
        dpucahx8h-dwc | DepthwiseConv2d x=1x8x16x16 weights=1x8x3x3 strides=[3,4] | \
        depthwise-conv2d/stride-in-kernel 4 3
        dpucvdx8h-f2w4-4pe | DepthwiseConv2d x=1x8x16x16 weights=1x8x8x8 strides=[4,4] |
        dpucvdx8h-f2w4-6pe-aiedwc | DepthwiseConv2d x=1x8x16x16 weights=1x8x9x8 | depthwise-conv2d/kernel 9 8
        dpucv2dx8g-c20b1 | DepthwiseConv2d x=1x8x32x32 weights=1x8x20x21 |
        dpucv2dx8g-c20b1 | DepthwiseConv2d x=1x8x32x32 weights=1x8x18x24 | depthwise-conv2d/kernel-area 432 431
        dpucadf8h | DepthwiseConv2d x=1x8x8x8 weights=1x8x3x3 | operators
        dpucahx8h | DepthwiseConv2d x=1x8x8x8 weights=1x8x3x3 | operators
        dpucvdx8h-f2w4-6pe-aiemisc | DepthwiseConv2d x=1x8x8x8 weights=1x8x3x3 | operators
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x2048x8x8 weights=1x2048x2x2 dilation=[2,2] |
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x2049x8x8 weights=1x2049x2x2 dilation=[2,2] | \
        depthwise-conv2d/dilation 4098 4096
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x4096x8x8 weights=1x4096x2x2 |
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x4097x8x8 weights=1x4097x2x2 | \
        depthwise-conv2d/input-channel 4097 4096, depthwise-conv2d/output-channel 4097 4096
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x8x64x64 weights=1x8x3x3 padding=[15,255,15,255] |
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x8x64x64 weights=1x8x3x3 padding=[16,0,0,0] | \
        depthwise-conv2d/pad-begin 16 15
        dpuczdx8g-b4096 | DepthwiseConv2d x=1x8x64x64 weights=1x8x3x3 padding=[0,256,0,0] | \
        depthwise-conv2d/pad-end 256 255
        dpucvdx8g-isa1-c32b3 | DepthwiseConv2d x=1x8x64x64 weights=1x8x3x3 padding=[30,30,15,15] dilation=[2,1] |
        dpucvdx8g-isa1-c32b3 | DepthwiseConv2d x=1x8x64x64 weights=1x8x3x3 padding=[0,0,0,16] dilation=[2,1] | \
        depthwise-conv2d/dilated-pad 16 15
        dpucahx8l | DepthwiseConv2d x=1x8x8x8 weights=1x8x3x3 padding=[2,2,2,2] |
        dpucahx8l | DepthwiseConv2d x=1x8x8x8 weights=1x8x3x3 padding=[3,2,3,2] | \
        depthwise-conv2d/pad-w 3 2, depthwise-conv2d/pad-h 3 2
        code dpucahx8l | DepthwiseConv2d x=1x8x8x8 weights=1x8x3x3 padding=[3,3,3,3] |
        code dpucahx8l | DepthwiseConv2d x=1x8x8x8 weights=1x8x3x3 padding=[4,3,4,3] | \
        depthwise-conv2d/pad-w 4 3, depthwise-conv2d/pad-h 4 3

        # Transposed convolution
        dpuczdx8g-b4096 | ConvTranspose x=1x16x8x8 weights=16x8x3x3 strides=[2,2] group=2 | transposed-conv2d/group 2 1
        dpuczdx8g-b4096 | ConvTranspose x=1x16x8x8 weights=16x8x32x32 strides=[2,2] |
        dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x33x32 strides=[2,2] | transposed-conv2d/kernel 17 16
        dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x2x2 strides=[2,3] | transposed-conv2d/kernel 0 1
        dpuczdx8g-b4096 | ConvTranspose x=1x129x8x8 weights=129x8x16x16 strides=[2,2] | \
        transposed-conv2d/weight-bank 2304 2048
        dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x3x3 strides=[2,2] padding=[1,1,1,1] |
        dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x3x3 strides=[2,2] padding=[2,2,2,2] |
        dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x3x3 strides=[2,2] padding=[3,3,3,3] | \
        transposed-conv2d/pad 3 3
        code dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x3x3 strides=[2,2] padding=[3,3,3,3] |
        code dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x3x3 strides=[2,2] padding=[4,4,4,4] | \
        transposed-conv2d/pad 4 3
        dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x3x3 strides=[2,2] padding=[1,1,1,1] \
        output_padding=[1,1] | transposed-conv2d/output-padding 1 0
        dpuczdx8g-b4096 | ConvTranspose x=1x8x8x8 weights=8x8x3x3 strides=[2,2] pad_mode=SAME |
        code dpuczdx8g-b4096 | ConvTranspose x=1x8x4x4 weights=8x8x16x16 strides=[16,16] |
        code dpuczdx8g-b4096 | ConvTranspose x=1x8x4x4 weights=8x8x17x17 strides=[17,17] | \
        transposed-conv2d/stride 17 16
        dpuczdx8g-b4096 | ConvTranspose x=1x4097x2x2 weights=4097x8x1x1 | transposed-conv2d/input-channel 4097 4096
        dpuczdx8g-b4096 | ConvTranspose x=1x8x2x2 weights=8x4097x1x1 | transposed-conv2d/output-channel 4097 4096
        dpuczdx8g-b4096 | FusedConvTranspose x=1x8x4x4 weights=8x8x2x2 strides=[2,2] out_size=[8,8] activation=RELU |
        dpuczdx8g-b4096 | FusedConvTranspose x=1x8x4x4 weights=8x8x2x2 strides=[2,2] out_size=[8,8] activation=TANH | \
        transposed-conv2d/activation
        dpuczdx8g-b4096 | FusedConvTranspose x=1x8x4x4 weights=8x8x2x2 strides=[2,2] out_size=[8,8] \
        activation=LEAKY_RELU alpha=0.2 | transposed-conv2d/slope 0.2 0.1015625
        dpucahx8l | ConvTranspose x=1x8x4x4 weights=8x1x6x6 strides=[2,2] group=8 |
        dpucahx8l | ConvTranspose x=1x8x4x4 weights=8x1x4x4 strides=[2,2] group=8 | \
        depthwise-transposed-conv2d/kernel 2 3
        dpucahx8h-dwc | ConvTranspose x=1x8x4x4 weights=8x1x5x5 strides=[2,2] group=8 |
        dpucahx8h-dwc | ConvTranspose x=1x8x4x4 weights=8x1x7x7 strides=[2,2] group=8 | \
        depthwise-transposed-conv2d/kernel-size
        dpucahx8l | ConvTranspose x=1x8x4x4 weights=8x1x6x6 strides=[2,2] group=8 padding=[5,5,5,5] |
        dpucahx8l | ConvTranspose x=1x8x4x4 weights=8x1x6x6 strides=[2,2] group=8 padding=[0,0,6,5] | \
        depthwise-transposed-conv2d/pad 6 6, depthwise-transposed-conv2d/output-padding 1 0
        code dpucahx8l | ConvTranspose x=1x8x6x6 weights=8x1x6x6 strides=[2,2] group=8 padding=[6,6,6,6] |
        code dpucahx8l | ConvTranspose x=1x8x6x6 weights=8x1x6x6 strides=[2,2] group=8 padding=[7,7,7,7] | \
        depthwise-transposed-conv2d/pad 7 6
        dpuczdx8g-b4096 | ConvTranspose x=1x21x4x4 weights=21x1x32x32 strides=[16,16] group=21 padding=[15,15,15,15] |
        dpuczdx8g-b4096 | ConvTranspose x=1x21x4x4 weights=21x1x32x32 strides=[16,16] group=21 padding=[16,16,16,16] | \
        depthwise-transposed-conv2d/pad-begin 16 15
        dpuczdx8g-b4096 | ConvTranspose x=1x2x2x9 weights=2x1x1x264 group=2 padding=[0,0,0,256] | \
        depthwise-transposed-conv2d/pad-end 256 255, depthwise-transposed-conv2d/kernel 264 256
        dpuczdx8g-b4096 | ConvTranspose x=1x4097x2x2 weights=4097x1x2x2 group=4097 | \
        depthwise-transposed-conv2d/input-channel 4097 4096, depthwise-transposed-conv2d/output-channel 4097 4096

        # Three axes
        dpuczdx8g-b4096 | FusedConv x=1x8x8x8x8 weights=8x8x3x3x3 | operators
        dpucvdx8g-c32b3 | FusedConv x=1x8x20x20x20 weights=8x8x16x16x16 strides=[1,1,1] |
        dpucvdx8g-c32b3 | FusedConv x=1x8x20x20x20 weights=8x8x17x3x3 | conv3d/kernel 17 16
        dpucvdx8g-c32b3 | FusedConv x=1x8x9x9x9 weights=8x4x3x3x3 groups=2 | conv3d/group 2 1
        dpucvdx8g-c32b3 | FusedConv x=1x8x20x256x2 weights=8x1x16x256x1 groups=8 |
        dpucvdx8g-c32b3 | FusedConv x=1x8x20x300x2 weights=8x1x17x257x1 groups=8 | \
        depthwise-conv3d/kernel 257 256, depthwise-conv3d/kernel-d 17 16
        dpucvdx8g-c32b3 | ConvTranspose x=1x8x4x4x4 weights=8x8x2x2x2 strides=[2,2,2] |
        dpucvdx8g-c32b3 | ConvTranspose x=1x8x4x4x4 weights=8x8x3x3x3 strides=[2,2,2] padding=[1,1,1,1,1,1] \
        output_padding=[1,1,1] | transposed-conv3d/output-padding 1 0

        # Pools
        dpuczdx8g-b4096 | MaxPool x=1x8x300x300 kernel_size=[256,256] strides=[256,256] |
        dpuczdx8g-b4096 | MaxPool x=1x8x300x300 kernel_size=[257,3] strides=[2,2] | max-pool/kernel 257 256
        dpuczdx8g-b4096 | MaxPool x=1x8x600x600 kernel_size=[3,3] strides=[257,2] | max-pool/stride 257 256
        dpucahx8l | MaxPool x=1x8x30x30 kernel_size=[8,5] strides=[8,8] |
        dpucahx8l | MaxPool x=1x8x30x30 kernel_size=[6,5] strides=[2,2] | max-pool/kernel-size
        dpucahx8l | MaxPool x=1x8x30x30 kernel_size=[1,2] strides=[2,2] | max-pool/kernel 1 2
        dpucahx8l | MaxPool x=1x8x30x30 kernel_size=[9,2] strides=[2,2] | max-pool/kernel 9 8
        dpucahx8h | MaxPool x=1x8x30x30 kernel_size=[8,1] strides=[9,2] | max-pool/stride 9 8
        code dpucahx8h | MaxPool x=1x8x8x8 kernel_size=[8,8] strides=[9,9] |
        code dpucahx8h | MaxPool x=1x8x9x8 kernel_size=[8,8] strides=[9,9] | max-pool/stride 9 8
        dpucadf8h | MaxPool x=1x8x30x30 kernel_size=[16,16] strides=[8,8] |
        dpucadf8h | MaxPool x=1x8x30x30 kernel_size=[17,16] strides=[8,8] | max-pool/kernel 17 16
        dpucvdx8h-f2w2-8pe | MaxPool x=1x8x30x30 kernel_size=[7,3] strides=[2,2] |
        dpucvdx8h-f2w2-8pe | MaxPool x=1x8x30x30 kernel_size=[5,3] strides=[2,2] | max-pool/kernel-size
        dpucvdx8h-f2w4-4pe | MaxPool x=1x8x200x200 kernel_size=[128,3] strides=[128,2] |
        dpucvdx8h-f2w4-4pe | MaxPool x=1x8x200x200 kernel_size=[129,3] strides=[2,2] | max-pool/kernel 129 128
        dpuczdx8g-isa0-b4096 | AvgPool x=1x8x30x30 kernel_size=[2,2] strides=[2,2] |
        dpuczdx8g-isa0-b4096 | AvgPool x=1x8x30x30 kernel_size=[1,1] strides=[2,2] | average-pool/kernel 1 2
        dpuczdx8g-b4096 | AvgPool x=1x8x30x30 kernel_size=[3,5] |
        dpucahx8h | AvgPool x=1x8x30x30 kernel_size=[3,5] | average-pool/square 3 5
        dpucahx8h | AvgPool x=1x8x30x30 kernel_size=[8,8] strides=[8,8] |
        dpucahx8h | AvgPool x=1x8x30x30 kernel_size=[9,9] strides=[8,8] | average-pool/kernel 9 8
        dpucahx8h | AvgPool x=1x8x30x30 kernel_size=[8,8] strides=[8,9] | average-pool/stride 9 8
        code dpucahx8h | AvgPool x=1x8x8x8 kernel_size=[8,8] strides=[9,9] |
        code dpucahx8h | AvgPool x=1x8x8x9 kernel_size=[8,8] strides=[9,9] | average-pool/stride 9 8
        dpucahx8l | AvgPool x=1x8x30x30 kernel_size=[4,4] | average-pool/kernel-size
        dpucahx8l | AvgPool x=1x8x7x7 is_global=true |
        dpucahx8l | AvgPool x=1x8x6x6 is_global=true | global-average-pool/kernel-size
        dpucahx8l | AvgPool x=1x8x7x8 is_global=true | global-average-pool/square 7 8
        dpucahx8l | AvgPool x=1x8x9x9 is_global=true | global-average-pool/kernel 9 8
        dpucahx8l | MaxPool x=1x8x7x8 is_global=true |
        dpucahx8l | MaxPool x=1x8x7x4 is_global=true | global-max-pool/kernel-size
        dpucahx8l | MaxPool x=1x8x9x7 is_global=true | global-max-pool/kernel 9 8
        dpuczdx8g-b4096 | MaxPool x=1x8x64x64 kernel_size=[20,20] padding=[15,255,15,255] |
        dpuczdx8g-b4096 | MaxPool x=1x8x64x64 kernel_size=[20,20] padding=[16,0,0,0] | max-pool/pad-begin 16 15
        dpuczdx8g-b4096 | MaxPool x=1x8x64x64 kernel_size=[20,20] padding=[0,0,0,256] | max-pool/pad-end 256 255
        dpuczdx8g-b4096 | AvgPool x=1x8x64x64 kernel_size=[20,20] padding=[0,256,16,0] | \
        average-pool/pad-begin 16 15, average-pool/pad-end 256 255
        dpucahx8l | MaxPool x=1x8x8x8 kernel_size=[3,3] padding=[2,2,2,2] |
        dpucahx8l | MaxPool x=1x8x8x8 kernel_size=[3,3] padding=[3,2,2,2] | max-pool/pad 3 3
        dpucahx8l | AvgPool x=1x8x8x8 kernel_size=[3,3] padding=[2,2,2,3] | average-pool/pad 3 3
        code dpucahx8l | AvgPool x=1x8x8x8 kernel_size=[3,3] padding=[3,3,3,3] |
        code dpucahx8l | AvgPool x=1x8x8x8 kernel_size=[3,3] padding=[3,3,3,4] | average-pool/pad 4 3
        code dpucahx8l | MaxPool x=1x8x8x8 kernel_size=[3,3] padding=[3,3,3,3] |
        code dpucahx8l | MaxPool x=1x8x8x8 kernel_size=[3,3] padding=[3,4,3,3] | max-pool/pad 4 3
        dpuczdx8g-b4096 | MaxPool x=1x4096x8x8 kernel_size=[2,2] |
        dpuczdx8g-b4096 | MaxPool x=1x4097x8x8 kernel_size=[2,2] | max-pool/input-channel 4097 4096
        dpuczdx8g-b4096 | AvgPool x=1x4097x8x8 kernel_size=[2,2] | average-pool/input-channel 4097 4096
        dpuczdx8g-b4096 | AvgPool x=1x4097x8x8 is_global=true | global-average-pool/input-channel 4097 4096
        dpuczdx8g-b4096 | MaxPool x=1x4097x8x8 is_global=true | global-max-pool/input-channel 4097 4096
        dpucahx8l | Mean x=1x8x7x7 axis=[2,3] keep_dims=true |
        dpucahx8l | Mean x=1x8x7x7 axis=[2,3] |
        code dpucahx8l | Mean x=1x8x7x7 axis=[2,3] | reduce-mean/keep-dims
        dpucahx8l | Mean x=1x8x7x7 axis=[1] | reduce-mean/axes
        dpucahx8l | Mean x=1x8x9x9 axis=[2,3] | reduce-mean/kernel 9 8
        dpucahx8l | Mean x=1x8x6x6 axis=[2,3] | reduce-mean/kernel-size
        dpucahx8l | Mean x=1x8x8x7 axis=[2,3] | reduce-mean/square 8 7
        dpuczdx8g-b4096 | ReduceMax x=1x4095x8x8 axis=[1] |
        dpuczdx8g-b4096 | ReduceMax x=1x4096x8x8 axis=[1] | reduce-max/input-channel 4096 4096
        dpucahx8h | ReduceMax x=1x8x8x8 axis=[1] | operators

        # Elements, channels and places
        dpucahx8l | Add a=1x8192x2x2 b=1x8192x2x2 |
        dpucahx8l | Add a=1x8193x2x2 b=1x8193x2x2 | eltwise-add/input-channel 8193 8192
        dpucahx8l | Mul a=1x8x2x2 b=1x8x2x2 | operators
        dpucvdx8h-f2w4-4pe | Mul a=1x16384x2x2 b=1x16384x2x2 |
        dpucvdx8h-f2w4-4pe | Mul a=1x16385x2x2 b=1x16385x2x2 | eltwise-mul/input-channel 16385 16384
        dpuczdx8g-b4096 | Concat x=1x2048x2x2 x=1x2048x2x2 |
        dpuczdx8g-b4096 | Concat x=1x2048x2x2 x=1x2049x2x2 | concat/output-channel 4097 4096
        dpuczdx8g-b4096 | Concat x=1x8x2x2 x=1x8x2x2 axis=2 |
        dpuczdx8g-b4096 | Concat x=1x4420x2 x=1x4420x2 |
        dpuczdx8g-b4096 | Concat x=1x4096 x=1x1 | concat/output-channel 4097 4096
        dpuczdx8g-b4096 | Add a=1x4097x2 b=1x4097x2 |
        dpucadf8h | Concat x=1x8x2x2 x=1x8x2x2 axis=2 | concat/axis
        dpucadf8h | Concat x=1x8x2x2 x=1x8x2x2 |
        dpuczdx8g-b4096 | BatchNorm x=1x4096x2x2 scale=4096 bias=4096 mean=4096 variance=4096 |
        dpuczdx8g-b4096 | BatchNorm x=1x4097x2x2 scale=4097 bias=4097 mean=4097 variance=4097 | \
        batch-norm/output-channel 4097 4096
        dpuczdx8g-b4096 | Reorg x=1x1024x4x4 scale=2 |
        dpuczdx8g-b4096 | Reorg x=1x1025x4x4 scale=2 | space-to-depth/output-channel 4100 4096
        dpuczdx8g-b4096 | Reorg x=1x4096x4x4 scale=2 reversed=true |
        dpuczdx8g-b4096 | Reorg x=1x4100x4x4 scale=2 reversed=true | depth-to-space/input-channel 4100 4096
        dpuczdx8g-b4096 | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] |
        dpuczdx8g-b4096 | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] mode=SYMMETRIC |
        dpuczdx8g-b4096 | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] mode=REFLECT | pad/mode
        dpuczdx8g-b4096 | Pad x=1x8x4x4 pads=[0,0,1,1,0,0,1,1] constant_value=1.0 | pad/value 1.0 0
        dpuczdx8g-b4096 | Pad x=1x4097x4x4 pads=[0,0,1,1,0,0,1,1] | pad/input-channel 4097 4096
        dpuczdx8g-b4096 | Slice x=2x8x8x8 starts=[0,0,1,1] ends=[2,8,8,8] steps=[1,1,2,2] |
        dpuczdx8g-b4096 | Slice x=2x8x8x8 starts=[0,0] ends=[2,8] steps=[2,2] | \
        slice/batch-step 2 1, slice/channel-step 2 1

        # Resampling
        dpuczdx8g-b4096 | Upsample x=1x16x4x4 scale=[2,2] mode=NEAREST |
        dpuczdx8g-b4096 | Resize x=1x4096x4x4 scales=[1.0,1.0,8.0,8.0] mode=nearest |
        dpuczdx8g-b4096 | Resize x=1x1024x2x2 scales=[1.0,1.0,16.0,16.0] |
        dpuczdx8g-b4096 | Resize x=1x1040x2x2 scales=[1.0,1.0,16.0,16.0] | resize-nearest/bank 2080 2048
        dpuczdx8g-b4096 | Resize x=1x4097x2x2 scales=[1.0,1.0,2.0,2.0] | resize-nearest/input-channel 4097 4096
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,1.0,1.5,2.0] | resize-nearest/scale 1.5 1
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,2.0,2.0,2.0] | resize-nearest/axes
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,1.0,2.0,2.0] coordinate_mode=align_corners | \
        resize-nearest/align-corners
        dpucahx8l | Upsample x=1x16x4x4 scale=[2,2] mode=NEAREST | ?resize-nearest/bank
        dpuczdx8g-b4096 | Upsample x=1x16x4x4 scale=[4,4] |
        dpuczdx8g-b4096 | Upsample x=1x16x4x4 scale=[8,8] | resize-bilinear/half-pixel-scale 8.0 4.0
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,1.0,8.0,8.0] mode=linear coordinate_mode=asymmetric |
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,1.0,3.0,3.0] mode=linear | resize-bilinear/scale
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,1.0,4.0,2.0] mode=linear | resize-bilinear/equal-scales 4.0 2.0
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,2.0,2.0,2.0] mode=linear | resize-bilinear/axes
        dpuczdx8g-b4096 | Resize x=1x8x4x4 scales=[1.0,1.0,2.0,2.0] mode=linear coordinate_mode=align_corners | \
        resize-bilinear/align-corners
        dpucahx8l | Upsample x=1x16x4x4 scale=[2,2] | resize-bilinear/kernel 3 2
        dpucadf8h | Upsample x=1x16x4x4 scale=[2,2] | operators

        # Fully connected
        dpuczdx8g-b4096 | InnerProduct x=1x128x16x16 weights=8x128x16x16 |
        dpuczdx8g-b4096 | InnerProduct x=1x129x16x16 weights=8x129x16x16 | fully-connected/weight-bank 2304 2048
        dpuczdx8g-b4096 | InnerProduct x=1x8x17x2 weights=8x8x17x2 | fully-connected/kernel 17 16
        dpuczdx8g-b4096 | InnerProduct x=1x4097x1x1 weights=8x4097x1x1 | fully-connected/input-channel 4097 4096
        dpucvdx8g-c32b3 | InnerProduct x=1x2048x8x8 weights=8x2048x8x8 |
        dpucvdx8g-c32b3 | InnerProduct x=1x64x13x5 weights=8x64x13x5 | fully-connected/kernel-area 65 64
        dpucv2dx8g-c20b1 | InnerProduct x=1x512x7x7 weights=8x512x7x7 |
        dpucv2dx8g-c20b1 | InnerProduct x=1x64x6x9 weights=8x64x6x9 | fully-connected/kernel-words 13824 13760
        dpuczdx8g-b4096 | Gemm a=1x32768 b=32768x8 |
        dpuczdx8g-b4096 | Gemm a=1x32769 b=32769x8 | fully-connected/weight-bank 2049 2048
        dpuczdx8g-b4096 | Gemm a=1x512 b=512x4097 | fully-connected/output-channel 4097 4096
        dpuczdx8g-b4096 | MatMul a=1x32768 b=32768x4096 |
        dpuczdx8g-b4096 | MatMul a=1x32769 b=32769x4097 | \
        matmul/weight-bank 2049 2048, matmul/output-channel 4097 4096

        # Activations and the rest
        dpuczdx8g-b4096 | LeakyRelu x=1x8x2x2 alpha=0.1015625 |
        dpuczdx8g-b4096 | LeakyRelu x=1x8x2x2 alpha=0.1 | leaky-relu/slope 0.1 0.1015625
        dpucahx8l | LeakyRelu x=1x8x2x2 alpha=0.1015625 | operators
        dpuczdx8g-b4096 | HardSigmoid x=1x8x2x2 |
        dpucvdx8h-f2w4-4pe | HardSigmoid x=1x8x2x2 |
        code dpucvdx8h-f2w4-4pe | HardSigmoid x=1x8x2x2 | hard-sigmoid/alu
        code dpucvdx8h-f2w4-4pe | HardSwish x=1x8x2x2 | hard-swish/alu
        code dpuczdx8g-b4096 | HardSwish x=1x8x2x2 |
        dpucahx8h | HardSwish x=1x8x2x2 | operators
        dpuczdx8g-b4096 | Clip x=1x8x2x2 min=0.0 max=6.0 |
        dpuczdx8g-b4096 | Clip x=1x8x2x2 min=0.0 |
        dpuczdx8g-b4096 | Clip x=1x8x2x2 min=0.0 max=1.0 | clip/bounds
        dpuczdx8g-b4096 | Relu6 x=1x8x2x2:int8 |
        dpuczdx8g-b4096 | Softmax x=1x8 | operators
        dpuczdx8g-b4096 | Sigmoid x=1x8x2x2 | operators
        dpuczdx8g-b4096 | Tanh x=1x8x2x2 | operators
        dpucadf8h | Reshape x=1x8x2x2 shape=[1,32] | operators
        """);

    static List<RuleCases.Case> cases() {
        return CASES;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void breaks(RuleCases.Case one) {
        assertThat(RuleCases.broken(one)).isEqualTo(one.broken());
    }

    @Test
    void everyRuleHasACase() {
        RuleCases.reachEveryRule("dpu", CASES);
    }

    /** The three enlargements of FCN for 21 classes: kernel_w * kernel_h * ceil(21 / 16) of 2048 in the weight bank. */
    @ParameterizedTest
    @CsvSource({"64, 32, 8192", "16, 8, 512", "4, 2, 32"})
    void enlargementsOfFcn(long kernel, long stride, long depth) {
        assertThat(kernel * kernel * ((21 + 15) / 16)).isEqualTo(depth);
        assertThat(kernel / stride).as("kernel in strides, 1 to 16").isEqualTo(2);
        String operator =
                "Conv2dTranspose x=1x21x16x16 weights=21x21x%1$dx%1$d strides=[%2$d,%2$d]".formatted(kernel, stride);
        List<Finding> findings = RuleCases.findings("dpuczdx8g-b4096", Reading.DOCUMENT, operator);
        if (depth <= 2048) {
            assertThat(findings).isEmpty();
            return;
        }
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).rule()).isEqualTo("dpu/transposed-conv2d/weight-bank");
        assertThat(findings.get(0).message())
                .isEqualTo("the kernel does not fit the weight bank "
                        + "(weight_depth <= DPU.bank_depth: weight_depth = 8192, DPU.bank_depth = 2048)");
        Finding.BrokenRule broken = findings.get(0).broken().orElseThrow();
        assertThat(broken.actual()).isEqualTo("8192");
        assertThat(broken.limit()).isEqualTo("2048");
        assertThat(broken.margin()).isEqualTo("6144");
        assertThat(broken.places()).contains("dpuczdx8g-b4096.ini:DPU:bank_depth");
    }
}
