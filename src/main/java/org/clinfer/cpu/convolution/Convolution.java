package org.clinfer.cpu.convolution;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;

/** Convolution of one to three spatial axes or its transposition, in any layout, with what follows it. */
record Convolution(boolean isTransposed, CpuPath path) implements CpuOperator {

    @Override
    public void run(CpuCall call) {
        ConvolutionLayout layout = call.kept(ConvolutionLayout.class, () -> ConvolutionLayout.of(call.parameters()));
        VectorKernels kernels = path.kernels();
        DType dtype = call.input(0).dtype();
        if (dtype == DType.FLOAT64) {
            new DoubleConvolution(call, layout, isTransposed).run(call.parallel());
        } else if (dtype.isInteger()) {
            new LongConvolution(call, layout, isTransposed).run(call.parallel());
        } else if (kernels != null && !isTransposed && DepthwiseThrees.suits(layout)) {
            DepthwiseThrees.of(call, layout, kernels).run(call, kernels);
        } else if (kernels != null && !isTransposed && DepthwiseLines.suits(layout)) {
            DepthwiseLines.of(call, layout, kernels).run(call, kernels);
        } else {
            new FloatConvolution(call, layout, kernels).run(isTransposed);
        }
    }
}
