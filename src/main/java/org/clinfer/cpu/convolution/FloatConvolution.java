package org.clinfer.cpu.convolution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.matrix.InnerProducts;
import org.clinfer.cpu.matrix.MatrixOperands;
import org.clinfer.cpu.matrix.MatrixProduct;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Convolution and its transposition in float arithmetic. */
final class FloatConvolution {

    private static final int WEIGHTS = 1;
    private static final String AS_THEY_ARE = "as they are";

    private final CpuCall call;
    private final ConvolutionLayout layout;
    private final @Nullable VectorKernels kernels;
    private final Tensor weights;
    private final Epilogue.OfFloats epilogue;
    private final Parallel parallel;

    FloatConvolution(CpuCall call, ConvolutionLayout layout, @Nullable VectorKernels kernels) {
        this.call = call;
        this.layout = layout;
        this.kernels = kernels;
        this.weights = call.input(1);
        this.epilogue = new Epilogue.OfFloats(call, kernels);
        this.parallel = call.parallel();
    }

    /** The stencils that all outputs have. */
    private record Stencils(List<Stencil> all) {
        static Stencils of(ConvolutionLayout layout, boolean isTransposed) {
            return new Stencils(
                    isTransposed ? Stencil.transposed(layout.window()) : List.of(Stencil.forward(layout.window())));
        }
    }

    void run(boolean isTransposed) {
        Stencils stencils = call.kept(Stencils.class, () -> Stencils.of(layout, isTransposed));
        if (isTransposed) {
            long reached = stencils.all().stream().mapToLong(Stencil::outputs).sum();
            if (reached < layout.window().outElements()) {
                storeZeros();
            }
            multiply(stencils);
        } else if (kernels != null && DirectDepthwise.suits(layout)) {
            new DirectDepthwise(call, layout, kernels).run(epilogue);
        } else if (layout.isChannelsLast() && DepthwiseRows.suits(layout)) {
            new DepthwiseRows(layout, x(), allWeights(), epilogue).run(parallel);
        } else if (!layout.isChannelsLast() && DepthwisePlanes.suits(layout)) {
            new DepthwisePlanes(layout).run(x(), allWeights(), epilogue, parallel);
        } else {
            FewOutputs few = call.kept(
                    FewOutputs.class, () -> FewOutputs.of(layout, stencils.all().get(0)));
            if (few.suits()) {
                multiplyFew(few);
            } else if (kernels != null && layout.isProduct()) {
                multiplyPositions();
            } else {
                multiply(stencils);
            }
        }
    }

    private float[] x() {
        return TensorValues.allFloats(call.input(0), parallel);
    }

    private float[] allWeights() {
        return call.packed(WEIGHTS, AS_THEY_ARE, () -> TensorValues.allFloats(weights, parallel));
    }

    private void multiply(Stencils stencils) {
        if (kernels != null) {
            DirectConvolution.Form form = call.kept(
                    DirectConvolution.Form.class, () -> DirectConvolution.Form.of(layout, stencils.all(), kernels));
            if (form.suits()) {
                new DirectFloats(ConvolutionFactors.ofFloats(call), form, kernels).run(epilogue);
                return;
            }
        }
        float[] x = x();
        float[] values = allWeights();
        boolean isWide = layout.hasLongRows();
        List<MatrixProduct.Part> parts = new ArrayList<>();
        for (Stencil stencil : stencils.all()) {
            for (int group = 0; group < layout.channels().groups(); group++) {
                parts.add(
                        isWide
                                ? FilterGroup.ofPixels(layout, stencil, group).pixelRows(x, values, epilogue)
                                : FilterGroup.ofChannels(layout, stencil, group).channelRows(x, values, epilogue));
            }
        }
        MatrixProduct.run(parts, parallel, kernels);
    }

    /** The channels of each position times the weights. */
    private void multiplyPositions() {
        int in = layout.channels().in();
        int out = layout.channels().out();
        int positions =
                Math.multiplyExact(layout.channels().batch(), layout.window().outElements());
        boolean isTransposed = layout.wStrides()[0] != 1;
        MatrixOperands.multiply(
                new MatrixOperands.Operand(TensorValues.of(call.input(0)), 0, positions, in, false),
                new MatrixOperands.Operand(
                        TensorValues.of(weights), 0, isTransposed ? out : in, isTransposed ? in : out, isTransposed),
                (row, column, count, sums, at) ->
                        epilogue.store(sums, at, new Epilogue.Stretch(row * out + column, 1, count, column, true)),
                call,
                WEIGHTS,
                kernels);
    }

    /** For few outputs, as of a fully connected layer: reads the weights once, in place. */
    private void multiplyFew(FewOutputs few) {
        int columns = few.filters().columns();
        int depth = few.filters().depth();
        float[] left = few.gathered(x());
        InnerProducts.Rows rows = new InnerProducts.Rows(left, 0, columns, depth);
        int channels = layout.channels().out();
        float[][] products = kernels != null && call.isConstant(WEIGHTS)
                ? InnerProducts.of(rows, allWeights(), channels, parallel, kernels.functions())
                : InnerProducts.of(rows, TensorValues.of(weights), 0, channels, parallel);
        few.filters().storePixels(products, new MatrixProduct.Tile(0, columns, 0, channels), epilogue);
    }

    /** Stores what follows sums of nothing everywhere. */
    private void storeZeros() {
        ConvolutionLayout.Channels channels = layout.channels();
        int positions = layout.window().outElements();
        boolean last = layout.isChannelsLast();
        int line = last ? channels.out() : positions;
        int lines = channels.batch() * (last ? positions : channels.out());
        parallel.forRange(lines, Chunks.grain(line), (from, to) -> {
            float[] sums = new float[Math.min(line, Chunks.SIZE)];
            for (int i = from; i < to; i++) {
                int plane = i * line;
                int channel = i % channels.out();
                Chunks.forEach(0, line, (start, count) -> {
                    Arrays.fill(sums, 0);
                    int first = last ? start : channel;
                    epilogue.store(sums, 0, new Epilogue.Stretch(plane + start, 1, count, first, last));
                });
            }
        });
    }
}
