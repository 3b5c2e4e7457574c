package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** Long short-term memories that are one operator. Of their outputs there are the cells and what comes out. */
final class TfRecurrentTranslators {

    /** For our gates of input, output, forgetting and cell, which of the file they are. */
    private static final int[] INPUT_CELL_FORGET_OUTPUT = {0, 3, 2, 1};

    private static final int[] INPUT_FORGET_CELL_OUTPUT = {0, 3, 1, 2};

    private static final int GATES = 4;
    private static final int CELLS = 1;
    private static final int RESULT = 6;

    private final TfNetwork network;

    TfRecurrentTranslators(TfNetwork network) {
        this.network = network;
    }

    Map<String, TfTranslator> all() {
        return Map.of(
                "BlockLSTM",
                checked(call -> sequence(call, INPUT_CELL_FORGET_OUTPUT, 3, 1)),
                "BlockLSTMV2",
                checked(call -> sequence(call, INPUT_FORGET_CELL_OUTPUT, 0, 0)),
                "LSTMBlockCell",
                checked(TfRecurrentTranslators::cell),
                "GRUBlockCell",
                TfRecurrentTranslators::gatedCell);
    }

    /** Refuses nodes whose gates somebody reads, or that are the network's end with all of them. */
    private TfTranslator checked(TfTranslator translator) {
        return call -> {
            String name = call.node().name();
            List<Integer> read = network.readers(call.node()).stream()
                    .flatMap(reader -> reader.inputs().stream())
                    .filter(input -> input.node().equals(name))
                    .map(Ref::port)
                    .toList();
            if (read.isEmpty() || read.stream().anyMatch(port -> port != CELLS && port != RESULT)) {
                throw call.unsupportedUse("gates that are read");
            }
            translator.translate(call);
        };
    }

    /** As many steps as are asked for; zeros for those that are left. */
    private static void sequence(TfCall call, int[] order, double clip, double forgetBias) {
        long steps = call.requiredInteger(0, "number of steps");
        if (steps < 0) {
            throw call.malformed("its number of steps is " + steps);
        }
        TfValue x = call.input(1, 3);
        Params first = new Params()
                .put("starts", new long[] {0})
                .put("ends", new long[] {steps})
                .put("axes", new long[] {0});
        String sequence = call.step("Slice", List.of(call.plain(x)), first);
        Weights weights = new Weights(call, 2, order, clip, forgetBias);
        List<String> found = memory(call, sequence, weights);
        List<String> given = found;
        if (x.size(0).filter(known -> known <= steps).isEmpty()) {
            String widths = missing(call, call.plain(x), found.get(0));
            Params front = new Params().put("axes", new long[] {0});
            given = found.stream()
                    .map(value -> call.step("Pad", List.of(value, widths), front))
                    .toList();
        }
        give(call, "Identity", given, new Params());
    }

    /** The number of steps that are left, as widths of padding. */
    private static String missing(TfCall call, String x, String found) {
        Params first = new Params().put("start", 0L).put("end", 1L);
        String wanted = call.step("Shape", List.of(x), first);
        String given = call.step("Shape", List.of(found), first);
        String more = call.step("Sub", wanted, given);
        return call.step("Concat", List.of(call.constant(0L), more), new Params().put("axis", 0L));
    }

    private static void cell(TfCall call) {
        TfValue x = call.input(0, 2);
        Params front = new Params().put("axis", new long[] {0});
        String step = call.step("Unsqueeze", List.of(call.plain(x)), front);
        Weights weights = new Weights(call, 1, INPUT_CELL_FORGET_OUTPUT, 3, 1);
        List<String> found = memory(call, step, weights);
        give(call, "Squeeze", found, front);
    }

    /** One step of a gated recurrent unit: its gates of reset and update, its candidate and its state. */
    private static void gatedCell(TfCall call) {
        Params columns = new Params().put("axis", 1L);
        String x = call.plain(call.input(0, 2));
        String before = call.plain(call.input(1, 2));
        String gates = call.step("Sigmoid", layer(call, call.step("Concat", List.of(x, before), columns), 2));
        Params halves = new Params().put("axis", 1L).put("num_outputs", 2L);
        List<String> each = call.steps("Split", List.of(gates), halves, 2);
        String kept = call.step("Mul", each.get(0), before);
        String candidate = call.step("Tanh", layer(call, call.step("Concat", List.of(x, kept), columns), 3));
        String rest = call.step("Sub", before, candidate);
        String part = call.step("Mul", each.get(1), rest);
        call.give(0, "Identity", List.of(each.get(0)), new Params(), false);
        call.give(1, "Identity", List.of(each.get(1)), new Params(), false);
        call.give(2, "Identity", List.of(candidate), new Params(), false);
        call.give(3, "Add", List.of(candidate, part), new Params(), false);
    }

    /** A product with the weights of an input, and the bias two inputs behind. */
    private static String layer(TfCall call, String x, int weights) {
        String product = call.step("MatMul", x, call.plain(call.input(weights, 2)));
        return call.step("Add", product, call.plain(call.input(weights + 2, 1)));
    }

    private static void give(TfCall call, String op, List<String> found, Params params) {
        call.give(RESULT, op, List.of(found.get(0)), params, false);
        call.give(CELLS, op, List.of(found.get(1)), params, false);
    }

    /** The outputs and the cells of every step. */
    private static List<String> memory(TfCall call, String x, Weights weights) {
        List<String> operands = new ArrayList<>(List.of(x));
        operands.addAll(weights.operands);
        Params params = new Params().put("cell_clip", weights.clip);
        return call.steps("Lstm", operands, params, 2);
    }

    /** The operands behind the sequence. */
    private static final class Weights {

        private final TfCall call;
        private final int[] order;
        private final int units;
        private final double clip;
        private final List<String> operands;

        /** @param first the number of the input that has the first cells; those behind it follow in one order */
        Weights(TfCall call, int first, int[] order, double clip, double forgetBias) {
            this.call = call;
            this.order = order;
            Tensor both = constant(first + 2, 2);
            Tensor bias = constant(first + 6, 1);
            long rows = both.shape().size(0);
            this.units = (int) Math.min(Integer.MAX_VALUE, bias.elements() / GATES);
            if (both.shape().size(1) != GATES * (long) units
                    || bias.elements() != GATES * (long) units
                    || rows < units) {
                throw call.malformed("its weights are " + both.type() + ", its bias " + bias.type());
            }
            this.clip = Math.max(0, call.node().real("cell_clip", clip));
            int inputs = (int) (rows - units);
            Tensor sums = vector(bias, GATES, order);
            double forget = call.node().real("forget_bias", forgetBias);
            for (int unit = 0; unit < units; unit++) {
                sums.setDouble(2L * units + unit, sums.getDouble(2L * units + unit) + forget);
            }
            boolean peeps = call.node().flag("use_peephole", false);
            operands = List.of(
                    call.constant("weights", turned(both, 0, inputs)),
                    call.constant("recurrence", turned(both, inputs, units)),
                    call.constant("bias", sums),
                    call.plain(call.input(first + 1, 2)),
                    call.plain(call.input(first, 2)),
                    peeps ? call.constant("peepholes", peepholes(first + 3)) : "");
        }

        private Tensor constant(int input, int rank) {
            Tensor tensor = call.constant(input).orElseThrow(() -> call.unsupportedUse("computed weights"));
            if (tensor.shape().rank() != rank || !tensor.dtype().isFloating()) {
                throw call.malformed("input " + input + " is " + tensor.type());
            }
            return tensor;
        }

        private Tensor vector(Tensor from, int parts, int[] order) {
            Tensor to = Tensor.allocate(from.dtype(), (long) parts * units);
            for (int i = 0; i < parts * units; i++) {
                to.setDouble(i, from.getDouble((long) order[i / units] * units + i % units));
            }
            return to;
        }

        /** Some rows as columns, gate by gate in our order. */
        private Tensor turned(Tensor both, int from, int count) {
            Tensor to = Tensor.allocate(both.dtype(), (long) GATES * units, count);
            long columns = (long) GATES * units;
            for (int row = 0; row < columns; row++) {
                long column = (long) order[row / units] * units + row % units;
                for (int i = 0; i < count; i++) {
                    to.setDouble((long) row * count + i, both.getDouble((from + i) * columns + column));
                }
            }
            return to;
        }

        /** Those of input, forgetting and output in the file; input, output, forgetting here. */
        private Tensor peepholes(int first) {
            Tensor all = Tensor.allocate(constant(first, 1).dtype(), 3L * units);
            int[] order = {0, 2, 1};
            for (int gate = 0; gate < 3; gate++) {
                Tensor each = constant(first + order[gate], 1);
                if (each.elements() != units) {
                    throw call.malformed("input " + (first + order[gate]) + " is " + each.type());
                }
                for (int unit = 0; unit < units; unit++) {
                    all.setDouble((long) gate * units + unit, each.getDouble(unit));
                }
            }
            return all;
        }
    }
}
