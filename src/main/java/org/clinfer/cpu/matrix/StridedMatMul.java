package org.clinfer.cpu.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** {@code alpha * A * B} of matrices with strides. */
final class StridedMatMul implements CpuOperator {

    private static final int GRAIN = 1 << 12;

    private final @Nullable VectorKernels kernels;

    StridedMatMul(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        StridedSizes all = call.kept(StridedSizes.class, () -> StridedSizes.of(parameters));
        double alpha = parameters.real("alpha");
        if (call.output().dtype() == DType.FLOAT64) {
            runDoubles(call, all, alpha);
            return;
        }
        if (kernels != null && StridedRows.takes(all)) {
            new StridedRows(all, call, kernels).run(call.parallel());
            return;
        }
        if (kernels != null) {
            Optional<SmallProducts.Sizes> small = all.small((float) alpha);
            if (small.isPresent()) {
                new SmallProducts(call, small.get(), kernels).run(call.parallel());
                return;
            }
        }
        runFloats(call, all, (float) alpha);
    }

    /** Products with any strides and sizes. */
    private void runFloats(CpuCall call, StridedSizes all, float alpha) {
        float[] a = TensorValues.allFloats(call.input(0), call.parallel());
        float[] b = TensorValues.allFloats(call.input(1), call.parallel());
        float[] y = new float[Math.toIntExact(call.output().elements())];
        List<MatrixProduct.Part> parts = new ArrayList<>();
        int count = all.count();
        for (int matrix = 0; matrix < count; matrix++) {
            int aAt = all.left().begin(matrix, all.sizes());
            int bAt = all.right().begin(matrix, all.sizes());
            int yAt = all.to().begin(matrix, all.sizes());
            parts.add(new MatrixProduct.Part(
                    all.rows(),
                    all.terms(),
                    all.columns(),
                    (packed, strip) -> all.left().pack(a, aAt, packed, strip),
                    (rows, block) -> all.right().fill(b, bAt, rows, block),
                    (MatrixProduct.Result.OfFloats) (sums, tile) -> all.to().put(sums, tile, alpha, y, yAt)));
        }
        MatrixProduct.run(parts, call.parallel(), kernels);
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static void runDoubles(CpuCall call, StridedSizes all, double alpha) {
        double[] a = TensorValues.allDoubles(call.input(0));
        double[] b = TensorValues.allDoubles(call.input(1));
        StridedSizes.Strides left = all.left();
        StridedSizes.Strides right = all.right();
        StridedSizes.Strides to = all.to();
        int[] sizes = all.sizes();
        int rows = all.rows();
        int terms = all.terms();
        int columns = all.columns();
        double[] y = new double[Math.toIntExact(call.output().elements())];
        int lines = y.length / columns;
        call.parallel().forRange(lines, Math.max(1, GRAIN / Math.max(1, terms * columns)), (from, end) -> {
            for (int line = from; line < end; line++) {
                int matrix = line / rows;
                int row = line % rows;
                int aAt = left.begin(matrix, sizes) + row * left.first();
                int bAt = right.begin(matrix, sizes);
                int yAt = to.begin(matrix, sizes) + row * to.first();
                for (int column = 0; column < columns; column++) {
                    double sum = 0;
                    for (int term = 0; term < terms; term++) {
                        sum += a[aAt + term * left.second()] * b[bAt + term * right.first() + column * right.second()];
                    }
                    y[yAt + column * to.second()] = alpha * sum;
                }
            }
        });
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }
}
