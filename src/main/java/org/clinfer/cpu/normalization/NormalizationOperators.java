package org.clinfer.cpu.normalization;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** Normalizations and softmax. */
public final class NormalizationOperators {

    private NormalizationOperators() {}

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("BatchNorm", CpuOperator.of(CpuWork.REDUCTION, ChannelNormalization.batch(path)));
        all.put("InstanceNorm", CpuOperator.of(CpuWork.REDUCTION, ChannelNormalization.instance(path)));
        all.put("LayerNorm", CpuOperator.of(CpuWork.REDUCTION, RowNormalization.layer(path)));
        all.put("RmsNorm", CpuOperator.of(CpuWork.REDUCTION, RowNormalization.rootMeanSquare(path)));
        all.put("Lrn", new Lrn());
        all.put("Softmax", CpuOperator.of(CpuWork.SOFTMAX, new Softmax(false, path)));
        all.put("LogSoftmax", CpuOperator.of(CpuWork.SOFTMAX, new Softmax(true, path)));
        return all;
    }
}
