package org.clinfer.cpu.recurrent;

import java.util.List;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.matrix.MatrixOperands;
import org.clinfer.cpu.matrix.PanelProduct;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A recurrent layer in float arithmetic: what x adds to the gates is one product for all steps, what h adds is one for
 * all sequences of a step.
 */
abstract class FloatRecurrence {

    /** Elements of gates that take about a microsecond. */
    private static final int GRAIN = 1 << 10;

    /** The data that a step reads and changes; rows of arrays are sequences. */
    private final int steps;

    private final int gates;
    final int batch;
    final int units;

    /** The distance of gates in sums. */
    final int pitch;

    final GateActivations activations;
    final @Nullable VectorKernels kernels;
    final Parallel parallel;

    /** The sums that x and the bias give, rows of which are steps of sequences, {@code columns} apart. */
    final float[] given;

    final int columns;

    /** Replaced in every step. */
    final float[] h;

    /** The same for the sequences' cells, where there are any. */
    final float[] c;

    private FloatRecurrence(CpuCall call, int gates, int initial, @Nullable VectorKernels kernels) {
        Shape shape = call.input(0).shape();
        Parameters params = call.parameters();
        this.steps = Math.toIntExact(shape.size(0));
        this.batch = Math.toIntExact(shape.size(1));
        this.units = Math.toIntExact(params.integer("units"));
        this.gates = gates;
        this.pitch = GatePanels.pitch(units);
        this.kernels = kernels;
        this.activations = new GateActivations(params, kernels == null ? null : kernels.functions());
        this.parallel = call.parallel();
        int rows = Math.multiplyExact(steps, batch);
        PanelProduct weights = GatePanels.of(call, 1, units, 0, gates, rows);
        this.columns = weights.columns();
        this.given = parallel.scratch().take(Math.multiplyExact(rows, columns));
        weights.multiply(TensorValues.allFloats(call.input(0)), rows, at(given), parallel, kernels);
        this.h = state(call.optionalInput(initial));
        this.c = gates == LongShortTerm.GATES ? state(call.optionalInput(5)) : new float[0];
    }

    /** The layer of an operator. */
    static FloatRecurrence of(RecurrentOperator.Kind kind, CpuCall call, @Nullable VectorKernels kernels) {
        return switch (kind) {
            case LSTM -> new LongShortTerm(call, kernels);
            case GRU -> new Gated(call, kernels);
            case RNN -> new Plain(call, kernels);
        };
    }

    /** The next states of all sequences; {@code rows} says which row of x a sequence reads, or -1 where it has ended. */
    abstract void step(int[] rows);

    /** Runs all steps and fills the outputs. */
    final void run(CpuCall call, int[] lengths) {
        boolean reverse = call.parameters().flag("reverse");
        int values = batch * units;
        float[] y = new float[Math.multiplyExact(steps, values)];
        float[] cells = new float[c.length > 0 && call.outputs().size() > 1 ? y.length : 0];
        int[] rows = new int[batch];
        for (int step = 0; step < steps; step++) {
            for (int image = 0; image < batch; image++) {
                int at = RecurrentOperator.at(step, image, lengths, reverse);
                rows[image] = step < lengths[image] ? at * batch + image : -1;
            }
            step(rows);
            for (int image = 0; image < batch; image++) {
                if (rows[image] >= 0) {
                    System.arraycopy(h, image * units, y, rows[image] * units, units);
                    if (cells.length > 0) {
                        System.arraycopy(c, image * units, cells, rows[image] * units, units);
                    }
                }
            }
        }
        parallel.scratch().give(given);
        List<float[]> results = gates == LongShortTerm.GATES ? List.of(y, cells, h, c) : List.of(y, h);
        for (int i = 0; i < call.outputs().size(); i++) {
            TensorValues.of(call.outputs().get(i)).writeAll(results.get(i), parallel);
        }
    }

    private float[] state(@Nullable Tensor initial) {
        return initial == null ? new float[Math.multiplyExact(batch, units)] : TensorValues.allFloats(initial);
    }

    static MatrixOperands.Destination at(float[] sums) {
        return new MatrixOperands.Destination(sums, 0);
    }

    /** A row for each gate, as the columns of sums lie; 0 where the input is left out. */
    final float[] perGate(@Nullable Tensor input, int count) {
        float[] spread = new float[count * pitch];
        if (input != null) {
            TensorValues values = TensorValues.of(input);
            for (int gate = 0; gate < count; gate++) {
                values.read(gate * units, spread, gate * pitch, units);
            }
        }
        return spread;
    }

    /** Adds a bias to what x gives, where there is one. */
    final void addBias(float[] bias) {
        parallel.forRange(steps * batch, Math.max(1, 4 * GRAIN / columns), (from, to) -> {
            for (int row = from; row < to; row++) {
                add(given, row * columns, bias, 0, bias.length);
            }
        });
    }

    /** Does something for every sequence that goes on. */
    final void forEach(int[] rows, Body body) {
        parallel.forRange(batch, Math.max(1, GRAIN / (gates * pitch)), (from, to) -> {
            for (int image = from; image < to; image++) {
                if (rows[image] >= 0) {
                    body.run(image, rows[image] * columns);
                }
            }
        });
    }

    /** A step of one sequence. */
    @FunctionalInterface
    interface Body {
        /** Does it where what x gives begins at {@code from}. */
        void run(int image, int from);
    }

    static void add(float[] sums, int to, float[] values, int from, int count) {
        for (int i = 0; i < count; i++) {
            sums[to + i] += values[from + i];
        }
    }

    private static final class Plain extends FloatRecurrence {

        private final PanelProduct recurrence;
        private final float[] sums;

        Plain(CpuCall call, @Nullable VectorKernels kernels) {
            super(call, 1, RecurrentOperator.Kind.RNN.initial(), kernels);
            recurrence = GatePanels.of(call, 2, units, 0, 1, batch);
            sums = new float[batch * recurrence.columns()];
            addBias(perGate(call.optionalInput(3), 1));
        }

        @Override
        void step(int[] rows) {
            recurrence.multiply(h, batch, at(sums), parallel, kernels);
            forEach(rows, (image, from) -> {
                int at = image * recurrence.columns();
                add(sums, at, given, from, pitch);
                activations.gates(0, sums, at, at + pitch);
                System.arraycopy(sums, at, h, image * units, units);
            });
        }
    }

    private static final class LongShortTerm extends FloatRecurrence {

        private static final int GATES = 4;

        private final PanelProduct recurrence;
        private final float[] sums;
        private final float cellClip;
        private final boolean coupled;
        private final float @Nullable [] peepholes;

        LongShortTerm(CpuCall call, @Nullable VectorKernels kernels) {
            super(call, GATES, RecurrentOperator.Kind.LSTM.initial(), kernels);
            recurrence = GatePanels.of(call, 2, units, 0, GATES, batch);
            sums = new float[batch * recurrence.columns()];
            cellClip = (float) call.parameters().real("cell_clip");
            coupled = call.parameters().flag("input_forget");
            peepholes = call.optionalInput(6) == null ? null : perGate(call.optionalInput(6), 3);
            addBias(perGate(call.optionalInput(3), GATES));
        }

        @Override
        void step(int[] rows) {
            recurrence.multiply(h, batch, at(sums), parallel, kernels);
            forEach(rows, this::next);
        }

        /** Gates of input, output, forgetting and cell lie in this order. */
        private void next(int image, int from) {
            int input = image * recurrence.columns();
            int output = input + pitch;
            int forget = output + pitch;
            int cell = forget + pitch;
            int state = image * units;
            add(sums, input, given, from, GATES * pitch);
            if (peepholes == null) {
                activations.gates(0, sums, input, cell);
            } else {
                addProducts(sums, input, peepholes, 0, c, state, units);
                addProducts(sums, forget, peepholes, 2 * pitch, c, state, units);
                activations.gates(0, sums, input, output);
                activations.gates(0, sums, forget, cell);
            }
            activations.gates(1, sums, cell, cell + pitch);
            if (coupled) {
                for (int i = 0; i < units; i++) {
                    sums[forget + i] = 1 - sums[input + i];
                }
            }
            addProducts(sums, input, forget, cell, c, state, units);
            if (cellClip > 0) {
                for (int i = state; i < state + units; i++) {
                    c[i] = Math.max(-cellClip, Math.min(cellClip, c[i]));
                }
            }
            if (peepholes != null) {
                addProducts(sums, output, peepholes, pitch, c, state, units);
                activations.gates(0, sums, output, forget);
            }
            System.arraycopy(c, state, sums, cell, units);
            activations.states(2, sums, cell, cell + units);
            for (int i = 0; i < units; i++) {
                h[state + i] = sums[output + i] * sums[cell + i];
            }
        }

        private static void addProducts(
                float[] sums, int to, float[] factors, int factor, float[] values, int from, int count) {
            for (int i = 0; i < count; i++) {
                sums[to + i] += factors[factor + i] * values[from + i];
            }
        }

        /** {@code c = forget * c + input * cell}. */
        private static void addProducts(float[] sums, int input, int forget, int cell, float[] c, int at, int count) {
            for (int i = 0; i < count; i++) {
                c[at + i] = sums[forget + i] * c[at + i] + sums[input + i] * sums[cell + i];
            }
        }
    }

    private static final class Gated extends FloatRecurrence {

        private static final int GATES = 3;

        private final PanelProduct gates;
        private final PanelProduct hidden;
        private final float[] sums;
        private final float[] hiddenSums;
        private final float[] reset;
        private final boolean linear;
        private final float[] hiddenBias;

        Gated(CpuCall call, @Nullable VectorKernels kernels) {
            super(call, GATES, RecurrentOperator.Kind.GRU.initial(), kernels);
            gates = GatePanels.of(call, 2, units, 0, 2, batch);
            hidden = GatePanels.of(call, 2, units, 2, 1, batch);
            sums = new float[batch * gates.columns()];
            hiddenSums = new float[batch * hidden.columns()];
            reset = new float[batch * units];
            linear = call.parameters().flag("linear_before_reset");
            hiddenBias = perGate(call.optionalInput(4), GATES);
            float[] bias = perGate(call.optionalInput(3), GATES);
            add(bias, 0, hiddenBias, 0, linear ? 2 * pitch : GATES * pitch);
            addBias(bias);
        }

        /** Gates of update, reset and the hidden state lie in this order. */
        @Override
        void step(int[] rows) {
            gates.multiply(h, batch, at(sums), parallel, kernels);
            forEach(rows, (image, from) -> {
                int update = image * gates.columns();
                add(sums, update, given, from, 2 * pitch);
                activations.gates(0, sums, update, update + 2 * pitch);
                if (!linear) {
                    for (int i = 0; i < units; i++) {
                        reset[image * units + i] = sums[update + pitch + i] * h[image * units + i];
                    }
                }
            });
            hidden.multiply(linear ? h : reset, batch, at(hiddenSums), parallel, kernels);
            forEach(rows, this::next);
        }

        private void next(int image, int from) {
            int update = image * gates.columns();
            int at = image * hidden.columns();
            if (linear) {
                for (int i = 0; i < units; i++) {
                    hiddenSums[at + i] = sums[update + pitch + i] * (hiddenSums[at + i] + hiddenBias[2 * pitch + i]);
                }
            }
            add(hiddenSums, at, given, from + 2 * pitch, pitch);
            activations.gates(1, hiddenSums, at, at + pitch);
            for (int i = 0; i < units; i++) {
                float kept = sums[update + i];
                h[image * units + i] = (1 - kept) * hiddenSums[at + i] + kept * h[image * units + i];
            }
        }
    }
}
