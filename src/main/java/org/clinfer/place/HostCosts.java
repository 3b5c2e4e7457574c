package org.clinfer.place;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.costs.CpuLoop;
import org.clinfer.costs.CpuWork;
import org.clinfer.costs.MachineCosts;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * About how long the CPU path takes for a node: the costs of its loop, times what is computed and moved.
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
     * An estimate in nanoseconds.
     *
     * @param host what the CPU path takes
     * @param kernels what the kernels of a processor take, computing alone
     */
    record Estimate(long host, long kernels) {}

    private final MachineCosts.Host host;
    private final double slowdown;

    /** @param isPlain whether the CPU path computes without vectors */
    HostCosts(MachineCosts.Host host, boolean isPlain) {
        this.host = host;
        this.slowdown = isPlain ? host.plainFactor() : 1;
    }

    /**
     * The estimated time of a node; empty for types and sizes of which nothing is known.
     *
     * @param work what the CPU's code does for it
     * @param isConstant whether a value is the same in every run
     */
    Optional<Estimate> of(CpuWork work, CheckedNode node, Predicate<String> isConstant) {
        if (!isOf(node, GENERAL.contains(work) ? KNOWN : FAST)) {
            return Optional.empty();
        }
        return switch (work) {
            case PRODUCT, CONVOLUTION -> ofProducts(work, node, isConstant);
            case MOVEMENT -> Optional.of(estimate(CpuLoop.ELEMENTS, 0, node));
            case ARITHMETIC ->
                Optional.of(
                        isOf(node, FAST)
                                ? estimate(CpuLoop.ELEMENTS, 0, node)
                                : estimate(CpuLoop.SCALAR_ELEMENTS, written(node), node));
            case SCALAR_ARITHMETIC -> Optional.of(estimate(CpuLoop.SCALAR_ELEMENTS, written(node), node));
            case FUNCTION -> Optional.of(estimate(CpuLoop.FUNCTION, 0, node));
            case SCALAR_FUNCTION -> Optional.of(estimate(CpuLoop.SCALAR_FUNCTION, written(node), node));
            case REDUCTION -> Optional.of(estimate(CpuLoop.REDUCTION, read(node), node));
            case SCALAR_REDUCTION -> Optional.of(estimate(CpuLoop.SCALAR_REDUCTION, read(node), node));
            case SOFTMAX -> Optional.of(estimate(CpuLoop.SOFTMAX, read(node), node));
            case MAXIMUM -> ofWindows(CpuLoop.MAXIMUM, node);
            case MEAN -> ofWindows(CpuLoop.MEAN, node);
        };
    }

    private Optional<Estimate> ofProducts(CpuWork work, CheckedNode node, Predicate<String> isConstant) {
        OptionalLong products = node.multiplyAdds();
        TensorType weights = node.inputTypes().size() > 1 ? node.inputTypes().get(1) : null;
        if (products.orElse(0) == 0 || weights == null || weights.shape().rank() < 2) {
            return Optional.empty();
        }
        CpuLoop loop;
        if (work == CpuWork.PRODUCT) {
            boolean isPacked = isConstant.test(node.node().inputs().get(1));
            loop = product(products.getAsLong(), node.binding(), weights, isPacked);
        } else {
            boolean isDepthwise = weights.shape().size(1) == 1
                    && node.binding().has("groups")
                    && node.binding().integer("groups") > 1;
            loop = isDepthwise ? depthwise(node.binding()) : CpuLoop.PRODUCT;
        }
        return Optional.of(estimate(loop, products.getAsLong(), node));
    }

    private static CpuLoop product(long products, Binding binding, TensorType right, boolean isPacked) {
        if (areSmall(binding, right)) {
            return CpuLoop.SMALL_PRODUCTS;
        }
        boolean isRead = products < FEW_ROWS * right.shape().elements();
        return isRead ? CpuLoop.VECTOR_PRODUCT : isPacked ? CpuLoop.CONSTANT_PRODUCT : CpuLoop.PRODUCT;
    }

    /** Several matrices, each of which is small. */
    private static boolean areSmall(Binding binding, TensorType right) {
        if (!binding.has("k") || !binding.has("n")) {
            return false;
        }
        long elements = binding.integer("k") * binding.integer("n");
        return elements <= SMALL_MATRIX && right.shape().elements() > elements;
    }

    private static CpuLoop depthwise(Binding binding) {
        if (!Stream.of("kernel", "strides", "dilations").allMatch(binding::has)) {
            return CpuLoop.ANY_DEPTHWISE;
        }
        long[] kernel = binding.integers("kernel");
        long[] strides = binding.integers("strides");
        boolean isSquare = kernel.length == 2
                && kernel[0] == kernel[1]
                && kernel[0] % 2 == 1
                && kernel[0] > 1
                && LongStream.of(binding.integers("dilations")).allMatch(step -> step == 1);
        if (!isSquare) {
            return CpuLoop.ANY_DEPTHWISE;
        }
        if (strides[0] == 1 && strides[1] == 1) {
            return kernel[0] == 3 ? CpuLoop.DEPTHWISE : CpuLoop.SQUARE_DEPTHWISE;
        }
        boolean isHalving = kernel[0] == 3 && strides[0] == 2 && strides[1] == 2;
        return isHalving ? CpuLoop.STRIDED_DEPTHWISE : CpuLoop.ANY_DEPTHWISE;
    }

    private Estimate estimate(CpuLoop loop, long terms, CheckedNode node) {
        MachineCosts.Loop costs = Objects.requireNonNull(host.loops().get(loop));
        double nanos = costs.termNanos() * terms + costs.byteNanos() * bytes(node);
        return new Estimate(costs.nodeNanos() + (long) (slowdown * nanos), (long) (costs.kernelShare() * nanos));
    }

    private Optional<Estimate> ofWindows(CpuLoop loop, CheckedNode node) {
        if (!node.binding().has("kernel")) {
            return Optional.empty();
        }
        long taps = LongStream.of(node.binding().integers("kernel")).reduce(1, (a, b) -> a * b);
        return Optional.of(estimate(loop, written(node) * taps, node));
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
