package org.clinfer.cpu.reduction;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.OrderedKeys;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Operators that look at the elements along one axis in their order: ArgMax, ArgMin, TopK, CumSum. */
public final class AxisOperators {

    private AxisOperators() {}

    public static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("ArgMax", CpuOperator.of(CpuWork.SCALAR_REDUCTION, call -> argExtreme(call, false)));
        all.put("ArgMin", CpuOperator.of(CpuWork.SCALAR_REDUCTION, call -> argExtreme(call, true)));
        all.put("TopK", AxisOperators::topK);
        all.put("CumSum", CpuOperator.of(CpuWork.SCALAR_REDUCTION, AxisOperators::cumSum));
        return all;
    }

    /** The lines along the axis: where they begin, and how far apart their elements are. */
    private record Lines(int outer, int size, int inner) {

        static Lines of(CpuCall call) {
            Shape shape = call.input(0).shape();
            int along = Math.toIntExact(call.parameters().integer("along"));
            long outer = 1;
            long inner = 1;
            for (int axis = 0; axis < shape.rank(); axis++) {
                if (axis < along) {
                    outer *= shape.size(axis);
                } else if (axis > along) {
                    inner *= shape.size(axis);
                }
            }
            return new Lines(Math.toIntExact(outer), Math.toIntExact(shape.size(along)), Math.toIntExact(inner));
        }

        int count() {
            return Math.multiplyExact(outer, inner);
        }

        /** The first element of a line in a tensor with this many elements along the axis. */
        int first(int line, int elements) {
            return line / inner * elements * inner + line % inner;
        }

        void forEach(CpuCall call, IntConsumer body) {
            call.parallel().forRange(count(), Chunks.grain(size), (from, to) -> {
                for (int line = from; line < to; line++) {
                    body.accept(line);
                }
            });
        }
    }

    private static void argExtreme(CpuCall call, boolean least) {
        Lines lines = Lines.of(call);
        OrderedKeys keys = new OrderedKeys(call.input(0));
        boolean last = call.parameters().flag("select_last_index");
        Tensor output = call.output();
        lines.forEach(call, line -> {
            int first = lines.first(line, lines.size);
            int best = 0;
            for (int k = 1; k < lines.size; k++) {
                if (wins(keys, first + k * lines.inner, first + best * lines.inner, least, last)) {
                    best = k;
                }
            }
            output.setLong(line, best);
        });
    }

    /** {@return whether a later element takes the place of the best so far; a NaN does whatever is asked for} */
    private static boolean wins(OrderedKeys keys, int at, int best, boolean least, boolean last) {
        int order = Long.compare(keys.at(at), keys.at(best));
        if (order == 0) {
            return last;
        } else if (keys.isNan(at) || keys.isNan(best)) {
            return order > 0;
        }
        return least ? order < 0 : order > 0;
    }

    private static void topK(CpuCall call) {
        Lines lines = Lines.of(call);
        Tensor x = call.input(0);
        OrderedKeys keys = new OrderedKeys(x);
        int k = Math.toIntExact(call.parameters().integer("k"));
        boolean largest = call.parameters().flag("largest");
        CellCopy values = CellCopy.of(x, call.output());
        List<Tensor> outputs = call.outputs();
        lines.forEach(call, line -> {
            int first = lines.first(line, lines.size);
            int[] places = keys.first(k, first, lines.inner, lines.size, largest);
            for (int i = 0; i < k; i++) {
                int place = places[i];
                int target = lines.first(line, k) + i * lines.inner;
                values.copy(first + place * lines.inner, 1, target, 1);
                if (outputs.size() > 1) {
                    outputs.get(1).setLong(target, place);
                }
            }
        });
    }

    private static void cumSum(CpuCall call) {
        Lines lines = Lines.of(call);
        boolean exclusive = call.parameters().flag("exclusive");
        boolean reverse = call.parameters().flag("reverse");
        TypedMemory from = new TypedMemory(call.input(0));
        TypedMemory to = new TypedMemory(call.output());
        boolean floating = call.input(0).dtype().isFloating();
        lines.forEach(call, line -> {
            int first = lines.first(line, lines.size);
            if (floating) {
                double[] values = new double[lines.size];
                from.load(first, lines.inner, lines.size, values, 0);
                sum(values, exclusive, reverse);
                to.store(first, lines.inner, lines.size, values, 0);
            } else {
                long[] values = new long[lines.size];
                from.load(first, lines.inner, lines.size, values, 0);
                sum(values, exclusive, reverse);
                LongValues.keepLowBits(values, values.length, to.dtype());
                to.store(first, lines.inner, lines.size, values, 0);
            }
        });
    }

    private static void sum(double[] values, boolean exclusive, boolean reverse) {
        double sum = 0;
        for (int k = 0; k < values.length; k++) {
            int at = reverse ? values.length - 1 - k : k;
            double next = sum + values[at];
            values[at] = exclusive ? sum : next;
            sum = next;
        }
    }

    private static void sum(long[] values, boolean exclusive, boolean reverse) {
        long sum = 0;
        for (int k = 0; k < values.length; k++) {
            int at = reverse ? values.length - 1 - k : k;
            long next = sum + values[at];
            values[at] = exclusive ? sum : next;
            sum = next;
        }
    }
}
