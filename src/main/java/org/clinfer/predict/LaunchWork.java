package org.clinfer.predict;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.kernel.KernelArgument;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.kernel.TensorRef;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/**
 * The work of one kernel launch.
 *
 * @param groups work-groups
 * @param groupItems work-items of a group
 * @param products multiplications with an addition of a group, those beyond the edges of tensors included
 * @param readBytesPerProduct bytes that a work-item reads from local memory, or the cache of its unit, for each of them
 * @param rounds reads, one after the other, for which a group waits
 * @param localBytes local memory of a group
 * @param movedBytes bytes of the device's memory that all groups read and write, each counted once
 * @param tile the tile of a product that a group computes; empty for other kernels
 */
public record LaunchWork(
        long groups,
        long groupItems,
        double products,
        double readBytesPerProduct,
        long rounds,
        long localBytes,
        long movedBytes,
        Optional<RegisterTile> tile) {

    /** The group size where the driver chooses it. */
    private static final long USUAL_GROUP = 64;

    /** An index, or what depends on it, then the value, and what is written. */
    private static final long USUAL_ROUNDS = 3;

    /** Rounds of a tile beside those of its terms: the first ones, what is added to the sums, and what is written. */
    private static final long TILE_ROUNDS = 4;

    /** The axis of a work-group along which items share the terms of a tile. */
    private static final int SLICE_AXIS = 2;

    /** Parameters of kernels with tiles that count the terms of a group, in the order in which they are looked for. */
    private static final List<String> TERMS = List.of("split_slots", "terms_each", "channel_slots", "slots", "k");

    /**
     * The work of a launch of a node.
     *
     * @param multiplies whether it does the products of the node, if it has no tile
     */
    static LaunchWork of(PlacedNode node, KernelLaunch launch, boolean multiplies) {
        long items = product(launch.global());
        long groupItems = launch.local().isEmpty() ? Math.min(items, USUAL_GROUP) : product(launch.local());
        long groups = (items + groupItems - 1) / groupItems;
        long local = launch.arguments().values().stream()
                .filter(KernelArgument.Local.class::isInstance)
                .mapToLong(argument -> ((KernelArgument.Local) argument).bytes())
                .sum();
        long moved = movedBytes(node, launch);
        Optional<RegisterTile> tile = RegisterTile.of(launch);
        if (tile.isPresent()) {
            double terms = terms(node, launch);
            long slices = launch.local().size() > SLICE_AXIS ? launch.local().get(SLICE_AXIS) : 1;
            long rounds =
                    TILE_ROUNDS + (long) Math.ceil(terms / (slices * tile.get().depth()));
            return new LaunchWork(
                    groups,
                    groupItems,
                    terms * tile.get().elements(),
                    Float.BYTES * tile.get().readsPerProduct(),
                    rounds,
                    local + slices * tile.get().localBytes(),
                    moved,
                    tile);
        }
        double products = multiplies ? (double) node.node().multiplyAdds().orElse(0) / groups : 0;
        return new LaunchWork(groups, groupItems, products, Float.BYTES, USUAL_ROUNDS, local, moved, tile);
    }

    private static long product(List<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
    }

    /** The terms of a group: what the kernel is told, else those of an element of the result. */
    private static double terms(PlacedNode node, KernelLaunch launch) {
        for (String parameter : TERMS) {
            if (launch.arguments().get(parameter) instanceof KernelArgument.Scalar scalar) {
                ByteBuffer bytes = scalar.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
                return bytes.remaining() == Long.BYTES ? bytes.getLong(0) : bytes.getInt(0);
            }
        }
        long results = node.outputTypes().get(0).shape().elements();
        return results == 0 ? 0 : Math.ceil((double) node.node().multiplyAdds().orElse(0) / results);
    }

    /** A kernel that moves elements reads no more than it writes; one of several copies moves its own tensor alone. */
    private static long movedBytes(PlacedNode node, KernelLaunch launch) {
        List<TensorRef> tensors = launch.arguments().values().stream()
                .filter(KernelArgument.Buffer.class::isInstance)
                .map(argument -> ((KernelArgument.Buffer) argument).tensor())
                .distinct()
                .toList();
        Stream<Long> bytes = tensors.stream().map(tensor -> bytes(node, tensor));
        if (launch.repeat() >= 0) {
            return 2 * bytes.min(Long::compare).orElse(0L);
        }
        if (node.description().moves()) {
            return 2 * node.outputTypes().get(0).bytes();
        }
        return bytes.mapToLong(Long::longValue).sum();
    }

    private static long bytes(PlacedNode node, TensorRef tensor) {
        TensorType type = switch (tensor.kind()) {
            case INPUT -> Objects.requireNonNull(node.inputTypes().get(tensor.position()));
            case OUTPUT -> node.outputTypes().get(tensor.position());
            case SCRATCH -> scratch(node).get(tensor.position()).type();
        };
        return type.bytes();
    }

    private static List<KernelPlan.Scratch> scratch(PlacedNode node) {
        return node.launches().map(KernelPlan::scratch).orElse(List.of());
    }
}
