package org.clinfer.cpu.normalization;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** Normalizations and softmax. */
public final class NormalizationOperators {

    private NormalizationOperators() {}

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("BatchNorm", ChannelNormalization.batch(path));
        all.put("InstanceNorm", ChannelNormalization.instance(path));
        all.put("LayerNorm", RowNormalization.layer(path));
        all.put("RmsNorm", RowNormalization.rootMeanSquare(path));
        all.put("Lrn", new Lrn());
        all.put("Softmax", new Softmax(false, path));
        all.put("LogSoftmax", new Softmax(true, path));
        return all;
    }
}
