package org.clinfer.cpu.convolution;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.elements.SumBounds;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

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
            SumBounds bounds = SumBounds.of(call);
            DepthwiseThrees.of(call, layout, bounds, kernels)
                    .run(ConvolutionFactors.ofFloats(call), epilogue(call, bounds, kernels), kernels);
        } else if (kernels != null && !isTransposed && DepthwiseLines.suits(layout)) {
            SumBounds bounds = SumBounds.of(call);
            DepthwiseLines.of(call, layout, bounds, kernels)
                    .run(ConvolutionFactors.ofFloats(call), epilogue(call, bounds, kernels), kernels);
        } else {
            new FloatConvolution(call, layout, kernels).run(isTransposed);
        }
    }

    /** The epilogue of sums that more than a bias and bounds follow, else null. */
    private static Epilogue.@Nullable OfFloats epilogue(CpuCall call, SumBounds bounds, VectorKernels kernels) {
        return bounds.isAll() ? null : new Epilogue.OfFloats(call, kernels);
    }
}
