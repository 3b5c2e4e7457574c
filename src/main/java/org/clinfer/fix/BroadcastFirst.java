package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Brings the inputs of arithmetic to the shape of the result, for devices that take equal shapes alone.
 *
 * <pre>
 * y = Mul(x, gate)               gate of [1, channels, 1, 1]
 * y = Mul(x, Expand(gate))       or DeePhiTile, or the elements of a constant repeated
 * </pre>
 */
final class BroadcastFirst implements Rewrite {

    private static final Set<String> ARITHMETIC = Set.of("Add", "Sub", "Mul", "Div", "Max", "Min");

    private static final long MOST_ELEMENTS = 1L << 24;

    @Override
    public List<Replacement> of(Site site) {
        boolean isBroadcast = ARITHMETIC.contains(site.op())
                && site.node().node().inputs().stream().anyMatch(input -> !isWhole(site, input))
                && site.outputType().shape().elements() <= MOST_ELEMENTS;
        if (!isBroadcast) {
            return List.of();
        }
        List<Replacement> all = new ArrayList<>();
        boolean isDynamic = site.node().node().inputs().stream()
                .anyMatch(input -> !isWhole(site, input) && site.constant(input).isEmpty());
        all.addAll(site.by("inputs of the whole shape", draft -> brought(site, draft, true)));
        if (isDynamic) {
            all.addAll(site.by("inputs of the whole shape", draft -> brought(site, draft, false)));
        }
        return all;
    }

    private static boolean isWhole(Site site, String input) {
        return Arrays.equals(site.sizes(input), site.outputSizes());
    }

    private static Edge brought(Site site, Draft draft, boolean isExpanded) {
        List<Edge> inputs = new ArrayList<>();
        for (String input : site.node().node().inputs()) {
            if (isWhole(site, input)) {
                inputs.add(draft.edge(input));
            } else if (site.constant(input).isPresent()) {
                inputs.add(draft.constant(repeated(site.constant(input).get(), site.outputSizes())));
            } else {
                inputs.add(
                        isExpanded
                                ? draft.ops()
                                        .expand(draft.edge(input), site.outputSizes())
                                        .y()
                                : tiled(site, draft, input));
            }
        }
        return draft.again(site.node(), inputs);
    }

    private static Edge tiled(Site site, Draft draft, String input) {
        long[] own = own(site.sizes(input), site.outputSizes().length);
        long[] times = site.outputSizes().clone();
        for (int i = 0; i < own.length; i++) {
            times[i] = own[i] == 1 ? times[i] : 1;
        }
        return draft.ops()
                .deePhiTile(draft.reshaped(draft.edge(input), own), times)
                .y();
    }

    /** The sizes with ones in front. */
    private static long[] own(long[] sizes, int rank) {
        long[] own = new long[rank];
        Arrays.fill(own, 1);
        System.arraycopy(sizes, 0, own, rank - sizes.length, sizes.length);
        return own;
    }

    private static Tensor repeated(Tensor constant, long[] sizes) {
        Tensor whole = Tensor.allocate(constant.dtype(), sizes);
        long[] own = own(constant.shape().sizes(), sizes.length);
        for (long i = 0; i < whole.elements(); i++) {
            long rest = i;
            long from = 0;
            long step = 1;
            for (int axis = sizes.length - 1; axis >= 0; axis--) {
                long at = rest % sizes[axis];
                rest /= sizes[axis];
                from += (own[axis] == 1 ? 0 : at) * step;
                step *= own[axis];
            }
            whole.setDouble(i, constant.getDouble(from));
        }
        return whole;
    }
}
