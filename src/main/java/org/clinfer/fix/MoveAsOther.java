package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.describe.Binding;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Writes what only moves elements by another operator that does the same.
 *
 * <pre>
 * y = Transpose(x)            y = Reshape(x)                           where only sizes of 1 change places
 * y = Slice(x) {steps: 2}     y = MaxPool(x) {kernel_size: [1, 1], strides: [2, 2]}
 * y = Gather(x, [3])          y = Slice(x)
 * y = Pad(x)                  y = Concat(zeros, x, zeros)
 * y = Concat(a, b) {axis: 2}  y = Add(Pad(a), Pad(b))
 * </pre>
 */
final class MoveAsOther implements Rewrite {

    private static final int PICTURES = 4;

    private static final long MOST_ELEMENTS = 1L << 22;

    @Override
    public List<Replacement> of(Site site) {
        if (site.node().node().outputs().size() != 1) {
            return List.of();
        }
        return switch (site.op()) {
            case "Transpose" -> transpose(site);
            case "Slice" -> slice(site);
            case "Gather" -> gather(site);
            case "Pad" -> pad(site);
            case "Upsample", "Resize" -> repeat(site);
            default -> List.of();
        };
    }

    private static List<Replacement> transpose(Site site) {
        long[] in = site.sizes(site.x());
        long[] perm = site.node().binding().integers("perm");
        long last = -1;
        for (long axis : perm) {
            if (in[(int) axis] != 1) {
                if (axis < last) {
                    return List.of();
                }
                last = axis;
            }
        }
        return site.by("as a reshape", draft -> draft.reshaped(draft.x(), site.outputSizes()));
    }

    private static List<Replacement> slice(Site site) {
        Binding binding = site.node().binding();
        long[] begin = binding.integers("begin");
        long[] end = binding.integers("end");
        long[] step = binding.integers("step");
        long[] in = site.sizes(site.x());
        List<Replacement> all = new ArrayList<>();
        boolean isSpatial = in.length == PICTURES
                && site.outputType().dtype().isFloating()
                && Arrays.stream(step).allMatch(each -> each > 0)
                && step[0] == 1
                && step[1] == 1;
        if (isSpatial && step[2] * step[3] > 1) {
            all.addAll(site.by("steps as " + Subsampling.POOL.words(), draft -> {
                Edge x = draft.x();
                for (int axis = 0; axis < PICTURES; axis++) {
                    x = draft.slice(x, axis, begin[axis], end[axis], 1);
                }
                return Subsampling.POOL.of(draft, x, new long[] {step[2], step[3]});
            }));
        }
        return all;
    }

    /** Of one constant index, or of indices that follow each other. */
    private static List<Replacement> gather(Site site) {
        Optional<Tensor> indices = site.constant(1).filter(all -> all.elements() > 0);
        if (indices.isEmpty() || site.constant(0).isPresent()) {
            return List.of();
        }
        long[] in = site.sizes(site.x());
        int axis = Math.floorMod((int) site.node().binding().integer("axis"), in.length);
        long first = Math.floorMod(indices.get().getLong(0), in[axis]);
        for (long i = 0; i < indices.get().elements(); i++) {
            if (Math.floorMod(indices.get().getLong(i), in[axis]) != first + i) {
                return List.of();
            }
        }
        long count = indices.get().elements();
        return site.by("as a slice", draft -> {
            Edge part = draft.slice(draft.x(), axis, first, first + count, 1);
            return Arrays.equals(Draft.sizes(part), site.outputSizes())
                    ? part
                    : draft.reshaped(part, site.outputSizes());
        });
    }

    private static List<Replacement> pad(Site site) {
        Binding binding = site.node().binding();
        long[] before = binding.integers("before");
        long[] after = binding.integers("after");
        boolean isConstant = binding.text("mode").equals("CONSTANT")
                && LongStream.concat(LongStream.of(before), LongStream.of(after))
                        .allMatch(size -> size >= 0)
                && site.outputType().shape().elements() <= MOST_ELEMENTS;
        if (!isConstant) {
            return List.of();
        }
        double[] values = binding.reals("constant_values");
        return site.by("as a concatenation with constants", draft -> {
            Edge y = draft.x();
            for (int axis = 0; axis < before.length; axis++) {
                List<Edge> parts = new ArrayList<>();
                border(site, draft, y, axis, before[axis], values[2 * axis]).ifPresent(parts::add);
                parts.add(y);
                border(site, draft, y, axis, after[axis], values[2 * axis + 1]).ifPresent(parts::add);
                y = draft.concat(parts, axis);
            }
            return y;
        });
    }

    private static Optional<Edge> border(Site site, Draft draft, Edge x, int axis, long size, double value) {
        if (size == 0) {
            return Optional.empty();
        }
        long[] sizes = Draft.sizes(x).clone();
        sizes[axis] = size;
        Tensor border = Tensor.allocate(site.outputType().dtype(), sizes);
        for (long i = 0; value != 0 && i < border.elements(); i++) {
            border.setDouble(i, value);
        }
        return Optional.of(draft.constant(border));
    }

    /** Pictures of which each element is repeated a whole number of times. */
    private static List<Replacement> repeat(Site site) {
        long[] in = site.sizes(site.x());
        long[] out = site.outputSizes();
        boolean isWhole = in.length == PICTURES
                && site.outputType().dtype().isFloating()
                && in[0] == out[0]
                && in[1] == out[1]
                && out[2] % in[2] == 0
                && out[3] % in[3] == 0
                && site.node().binding().text("filter").equals("nearest");
        if (!isWhole) {
            return List.of();
        }
        long rows = out[2] / in[2];
        long columns = out[3] / in[3];
        return site.by("as a depthwise transposed convolution", draft -> {
            Tensor ones = Weights.of(site.outputType().dtype(), in[1], 1, rows, columns, (o, i, y, x) -> 1);
            return draft.ops()
                    .conv2dTranspose(draft.x(), draft.constant(ones))
                    .strides(rows, columns)
                    .group(in[1])
                    .y();
        });
    }
}
