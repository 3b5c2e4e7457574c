package org.clinfer.check;

/** The few limits that are published of the Rockchip NPUs of the first generation. */
class Rockchip1RulesTest extends FamilyContract {

    private static final String CASES = """
            rk1808    | Conv2d 1x16x32x32 8x16x3x3 dilation=[2,2] | ok
            rk1808    | Conv2d 1x16x32x32 8x16x3x3 dilation=[1,2] | ok
            rk1808    | Conv2d 1x16x32x32 8x16x3x3 dilation=[2,3] | conv2d/dilation 2 3
            rk1808    | Convolution 1x4x8x8 4x4x3x3 data_format=NCX weights_format=OIX strides=[1,1] \
            pads_begin=[0,0] pads_end=[0,0] dilations=[1,1] | ok
            rk1808    | Convolution 1x4x8x8x8 4x4x3x3x3 data_format=NCX weights_format=OIX strides=[1,1,1] \
            pads_begin=[0,0,0] pads_end=[0,0,0] dilations=[1,1,1] | conv3d/axes 3 2
            rv1126    | MaxPool 1x8x9x9x9 kernel_size=[3,3,3] strides=[1,1,1] | pool3d/axes 3 2
            rv1126    | MaxPool 1x8x9x9 kernel_size=[3,3] strides=[1,1] | ok
            rv1126    | MaxPool 1x8x9x9 kernel_size=[3,3] strides=[1,1] dilation=[1,2] | max-pool/dilation 2 1
            rv1126    | MaxPool 1x8x9x9 kernel_size=[2,2] strides=[2,2] ceil_mode=CEIL \
            | max-pool/rounding 'CEIL' 'FLOOR'
            rv1126    | AvgPool 1x8x9x9 kernel_size=[2,2] strides=[2,2] ceil_mode=CEIL | ok
            rk3399pro | BatchNorm 1x2x3x4 2 2 2 2 | ok
            rk3399pro | BatchNorm 1x2x3x4x5 2 2 2 2 | batch-norm/rank 5 4
            rk3399pro | Pad 1x8x8x8:int8 pad_with=[0,0,0,0,1,1,1,1] | ok
            rk3399pro | Pad 1x8x8x8:int8 pad_with=[0,0,0,0,1,1,1,1] constant_value=1.0 | pad/value 1.0 0
            rk3399pro | Pad 1x8x8x8 pad_with=[0,0,0,0,1,1,1,1] constant_value=1.0 | ok
            rk3399pro | Pad 1x8x8x8 pad_with=[0,1,0,0,1,1,1,1] | pad/batch 1 0
            rk3399pro | Div 1x2x3x4 1x2x3x4 | ok
            rk3399pro | Div 1x2x3x4 1x2x1x1 | eltwise-div/broadcast
            rk3399pro | Softplus 1x2 | ?operators
            """;

    Rockchip1RulesTest() {
        super("rockchip1", CASES);
    }
}
