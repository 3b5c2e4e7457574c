package org.clinfer.cpu.convolution;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** The convolutions and their transpositions, of numbers and of bits. */
public final class ConvolutionOperators {

    private ConvolutionOperators() {}

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("FusedConv", CpuOperator.of(CpuWork.CONVOLUTION, new Convolution(false, path)));
        all.put("FusedConvTranspose", CpuOperator.of(CpuWork.CONVOLUTION, new Convolution(true, path)));
        all.put("BinaryConvolution", CpuOperator.of(CpuWork.CONVOLUTION, new BinaryConvolution()));
        all.put("DeformConv", CpuOperator.of(CpuWork.CONVOLUTION, new DeformableConvolution()));
        return all;
    }
}
