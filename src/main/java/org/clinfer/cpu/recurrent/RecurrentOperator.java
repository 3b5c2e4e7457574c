package org.clinfer.cpu.recurrent;

import java.util.Map;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** A recurrent layer, step by step; in double precision the units of a step are divided among threads. */
public final class RecurrentOperator implements CpuOperator {

    /** Multiplications that a thread has at least. */
    private static final int GRAIN = 1 << 14;

    /** The operators; they differ in their gates and in which input is which. */
    enum Kind {
        LSTM(4, 4, 7),
        GRU(3, 5, 6),
        RNN(1, 4, 5);

        private final int gates;
        private final int initial;
        private final int lengths;

        Kind(int gates, int initial, int lengths) {
            this.gates = gates;
            this.initial = initial;
            this.lengths = lengths;
        }

        /** The position of the initial h. */
        int initial() {
            return initial;
        }
    }

    private final Kind kind;
    private final @Nullable VectorKernels kernels;

    private RecurrentOperator(Kind kind, CpuPath path) {
        this.kind = kind;
        this.kernels = path.kernels();
    }

    public static Map<String, CpuOperator> all(CpuPath path) {
        return Map.of(
                "Lstm", new RecurrentOperator(Kind.LSTM, path),
                "Gru", new RecurrentOperator(Kind.GRU, path),
                "Rnn", new RecurrentOperator(Kind.RNN, path));
    }

    @Override
    public void run(CpuCall call) {
        if (call.output().dtype() == DType.FLOAT64) {
            runDoubles(call);
            return;
        }
        Shape shape = call.input(0).shape();
        int steps = Math.toIntExact(shape.size(0));
        int batch = Math.toIntExact(shape.size(1));
        int[] lengths = lengths(call.optionalInput(kind.lengths), steps, batch);
        FloatRecurrence.of(kind, call, kernels).run(call, lengths);
    }

    private void runDoubles(CpuCall call) {
        Shape shape = call.input(0).shape();
        int steps = Math.toIntExact(shape.size(0));
        int batch = Math.toIntExact(shape.size(1));
        Gates gates = gates(call, Math.toIntExact(shape.size(2)));
        int values = Math.multiplyExact(batch, gates.units);
        double[] x = TensorValues.allDoubles(call.input(0));
        double[] h = given(call.optionalInput(kind.initial), values);
        double[] c = given(kind == Kind.LSTM ? call.optionalInput(5) : null, values);
        int[] lengths = lengths(call.optionalInput(kind.lengths), steps, batch);
        boolean reverse = call.parameters().flag("reverse");
        double[] y = new double[Math.multiplyExact(steps, values)];
        double[] cells = new double[kind == Kind.LSTM ? y.length : 0];
        double[] reset = new double[values];
        int grain = Math.max(1, GRAIN / Math.max(1, kind.gates * (gates.inputs + gates.units)));
        for (int step = 0; step < steps; step++) {
            int now = step;
            double[] before = h;
            double[] after = new double[values];
            call.parallel()
                    .forRange(
                            values,
                            grain,
                            (from, to) -> gates.prepare(x, before, reset, from, to, i -> {
                                int image = i / gates.units;
                                return now < lengths[image] ? at(now, image, lengths, reverse) * batch + image : -1;
                            }));
            call.parallel().forRange(values, grain, (from, to) -> {
                for (int i = from; i < to; i++) {
                    int image = i / gates.units;
                    if (now >= lengths[image]) {
                        after[i] = before[i];
                        continue;
                    }
                    int at = at(now, image, lengths, reverse);
                    after[i] = gates.next(x, (at * batch + image) * gates.inputs, before, c, reset, i);
                    y[at * values + i] = after[i];
                    if (cells.length > 0) {
                        cells[at * values + i] = c[i];
                    }
                }
            });
            h = after;
        }
        double[][] results = kind == Kind.LSTM ? new double[][] {y, cells, h, c} : new double[][] {y, h};
        for (int i = 0; i < call.outputs().size(); i++) {
            TensorValues.of(call.outputs().get(i)).writeAll(results[i], call.parallel());
        }
    }

    static int at(int step, int image, int[] lengths, boolean reverse) {
        return reverse ? lengths[image] - 1 - step : step;
    }

    private Gates gates(CpuCall call, int inputs) {
        return switch (kind) {
            case LSTM -> new LongShortTerm(call, inputs);
            case GRU -> new Gated(call, inputs);
            case RNN -> new Plain(call, inputs);
        };
    }

    private static double[] given(@Nullable Tensor tensor, int count) {
        return tensor == null ? new double[count] : TensorValues.allDoubles(tensor);
    }

    private static int[] lengths(@Nullable Tensor tensor, int steps, int batch) {
        int[] lengths = new int[batch];
        for (int i = 0; i < batch; i++) {
            long length = tensor == null ? steps : tensor.getLong(i);
            if (length < 0 || length > steps) {
                throw new DataException("length " + length + " of sequence " + i + " is outside of 0 ... " + steps);
            }
            lengths[i] = (int) length;
        }
        return lengths;
    }

    /** The row of x that a unit reads in a step, -1 where its sequence has ended. */
    @FunctionalInterface
    private interface RowOf {
        int row(int unit);
    }

    /** The weights and parameters of the gates, which are the same in every step. */
    private abstract static class Gates {

        final int inputs;
        final int units;
        final GateActivations activations;
        private final double[] weights;
        private final double[] recurrence;
        private final double[] bias;

        Gates(CpuCall call, int inputs, int gates) {
            Parameters params = call.parameters();
            this.inputs = inputs;
            this.units = Math.toIntExact(params.integer("units"));
            this.activations = new GateActivations(params, null);
            this.weights = TensorValues.allDoubles(call.input(1));
            this.recurrence = TensorValues.allDoubles(call.input(2));
            this.bias = given(call.optionalInput(3), gates * units);
        }

        /** Computes what all units of a step need before any of them can go on. */
        void prepare(double[] x, double[] h, double[] reset, int from, int to, RowOf rows) {}

        /** The next h of one unit. */
        abstract double next(double[] x, int from, double[] h, double[] c, double[] reset, int at);

        final double sum(int row, double[] x, int from, double[] h, int first) {
            return input(row, x, from) + recurrent(row, h, first);
        }

        final double input(int row, double[] x, int from) {
            double sum = bias[row];
            for (int i = 0; i < inputs; i++) {
                sum += weights[row * inputs + i] * x[from + i];
            }
            return sum;
        }

        final double recurrent(int row, double[] h, int first) {
            double sum = 0;
            for (int i = 0; i < units; i++) {
                sum += recurrence[row * units + i] * h[first + i];
            }
            return sum;
        }
    }

    private static final class Plain extends Gates {

        Plain(CpuCall call, int inputs) {
            super(call, inputs, 1);
        }

        @Override
        double next(double[] x, int from, double[] h, double[] c, double[] reset, int at) {
            int unit = at % units;
            return activations.gate(0, sum(unit, x, from, h, at - unit));
        }
    }

    private static final class LongShortTerm extends Gates {

        private static final int INPUT = 0;
        private static final int OUTPUT = 1;
        private static final int FORGET = 2;
        private static final int CELL = 3;

        private final double cellClip;
        private final boolean coupled;
        private final double[] peepholes;

        LongShortTerm(CpuCall call, int inputs) {
            super(call, inputs, 4);
            this.cellClip = call.parameters().real("cell_clip");
            this.coupled = call.parameters().flag("input_forget");
            this.peepholes = given(call.optionalInput(6), 3 * units);
        }

        /** c of the unit is replaced. */
        @Override
        double next(double[] x, int from, double[] h, double[] c, double[] reset, int at) {
            int unit = at % units;
            int first = at - unit;
            double old = c[at];
            double input = gate(INPUT, unit, x, from, h, first, old);
            double forget = coupled ? 1 - input : gate(FORGET, unit, x, from, h, first, old);
            double cell = forget * old + input * activations.gate(1, sum(CELL * units + unit, x, from, h, first));
            double kept = cellClip > 0 ? Math.max(-cellClip, Math.min(cellClip, cell)) : cell;
            c[at] = kept;
            return gate(OUTPUT, unit, x, from, h, first, kept) * activations.state(2, kept);
        }

        private double gate(int gate, int unit, double[] x, int from, double[] h, int first, double cell) {
            int row = gate * units + unit;
            return activations.gate(0, sum(row, x, from, h, first) + peepholes[row] * cell);
        }
    }

    private static final class Gated extends Gates {

        private static final int UPDATE = 0;
        private static final int RESET = 1;
        private static final int HIDDEN = 2;

        private final boolean linear;
        private final double[] recurrentBias;

        Gated(CpuCall call, int inputs) {
            super(call, inputs, 3);
            this.linear = call.parameters().flag("linear_before_reset");
            this.recurrentBias = given(call.optionalInput(4), 3 * units);
        }

        /** The gates of reset, times h unless they are applied to the product. */
        @Override
        void prepare(double[] x, double[] h, double[] reset, int from, int to, RowOf rows) {
            for (int i = from; i < to; i++) {
                int row = rows.row(i);
                if (row >= 0) {
                    double gate = gate(RESET, i % units, x, row * inputs, h, i - i % units);
                    reset[i] = linear ? gate : gate * h[i];
                }
            }
        }

        @Override
        double next(double[] x, int from, double[] h, double[] c, double[] reset, int at) {
            int unit = at % units;
            int first = at - unit;
            int row = HIDDEN * units + unit;
            double update = gate(UPDATE, unit, x, from, h, first);
            double past = linear
                    ? reset[at] * (recurrent(row, h, first) + recurrentBias[row])
                    : recurrent(row, reset, first) + recurrentBias[row];
            double hidden = activations.gate(1, input(row, x, from) + past);
            return (1 - update) * hidden + update * h[at];
        }

        private double gate(int gate, int unit, double[] x, int from, double[] h, int first) {
            int row = gate * units + unit;
            return activations.gate(0, sum(row, x, from, h, first) + recurrentBias[row]);
        }
    }
}
