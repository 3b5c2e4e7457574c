package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;

/** The operators that compute: convolution, matrix products, pooling, normalisation, softmax and resampling. */
final class MathOperators {

    private MathOperators() {}

    static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("FusedConv", new Convolution(false, path));
        all.put("FusedConvTranspose", new Convolution(true, path));
        all.put("BinaryConvolution", new BinaryConvolution());
        all.put("Gemm", new Gemm(path));
        all.put("InnerProduct", new Gemm(path));
        all.put("MatMul", new MatMul(path));
        all.put("MatMulNBits", new MatMulNBits(path));
        all.put("QuantizedAdd", QuantizedAddition::run);
        all.put("QuantizedConv", QuantizedConvolution::run);
        all.put("QuantizedMatMul", QuantizedMatMul::run);
        all.put("MaxPool", Pooling.max(path));
        all.put("AvgPool", Pooling.average(path));
        all.put("BlockedConv", new BlockedConvolution(path));
        all.put("ConvToBlocks", new ConvolutionToBlocks(path));
        all.put("BlockChannels", BlockedLayout::block);
        all.put("UnblockChannels", BlockedLayout::unblock);
        all.put("BlockedPool", BlockedPool.of(path));
        all.put("BlockedGlobalAveragePool", BlockedPooling::globalMean);
        all.put("BlockedResize", BlockedResizing::run);
        all.put("BlockedScale", BlockedElements::scale);
        all.put("BlockedBinary", BlockedElements::binary);
        all.put("BatchNorm", ChannelNormalization.batch(path));
        all.put("InstanceNorm", ChannelNormalization.instance(path));
        all.put("LayerNorm", RowNormalization.layer(path));
        all.put("RmsNorm", RowNormalization.rootMeanSquare(path));
        all.put("Lrn", new Lrn());
        all.put("Softmax", new Softmax(false, path));
        all.put("LogSoftmax", new Softmax(true, path));
        all.put("Resize", new Resize());
        all.put("Upsample", new Resize());
        all.put("DeePhiDownsample", new Resize());
        return all;
    }
}
