package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;

/** The operators that compute: convolution, matrix products, pooling, normalisation, softmax and resampling. */
final class MathOperators {

    private MathOperators() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("FusedConv", new Convolution(false));
        all.put("FusedConvTranspose", new Convolution(true));
        all.put("BinaryConvolution", new BinaryConvolution());
        all.put("Gemm", new Gemm());
        all.put("InnerProduct", new Gemm());
        all.put("MatMul", new MatMul());
        all.put("MaxPool", Pooling.max());
        all.put("AvgPool", Pooling.average());
        all.put("BatchNorm", ChannelNormalization.batch());
        all.put("InstanceNorm", ChannelNormalization.instance());
        all.put("LayerNorm", RowNormalization.layer());
        all.put("RmsNorm", RowNormalization.rootMeanSquare());
        all.put("Lrn", new Lrn());
        all.put("Softmax", new Softmax(false));
        all.put("LogSoftmax", new Softmax(true));
        all.put("Resize", new Resize());
        all.put("Upsample", new Resize());
        all.put("DeePhiDownsample", new Resize());
        return all;
    }
}
