package org.clinfer.cpu.matrix;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** The matrix products. */
public final class MatrixOperators {

    private MatrixOperators() {}

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("Gemm", CpuOperator.of(CpuWork.PRODUCT, new Gemm(path)));
        all.put("InnerProduct", CpuOperator.of(CpuWork.PRODUCT, new Gemm(path)));
        all.put("MatMul", CpuOperator.of(CpuWork.PRODUCT, new MatMul(path)));
        all.put("StridedMatMul", CpuOperator.of(CpuWork.PRODUCT, new StridedMatMul(path)));
        return all;
    }
}
