package org.clinfer.fix;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.Tensor;

/** Chains of nodes that only move elements: which element of the first input each element of the result is. */
final class MovedElements {

    private static final Set<String> ORDERED = Set.of("Reshape", "Flatten", "Squeeze", "Unsqueeze");
    private static final Set<String> MOVES =
            Set.of("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Gather");

    private static final long MOST_ELEMENTS = 1L << 22;

    private MovedElements() {}

    static boolean isMove(CheckedNode node) {
        return MOVES.contains(node.node().op());
    }

    /** A node and the moves in front of it, the first of them first. */
    static List<CheckedNode> chain(Region region, CheckedNode last) {
        List<CheckedNode> chain = new ArrayList<>(List.of(last));
        Optional<CheckedNode> giver = region.giver(last.node().inputs().get(0));
        while (giver.filter(MovedElements::isMove).isPresent()) {
            chain.add(0, giver.get());
            giver = region.giver(giver.get().node().inputs().get(0));
        }
        return chain;
    }

    /** The moves behind a move whose results others than moves read. */
    static Set<CheckedNode> ends(Region region, CheckedNode move) {
        Set<CheckedNode> ends = new LinkedHashSet<>();
        List<CheckedNode> open = new ArrayList<>(List.of(move));
        while (!open.isEmpty()) {
            CheckedNode node = open.remove(0);
            List<CheckedNode> further = region.checked().nodes().stream()
                    .filter(reader -> isMove(reader)
                            && reader.node()
                                    .inputs()
                                    .get(0)
                                    .equals(node.node().outputs().get(0)))
                    .toList();
            if (further.size() < region.readers(node.node().outputs().get(0))) {
                ends.add(node);
            }
            open.addAll(further);
        }
        return ends;
    }

    /** The position in the first input of each element of the result; empty where a node is not understood. */
    static Optional<int[]> positions(Site site, List<CheckedNode> chain) {
        Site first = site.at(chain.get(0));
        long elements = first.type(first.x()).shape().elements();
        if (elements > MOST_ELEMENTS) {
            return Optional.empty();
        }
        int[] positions = IntStream.range(0, (int) elements).toArray();
        for (CheckedNode node : chain) {
            Site at = site.at(node);
            if (at.op().equals("Transpose")) {
                positions = picked(positions, at.sizes(at.x()), turned(at));
            } else if (at.op().equals("Gather")) {
                Optional<Tensor> indices = at.constant(1);
                if (indices.isEmpty()) {
                    return Optional.empty();
                }
                positions = gathered(positions, at, indices.get());
            } else if (!ORDERED.contains(at.op())) {
                return Optional.empty();
            }
        }
        return Optional.of(positions);
    }

    private static int[] picked(int[] positions, long[] sizes, int[] perm) {
        int rank = sizes.length;
        long[] steps = new long[rank];
        long step = 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            steps[axis] = step;
            step *= sizes[axis];
        }
        int[] picked = new int[positions.length];
        for (int i = 0; i < picked.length; i++) {
            long rest = i;
            long from = 0;
            for (int axis = rank - 1; axis >= 0; axis--) {
                from += rest % sizes[perm[axis]] * steps[perm[axis]];
                rest /= sizes[perm[axis]];
            }
            picked[i] = positions[(int) from];
        }
        return picked;
    }

    private static int[] turned(Site transpose) {
        long[] perm = transpose.node().binding().integers("perm");
        return IntStream.range(0, perm.length).map(i -> (int) perm[i]).toArray();
    }

    private static int[] gathered(int[] positions, Site gather, Tensor indices) {
        Binding binding = gather.node().binding();
        long[] sizes = gather.sizes(gather.x());
        int axis = Math.floorMod((int) binding.integer("axis"), sizes.length);
        long inner = 1;
        for (int i = axis + 1; i < sizes.length; i++) {
            inner *= sizes[i];
        }
        int count = (int) indices.elements();
        int[] gathered = new int[(int) (positions.length / sizes[axis]) * count];
        for (int i = 0; i < gathered.length; i++) {
            long index = Math.floorMod(indices.getLong(i / inner % count), sizes[axis]);
            long outer = i / inner / count;
            gathered[i] = positions[(int) ((outer * sizes[axis] + index) * inner + i % inner)];
        }
        return gathered;
    }
}
