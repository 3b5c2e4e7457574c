package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.Integers;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.StridedSlices;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;

/** Parts of a value. */
final class SliceLayers {

    private SliceLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.several("Split", SliceLayers::split);
        all.several("VariadicSplit", SliceLayers::variadicSplit);
        all.one("Slice", SliceLayers::slice);
        all.one("StridedSlice", SliceLayers::stridedSlice);
    }

    private static List<Value> split(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        long parts = call.attributes().integer("num_splits");
        if (parts != call.outputCount()) {
            throw call.malformed("it makes " + parts + " parts, but has " + call.outputCount() + " outputs");
        }
        Value x = call.input(0);
        int axis = cutAxis(call, x);
        long size = call.size(x, axis, "elements");
        if (size % parts != 0) {
            throw call.malformed(size + " elements cannot be divided into " + parts + " parts");
        }
        long[] lengths = new long[(int) parts];
        Arrays.fill(lengths, size / parts);
        return parts(call, x, axis, lengths);
    }

    private static List<Value> variadicSplit(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        Value x = call.input(0);
        int axis = cutAxis(call, x);
        long[] lengths = call.isMissing(2)
                ? IntStream.range(0, call.outputCount())
                        .mapToLong(i -> declaredSize(call, i, axis))
                        .toArray()
                : call.integers(2, "lengths").clone();
        if (lengths.length != call.outputCount()) {
            throw call.malformed("it makes " + lengths.length + " parts, but has " + call.outputCount() + " outputs");
        }
        long known = Arrays.stream(lengths).filter(length -> length != -1).sum();
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = lengths[i] == -1 ? call.size(x, axis, "elements") - known : lengths[i];
            if (lengths[i] < 0) {
                throw call.malformed("a part would have " + lengths[i] + " elements");
            }
        }
        return parts(call, x, axis, lengths);
    }

    private static List<Value> parts(OpenVinoLayerCall call, Value x, int axis, long[] lengths) {
        Params params = new Params().put("axis", (long) axis).put("split", lengths);
        return call.addAll("Split", List.of(x), params.put("num_outputs", (long) lengths.length), lengths.length);
    }

    private static long declaredSize(OpenVinoLayerCall call, int output, int axis) {
        if (axis < call.declared(output).rank() && call.declared(output).dim(axis) instanceof Dim.Known known) {
            return known.size();
        }
        throw new MissingValues(2);
    }

    /** The axis; where a file would tell it that is not there, the one along which input and output differ. */
    private static int cutAxis(OpenVinoLayerCall call, Value x) {
        if (!call.isMissing(1)) {
            return call.axis(call.integer(1, "axes"), x.rank());
        }
        List<Dim> part = call.declared(0).dims();
        int[] differing = IntStream.range(0, x.rank())
                .filter(axis -> axis < part.size() && !x.shape().dim(axis).equals(part.get(axis)))
                .toArray();
        if (part.size() != x.rank() || differing.length != 1) {
            throw new MissingValues(1);
        }
        return differing[0];
    }

    private static Value slice(OpenVinoLayerCall call) {
        call.requireInputs(4, 5);
        List<Value> operands = new ArrayList<>(call.inputs().subList(0, 2));
        operands.add(stops(call));
        operands.add(call.inputCount() == 5 ? call.input(4) : Value.NONE);
        operands.add(call.input(3));
        return call.last("Slice", operands, new Params());
    }

    /** The ends of the slice, as Slice has them where they and the steps are known. */
    private static Value stops(OpenVinoLayerCall call) {
        Optional<long[]> stops = integers(call, 2);
        Optional<long[]> steps = integers(call, 3);
        if (stops.isEmpty() || steps.isEmpty() || stops.get().length != steps.get().length) {
            return call.input(2);
        }
        long[] ends = IntStream.range(0, stops.get().length)
                .mapToLong(i -> StridedSlices.end(stops.get()[i], steps.get()[i]))
                .toArray();
        return Arrays.equals(ends, stops.get()) ? call.input(2) : call.constant("ends", Tensor.of(ends, ends.length));
    }

    private static Optional<long[]> integers(OpenVinoLayerCall call, int input) {
        return call.constant(input)
                .filter(tensor ->
                        tensor.dtype().isInteger() && tensor.shape().rank() == 1 && tensor.elements() <= Integers.MOST)
                .map(Tensor::toLongArray);
    }

    /** A mask of the layer, false where it is shorter than the list of entries. */
    private static boolean[] mask(OpenVinoLayerCall call, String name, int length) {
        long[] given = call.attributes().integers(name);
        boolean[] mask = new boolean[length];
        for (int i = 0; i < given.length; i++) {
            if ((given[i] != 0 && given[i] != 1) || (given[i] == 1 && i >= length)) {
                throw call.attributes().unsupported(name);
            }
            if (i < length) {
                mask[i] = given[i] == 1;
            }
        }
        return mask;
    }

    /** A begin or an end that a mask marks counts as not given. */
    private static Value stridedSlice(OpenVinoLayerCall call) {
        call.requireInputs(3, 4);
        call.attributes().require("begin_mask", "end_mask");
        long[] begins = call.integers(1, "begins");
        long[] ends = call.integers(2, "ends");
        long[] steps = new long[begins.length];
        Arrays.fill(steps, 1);
        if (call.inputCount() == 4) {
            steps = call.integers(3, "strides");
        }
        int length = begins.length;
        if (ends.length != length || steps.length != length) {
            throw call.malformed(
                    "begins, ends and strides are " + length + ", " + ends.length + " and " + steps.length);
        }
        return new Strided(call, begins, ends, steps).translate();
    }

    /** One slice with masks, whose entries are of axes of the input, new axes, or all axes that are not named. */
    private static final class Strided {

        private final OpenVinoLayerCall call;
        private final Value x;
        private final long[] begins;
        private final long[] ends;
        private final long[] steps;
        private final boolean[] allBefore;
        private final boolean[] allBehind;
        private final boolean[] added;
        private final boolean[] removed;
        private final boolean[] others;
        private final List<Long> axes = new ArrayList<>();
        private final List<Long> starts = new ArrayList<>();
        private final List<Long> stops = new ArrayList<>();
        private final List<Long> strides = new ArrayList<>();
        private final List<Long> squeezed = new ArrayList<>();
        private final List<Long> unsqueezed = new ArrayList<>();

        private Strided(OpenVinoLayerCall call, long[] begins, long[] ends, long[] steps) {
            this.call = call;
            this.x = call.input(0);
            this.begins = begins;
            this.ends = ends;
            this.steps = steps;
            int length = begins.length;
            this.allBefore = mask(call, "begin_mask", length);
            this.allBehind = mask(call, "end_mask", length);
            this.added = mask(call, "new_axis_mask", length);
            this.removed = mask(call, "shrink_axis_mask", length);
            this.others = mask(call, "ellipsis_mask", length);
        }

        private Value translate() {
            int named = (int) IntStream.range(0, begins.length)
                    .filter(i -> !others[i] && !added[i])
                    .count();
            int axis = 0;
            long outputAxis = 0;
            boolean jumped = false;
            for (int i = 0; i < begins.length; i++) {
                if (others[i]) {
                    if (jumped) {
                        throw call.attributes().unsupported("ellipsis_mask");
                    }
                    jumped = true;
                    outputAxis += Math.max(0, x.rank() - named);
                    axis += Math.max(0, x.rank() - named);
                } else if (added[i]) {
                    unsqueezed.add(outputAxis++);
                } else {
                    if (axis >= x.rank()) {
                        throw call.malformed("it slices more than the " + x.rank() + " axes there are");
                    }
                    outputAxis += slice(i, axis++);
                }
            }
            return written();
        }

        /** Notes a slice along an axis, and says how many axes are left of it. */
        private int slice(int i, int axis) {
            if (steps[i] == 0) {
                throw call.malformed("a stride is 0");
            }
            if (removed[i] && allBefore[i]) {
                throw call.unsupportedUse("an axis that is removed and has no begin");
            }
            boolean forwards = steps[i] > 0;
            if (!removed[i] && allBefore[i] && allBehind[i] && steps[i] == 1) {
                return 1;
            }
            long start = allBefore[i] ? forwards ? 0 : Long.MAX_VALUE : begins[i];
            long all = forwards ? Long.MAX_VALUE : Long.MIN_VALUE;
            long stop = allBehind[i] ? all : StridedSlices.end(ends[i], steps[i]);
            if (removed[i]) {
                stop = start == -1 ? Long.MAX_VALUE : start + 1;
            }
            axes.add((long) axis);
            starts.add(start);
            stops.add(stop);
            strides.add(removed[i] ? 1 : steps[i]);
            if (removed[i]) {
                squeezed.add((long) axis);
            }
            return removed[i] ? 0 : 1;
        }

        private Value written() {
            int rank = x.rank() - squeezed.size() + unsqueezed.size();
            if (call.declared(0).rank() != rank) {
                throw call.malformed("it gives " + rank + " axes, but declares " + call.declared(0));
            }
            Value part = x;
            if (!axes.isEmpty()) {
                Params params = new Params()
                        .put("starts", array(starts))
                        .put("ends", array(stops))
                        .put("axes", array(axes))
                        .put("steps", array(strides));
                part = call.add("Slice", List.of(x), params);
            }
            if (!squeezed.isEmpty()) {
                part = call.add("Squeeze", List.of(part), new Params().put("axis", array(squeezed)));
            }
            if (!unsqueezed.isEmpty()) {
                part = call.unsqueezed(part, array(unsqueezed));
            }
            call.requireDeclared(part.shape());
            return part;
        }

        private static long[] array(List<Long> values) {
            return values.stream().mapToLong(Long::longValue).toArray();
        }
    }
}
