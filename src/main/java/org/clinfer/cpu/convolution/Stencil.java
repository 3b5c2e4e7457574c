package org.clinfer.cpu.convolution;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.cpu.window.Window;

/**
 * Outputs that see the same kernel elements, each of them at a fixed distance: position p of an axis is output coordinate
 * {@code first + p * outStep}, and its tap is at input coordinate {@code p * step + offset}. A tap outside of the input is
 * of no effect. All arrays are of [depth, height, width].
 *
 * @param in input sizes
 * @param positions how many outputs per axis
 * @param taps which kernel elements are seen, and their offsets; the width is the fastest axis
 * @param rowTaps how many of them differ in nothing but the width
 */
@SuppressWarnings("ArrayRecordComponent")
record Stencil(int[] in, int[] positions, int[] first, int[] outStep, int[] step, List<Tap> taps, int rowTaps) {

    private static final int[] ONES = {1, 1, 1};

    /** A kernel element by its coordinates, and the input it meets at position 0. */
    record Tap(int[] at, int[] offset) {}

    /** All outputs of a convolution. */
    static Stencil forward(Window window) {
        List<Tap> taps = new ArrayList<>();
        for (int tap = 0; tap < window.taps(); tap++) {
            int[] at = window.tap(tap);
            int[] offset = new int[3];
            for (int axis = 0; axis < 3; axis++) {
                offset[axis] = at[axis] * window.dilation()[axis] - window.padBegin()[axis];
            }
            taps.add(new Tap(at, offset));
        }
        int rowTaps = window.kernel()[2];
        if (window.isPointwise()) {
            int[] line = {1, 1, window.inElements()};
            return new Stencil(line, line, new int[3], ONES, ONES, taps, rowTaps);
        }
        return new Stencil(window.in(), window.out(), new int[3], ONES, window.stride(), taps, rowTaps);
    }

    /**
     * The outputs of a transposed convolution that any tap reaches. Outputs whose coordinates have the same residue by the
     * stride see the same taps, and neighbours among them see neighbouring inputs; so each set of residues is a
     * convolution of its own, nothing is added twice to one output, and threads never meet.
     */
    static List<Stencil> transposed(Window window) {
        List<Phase> depths = phases(window, 0);
        List<Phase> heights = phases(window, 1);
        List<Phase> widths = phases(window, 2);
        List<Stencil> stencils = new ArrayList<>();
        for (Phase depth : depths) {
            for (Phase height : heights) {
                for (Phase width : widths) {
                    stencils.add(joined(window, depth, height, width));
                }
            }
        }
        return stencils;
    }

    /** Outputs {@code first + p * stride} of one axis, the kernel elements they see, and these's offsets. */
    private record Phase(int first, int positions, List<Integer> elements, List<Integer> offsets) {}

    private static List<Phase> phases(Window window, int axis) {
        int stride = window.stride()[axis];
        int out = window.out()[axis];
        Map<Integer, Phase> phases = new TreeMap<>();
        for (int element = 0; element < window.kernel()[axis]; element++) {
            int shift = element * window.dilation()[axis] - window.padBegin()[axis];
            int residue = Math.floorMod(shift, stride);
            if (residue < out) {
                Phase phase = phases.computeIfAbsent(
                        residue,
                        first ->
                                new Phase(first, (out - 1 - first) / stride + 1, new ArrayList<>(), new ArrayList<>()));
                phase.elements.add(element);
                phase.offsets.add(-Math.floorDiv(shift, stride));
            }
        }
        return List.copyOf(phases.values());
    }

    private static Stencil joined(Window window, Phase depth, Phase height, Phase width) {
        List<Tap> taps = new ArrayList<>();
        for (int d = 0; d < depth.elements.size(); d++) {
            for (int h = 0; h < height.elements.size(); h++) {
                for (int w = 0; w < width.elements.size(); w++) {
                    int[] at = {depth.elements.get(d), height.elements.get(h), width.elements.get(w)};
                    taps.add(
                            new Tap(at, new int[] {depth.offsets.get(d), height.offsets.get(h), width.offsets.get(w)}));
                }
            }
        }
        return new Stencil(
                window.in(),
                new int[] {depth.positions, height.positions, width.positions},
                new int[] {depth.first, height.first, width.first},
                window.stride(),
                ONES,
                taps,
                width.elements.size());
    }

    /** The number of outputs. */
    int outputs() {
        return Window.product(positions);
    }

    /** {@return whether a line of the input at these coordinates is inside of it} */
    boolean isLine(int depth, int height) {
        return depth >= 0 && depth < in[0] && height >= 0 && height < in[1];
    }

    /** A walk over the positions of all images, from number {@code start} on. */
    Walk walk(int start) {
        return new Walk(positions, start);
    }

    /** The state of a walk over positions; the width is the fastest axis. */
    static final class Walk {
        private final int[] positions;
        int image;
        int depth;
        int height;
        int width;

        private Walk(int[] positions, int start) {
            this.positions = positions;
            this.width = start % positions[2];
            int line = start / positions[2];
            this.height = line % positions[1];
            int plane = line / positions[1];
            this.depth = plane % positions[0];
            this.image = plane / positions[0];
        }

        /** Positions up to the end of the line, or {@code most}. */
        int run(int most) {
            return Math.min(positions[2] - width, most);
        }

        /** Moves on by {@code count} positions of the line. */
        void skip(int count) {
            width += count;
            if (width < positions[2]) {
                return;
            }
            width = 0;
            height++;
            if (height == positions[1]) {
                height = 0;
                depth++;
            }
            if (depth == positions[0]) {
                depth = 0;
                image++;
            }
        }
    }
}
