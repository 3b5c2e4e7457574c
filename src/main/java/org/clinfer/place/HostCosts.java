package org.clinfer.place;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.check.CheckedNode;
import org.clinfer.describe.Binding;
import org.clinfer.describe.CpuWork;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * About how long the CPU path takes for a node: measured with vectors on two cores of a server processor, to within a
 * factor of 2 for products, 3 for most others, and 4 for what has no vectors. Another machine may be slower by a factor
 * that is about the same for all kinds.
 */
final class HostCosts {

    private static final Set<DType> FAST = Set.of(DType.FLOAT32);
    private static final Set<DType> KNOWN = Set.of(DType.FLOAT32, DType.INT32, DType.INT64, DType.BOOL);

    /** Work that is as known in whole numbers and truths as in float32. */
    private static final Set<CpuWork> GENERAL = Set.of(CpuWork.MOVEMENT, CpuWork.ARITHMETIC, CpuWork.SCALAR_ARITHMETIC);

    /** A matrix that meets fewer rows than these is not used often enough for its reading not to count. */
    private static final int FEW_ROWS = 4;

    /** Elements of a right matrix up to which products have loops for small ones. */
    private static final long SMALL_MATRIX = 1 << 16;

    /**
     * The work of a node. Each kind takes a time of its own for every node, for one multiply-add (or element that is
     * folded), and for one byte that is read or written; kernels on the same processor take a share of the latter two.
     */
    private enum Kind {
        /** Convolutions in which every output sees many channels, either direction, and products of matrices. */
        PRODUCT(6_000, 0.02, 0.01, 0.5),
        /** Convolutions of single channels by windows of 3x3 neighbours, which have loops of their own. */
        DEPTHWISE(10_000, 0.008, 0.006, 1),
        /** The same with a stride of 2. */
        STRIDED_DEPTHWISE(5_000, 0.01, 0.015, 0.8),
        /** Others of odd square windows with a stride of 1, for which kernels have loops of their own. */
        SQUARE_DEPTHWISE(10_000, 0.06, 0.006, 0.4),
        /** Others of single channels; with a stride sums are computed that nobody reads. */
        ANY_DEPTHWISE(10_000, 0.2, 0.006, 0.5),
        /** Several products of matrices that stay in the caches. */
        SMALL_PRODUCTS(4_000, 0.0125, 0.01, 0.8),
        /** Products with a constant matrix, which is packed once. */
        CONSTANT_PRODUCT(4_000, 0.0115, 0.004, 0.85),
        /** A matrix times a few vectors: as fast as the matrix is read. */
        VECTOR_PRODUCT(1_700, 0.02, 0.004, 1),
        /** Maxima over windows. */
        MAXIMUM(2_500, 0.025, 0.018, 1),
        /** Means over windows. */
        MEAN(2_500, 0.018, 0.018, 1),
        /** Reductions and normalizations. */
        REDUCTION(3_000, 0.12, 0.005, 1),
        /** Reductions an element at a time; kernels take part of them side by side. */
        SCALAR_REDUCTION(3_000, 1.3, 0.005, 0.1),
        /** A reduction and an exponential. */
        SOFTMAX(4_500, 0.12, 0.035, 1),
        /** Arithmetic, rectifiers and everything that only moves elements. */
        ELEMENTS(1_500, 0, 0.02, 1),
        /** Arithmetic an element at a time, for which kernels have vectors. */
        SCALAR_ELEMENTS(1_500, 3.5, 0.02, 0.045),
        /** Exponentials and what is made of them, element by element. */
        FUNCTION(1_500, 0, 0.05, 1),
        /** Functions an element at a time, for which kernels have vectors. */
        SCALAR_FUNCTION(1_500, 9, 0.05, 0.045);

        private final long nodeNanos;
        private final double termNanos;
        private final double byteNanos;
        private final double kernels;

        Kind(long nodeNanos, double termNanos, double byteNanos, double kernels) {
            this.nodeNanos = nodeNanos;
            this.termNanos = termNanos;
            this.byteNanos = byteNanos;
            this.kernels = kernels;
        }
    }

    /**
     * An estimate in nanoseconds.
     *
     * @param host what the CPU path takes
     * @param kernels what the kernels of a processor take, computing alone
     */
    record Estimate(long host, long kernels) {}

    private final double slowdown;

    /** @param slowdown how many times slower this machine's CPU path is than the one that was measured */
    HostCosts(double slowdown) {
        this.slowdown = slowdown;
    }

    /**
     * The estimated time of a node; empty for operators, types and sizes of which nothing is known.
     *
     * @param isConstant whether a value is the same in every run
     */
    Optional<Estimate> of(CheckedNode node, Predicate<String> isConstant) {
        Optional<CpuWork> work = node.op().cpuWork();
        if (work.isEmpty() || !isOf(node, GENERAL.contains(work.get()) ? KNOWN : FAST)) {
            return Optional.empty();
        }
        return switch (work.get()) {
            case PRODUCT, CONVOLUTION, DEPTHWISE -> ofProducts(work.get(), node, isConstant);
            case MOVEMENT -> Optional.of(estimate(Kind.ELEMENTS, 0, node));
            case ARITHMETIC ->
                Optional.of(
                        isOf(node, FAST)
                                ? estimate(Kind.ELEMENTS, 0, node)
                                : estimate(Kind.SCALAR_ELEMENTS, written(node), node));
            case SCALAR_ARITHMETIC -> Optional.of(estimate(Kind.SCALAR_ELEMENTS, written(node), node));
            case FUNCTION -> Optional.of(estimate(Kind.FUNCTION, 0, node));
            case SCALAR_FUNCTION -> Optional.of(estimate(Kind.SCALAR_FUNCTION, written(node), node));
            case REDUCTION -> Optional.of(estimate(Kind.REDUCTION, read(node), node));
            case SCALAR_REDUCTION -> Optional.of(estimate(Kind.SCALAR_REDUCTION, read(node), node));
            case SOFTMAX -> Optional.of(estimate(Kind.SOFTMAX, read(node), node));
            case MAXIMUM -> ofWindows(Kind.MAXIMUM, node);
            case MEAN -> ofWindows(Kind.MEAN, node);
        };
    }

    private Optional<Estimate> ofProducts(CpuWork work, CheckedNode node, Predicate<String> isConstant) {
        OptionalLong products = node.multiplyAdds();
        TensorType weights = node.inputTypes().size() > 1 ? node.inputTypes().get(1) : null;
        if (products.orElse(0) == 0 || weights == null || weights.shape().rank() < 2) {
            return Optional.empty();
        }
        Kind kind;
        if (work == CpuWork.PRODUCT) {
            boolean isPacked = isConstant.test(node.node().inputs().get(1));
            kind = product(products.getAsLong(), node.binding(), weights, isPacked);
        } else {
            boolean isDepthwise = work == CpuWork.DEPTHWISE
                    || (weights.shape().size(1) == 1
                            && node.binding().has("groups")
                            && node.binding().integer("groups") > 1);
            kind = isDepthwise ? depthwise(node.binding()) : Kind.PRODUCT;
        }
        return Optional.of(estimate(kind, products.getAsLong(), node));
    }

    private static Kind product(long products, Binding binding, TensorType right, boolean isPacked) {
        if (areSmall(binding, right)) {
            return Kind.SMALL_PRODUCTS;
        }
        boolean isRead = products < FEW_ROWS * right.shape().elements();
        return isRead ? Kind.VECTOR_PRODUCT : isPacked ? Kind.CONSTANT_PRODUCT : Kind.PRODUCT;
    }

    /** Several matrices, each of which is small. */
    private static boolean areSmall(Binding binding, TensorType right) {
        if (!binding.has("k") || !binding.has("n")) {
            return false;
        }
        long elements = binding.integer("k") * binding.integer("n");
        return elements <= SMALL_MATRIX && right.shape().elements() > elements;
    }

    private static Kind depthwise(Binding binding) {
        if (!Stream.of("kernel", "strides", "dilations").allMatch(binding::has)) {
            return Kind.ANY_DEPTHWISE;
        }
        long[] kernel = binding.integers("kernel");
        long[] strides = binding.integers("strides");
        boolean isSquare = kernel.length == 2
                && kernel[0] == kernel[1]
                && kernel[0] % 2 == 1
                && kernel[0] > 1
                && LongStream.of(binding.integers("dilations")).allMatch(step -> step == 1);
        if (!isSquare) {
            return Kind.ANY_DEPTHWISE;
        }
        if (strides[0] == 1 && strides[1] == 1) {
            return kernel[0] == 3 ? Kind.DEPTHWISE : Kind.SQUARE_DEPTHWISE;
        }
        boolean isHalving = kernel[0] == 3 && strides[0] == 2 && strides[1] == 2;
        return isHalving ? Kind.STRIDED_DEPTHWISE : Kind.ANY_DEPTHWISE;
    }

    private Estimate estimate(Kind kind, long terms, CheckedNode node) {
        double nanos = kind.termNanos * terms + kind.byteNanos * bytes(node);
        return new Estimate(kind.nodeNanos + (long) (slowdown * nanos), (long) (kind.kernels * nanos));
    }

    private Optional<Estimate> ofWindows(Kind kind, CheckedNode node) {
        if (!node.binding().has("kernel")) {
            return Optional.empty();
        }
        long taps = LongStream.of(node.binding().integers("kernel")).reduce(1, (a, b) -> a * b);
        return Optional.of(estimate(kind, written(node) * taps, node));
    }

    private static long written(CheckedNode node) {
        return node.outputTypes().get(0).shape().elements();
    }

    /** Elements that are folded. */
    private static long read(CheckedNode node) {
        TensorType x = node.inputTypes().get(0);
        return x == null ? 0 : x.shape().elements();
    }

    /** Of inputs and outputs together, weights of products included: they are small beside these, or read but once. */
    private static long bytes(CheckedNode node) {
        return types(node).mapToLong(TensorType::bytes).sum();
    }

    private static boolean isOf(CheckedNode node, Set<DType> dtypes) {
        return types(node).allMatch(type -> dtypes.contains(type.dtype()));
    }

    private static Stream<TensorType> types(CheckedNode node) {
        return Stream.concat(node.inputTypes().stream(), node.outputTypes().stream())
                .filter(Objects::nonNull);
    }
}
