package org.clinfer.cpu.quantized;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** The operators of codes of few bits, and those between codes and real numbers. */
public final class QuantizedOperators {

    private QuantizedOperators() {}

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.putAll(QuantizeOperators.all(path));
        all.put("MatMulNBits", CpuOperator.of(CpuWork.PRODUCT, new MatMulNBits(path)));
        all.put("QuantizedAdd", new QuantizedAddition(path));
        all.put("QuantizedConv", CpuOperator.of(CpuWork.CONVOLUTION, new QuantizedConvolution(path)));
        all.put("QuantizedMatMul", new QuantizedMatMul(path));
        return all;
    }
}
