package org.clinfer.costs;

import java.util.List;
import java.util.function.BiFunction;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * One operator that is computed by a loop of the CPU path, in a size that takes long and in one that takes no time.
 *
 * @param terms multiply-adds of the large one, or elements that are folded
 * @param bytes that the large one reads and writes
 */
record LoopCase(CpuLoop loop, Graph large, Graph small, double terms, double bytes) {

    private static final int BYTES = 4;

    /** An operator of x; the numbers are sizes that differ between the large and the small one. */
    private interface Node extends BiFunction<Ops, long[], Edge> {}

    static List<LoopCase> all() {
        double pooled = 64.0 * 56 * 56 * 9;
        double planes = 2.0 * 64 * 56 * 56;
        double folded = 256.0 * 4096;
        return List.of(
                convolution(CpuLoop.PRODUCT, 128, 28, 3, 1, 1, 1),
                convolution(CpuLoop.DEPTHWISE, 64, 112, 3, 1, 1, 64),
                convolution(CpuLoop.STRIDED_DEPTHWISE, 64, 112, 3, 2, 1, 64),
                convolution(CpuLoop.SQUARE_DEPTHWISE, 64, 56, 5, 1, 1, 64),
                convolution(CpuLoop.ANY_DEPTHWISE, 64, 56, 3, 1, 2, 64),
                product(CpuLoop.SMALL_PRODUCTS, false, 12, 128, 64, 128),
                product(CpuLoop.CONSTANT_PRODUCT, true, 1, 128, 768, 768),
                product(CpuLoop.VECTOR_PRODUCT, true, 1, 1, 2048, 1000),
                of(CpuLoop.MAXIMUM, pooled, planes, LoopCase::maximum, 64, 56),
                of(CpuLoop.MEAN, pooled, planes, LoopCase::mean, 64, 56),
                of(CpuLoop.REDUCTION, folded, folded, LoopCase::sum, 256, 4096),
                of(CpuLoop.SCALAR_REDUCTION, folded, folded, LoopCase::product, 256, 4096),
                of(
                        CpuLoop.SOFTMAX,
                        folded,
                        2 * folded,
                        (ops, size) -> ops.softmax(x(ops, size)).axis(1).y(),
                        256,
                        4096),
                of(CpuLoop.ELEMENTS, 0, 2 * folded, (ops, size) -> ops.relu(x(ops, size)), 256, 4096),
                of(
                        CpuLoop.SCALAR_ELEMENTS,
                        folded,
                        2 * folded,
                        (ops, size) -> ops.shrink(x(ops, size)).y(),
                        256,
                        4096),
                of(CpuLoop.FUNCTION, 0, 2 * folded, (ops, size) -> ops.sigmoid(x(ops, size)), 256, 4096),
                of(CpuLoop.SCALAR_FUNCTION, folded, 2 * folded, (ops, size) -> ops.sin(x(ops, size)), 256, 4096));
    }

    private static LoopCase of(CpuLoop loop, double terms, double elements, Node node, long... sizes) {
        long[] small = new long[sizes.length];
        for (int i = 0; i < small.length; i++) {
            small[i] = 2;
        }
        return new LoopCase(loop, graph(node, sizes), graph(node, small), terms, BYTES * elements);
    }

    private static Graph graph(Node node, long[] sizes) {
        Ops ops = Ops.graph("loop");
        return ops.output("y", node.apply(ops, sizes)).build();
    }

    private static Edge x(Ops ops, long... sizes) {
        return ops.input("x", TensorType.of(DType.FLOAT32, sizes));
    }

    private static Edge planes(Ops ops, long[] size) {
        return x(ops, 1, size[0], size[1], size[1]);
    }

    private static Edge maximum(Ops ops, long[] size) {
        return ops.maxPool(planes(ops, size))
                .kernelSize(3, 3)
                .strides(1, 1)
                .padding(1, 1, 1, 1)
                .y();
    }

    private static Edge mean(Ops ops, long[] size) {
        return ops.avgPool(planes(ops, size))
                .kernelSize(3, 3)
                .strides(1, 1)
                .padding(1, 1, 1, 1)
                .y();
    }

    private static Edge sum(Ops ops, long[] size) {
        return ops.reduceSum(x(ops, size)).axis(1).y();
    }

    private static Edge product(Ops ops, long[] size) {
        return ops.reduceProd(x(ops, size)).axis(1).y();
    }

    private static LoopCase convolution(
            CpuLoop loop, long channels, long size, long kernel, long stride, long dilation, long groups) {
        long rows = size / stride;
        double outputs = (double) channels * rows * rows;
        double weights = (double) channels * channels / groups * kernel * kernel;
        Node node = (ops, sizes) -> convolution(ops, sizes, kernel, stride, dilation, groups == 1 ? 1 : sizes[0]);
        return of(
                loop,
                outputs * channels / groups * kernel * kernel,
                (double) channels * size * size + weights + outputs,
                node,
                channels,
                size);
    }

    /** A convolution of as many channels as it gives, padded to the same size where the stride is 1. */
    static Edge convolution(Ops ops, long[] sizes, long kernel, long stride, long dilation, long groups) {
        long pad = dilation * (kernel / 2);
        Edge weights = ops.constant("weights", Measured.random(sizes[0], sizes[0] / groups, kernel, kernel));
        return ops.conv2d(planes(ops, sizes), weights)
                .strides(stride, stride)
                .padding(pad, pad, pad, pad)
                .dilation(dilation, dilation)
                .group(groups)
                .y();
    }

    private static LoopCase product(CpuLoop loop, boolean isConstant, long... sizes) {
        Node node = (ops, size) -> {
            Edge left = x(ops, size[0], size[1], size[2]);
            Edge right = isConstant
                    ? ops.constant("right", Measured.random(size[2], size[3]))
                    : ops.input("right", TensorType.of(DType.FLOAT32, size[0], size[2], size[3]));
            return ops.matMul(left, right);
        };
        double terms = (double) sizes[0] * sizes[1] * sizes[2] * sizes[3];
        double right = (double) (isConstant ? 1 : sizes[0]) * sizes[2] * sizes[3];
        double outer = (double) sizes[0] * sizes[1] * (sizes[2] + sizes[3]);
        return of(loop, terms, outer + right, node, sizes);
    }
}
