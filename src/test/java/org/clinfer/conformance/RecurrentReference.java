package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Recurrent layers by their formulas, one sequence after another. */
final class RecurrentReference {

    private RecurrentReference() {}

    static Map<String, Reference> all() {
        return Map.of(
                "Lstm", call -> sequences(call, 4, 7, RecurrentReference::lstm),
                "Gru", call -> sequences(call, 5, 6, RecurrentReference::gru),
                "Rnn", call -> sequences(call, 4, 5, RecurrentReference::rnn));
    }

    /** One step of one sequence: h, and c where there is one, from those before. */
    @FunctionalInterface
    private interface Step {
        double[][] next(Call call, int t, int n, double[] h, double[] c);
    }

    private static List<Array> sequences(Call call, int initial, int lengths, Step step) {
        Array x = call.input(0);
        int steps = (int) x.dim(0);
        int batch = (int) x.dim(1);
        int units = (int) call.input(2).dim(1);
        boolean cells = initial == 4 && lengths == 7;
        double[] y = new double[steps * batch * units];
        double[] c = new double[y.length];
        double[] lastH = new double[batch * units];
        double[] lastC = new double[batch * units];
        for (int n = 0; n < batch; n++) {
            double[][] state = {row(call, initial, n, units), cells ? row(call, 5, n, units) : new double[units]};
            int length = call.hasInput(lengths) ? (int) call.input(lengths).at(n) : steps;
            for (int k = 0; k < length; k++) {
                int t = call.flag("reverse", false) ? length - 1 - k : k;
                state = step.next(call, t, n, state[0], state[1]);
                System.arraycopy(state[0], 0, y, (t * batch + n) * units, units);
                System.arraycopy(state[1], 0, c, (t * batch + n) * units, units);
            }
            System.arraycopy(state[0], 0, lastH, n * units, units);
            System.arraycopy(state[1], 0, lastC, n * units, units);
        }
        long[] all = {steps, batch, units};
        long[] last = {batch, units};
        List<Array> outputs = new ArrayList<>(List.of(new Array(all, y), new Array(all, c)));
        outputs.add(new Array(last, lastH));
        outputs.add(new Array(last, lastC));
        return cells ? outputs : List.of(outputs.get(0), outputs.get(2));
    }

    private static double[] row(Call call, int input, int n, int units) {
        double[] row = new double[units];
        Arrays.setAll(row, u -> call.hasInput(input) ? call.input(input).at(n, u) : 0);
        return row;
    }

    private static double[][] lstm(Call call, int t, int n, double[] h, double[] before) {
        int units = h.length;
        double[] next = new double[units];
        double[] c = before.clone();
        double limit = call.real("cell_clip", 0);
        for (int u = 0; u < units; u++) {
            double[] gates = new double[4];
            for (int gate = 0; gate < 4; gate++) {
                gates[gate] = input(call, t, n, gate * units + u) + recurrent(call, h, gate * units + u);
            }
            double i = activation(call, 0, gates[0] + extra(call, 6, u) * c[u]);
            double f = call.flag("input_forget", false)
                    ? 1 - i
                    : activation(call, 0, gates[2] + extra(call, 6, 2 * units + u) * c[u]);
            c[u] = f * c[u] + i * activation(call, 1, gates[3]);
            c[u] = limit > 0 ? clamp(c[u], limit) : c[u];
            double o = activation(call, 0, gates[1] + extra(call, 6, units + u) * c[u]);
            next[u] = o * function(call, 2).applyAsDouble(c[u]);
        }
        return new double[][] {next, c};
    }

    private static double[][] gru(Call call, int t, int n, double[] h, double[] c) {
        int units = h.length;
        double[] z = new double[units];
        double[] r = new double[units];
        for (int u = 0; u < units; u++) {
            z[u] = activation(call, 0, input(call, t, n, u) + recurrent(call, h, u) + extra(call, 4, u));
            int row = units + u;
            r[u] = activation(call, 0, input(call, t, n, row) + recurrent(call, h, row) + extra(call, 4, row));
        }
        double[] kept = new double[units];
        Arrays.setAll(kept, u -> r[u] * h[u]);
        double[] next = new double[units];
        for (int u = 0; u < units; u++) {
            int row = 2 * units + u;
            double past = call.flag("linear_before_reset", false)
                    ? r[u] * (recurrent(call, h, row) + extra(call, 4, row))
                    : recurrent(call, kept, row) + extra(call, 4, row);
            double hidden = activation(call, 1, input(call, t, n, row) + past);
            next[u] = (1 - z[u]) * hidden + z[u] * h[u];
        }
        return new double[][] {next, c};
    }

    private static double[][] rnn(Call call, int t, int n, double[] h, double[] c) {
        double[] next = new double[h.length];
        Arrays.setAll(next, u -> activation(call, 0, input(call, t, n, u) + recurrent(call, h, u)));
        return new double[][] {next, c};
    }

    private static double input(Call call, int t, int n, int row) {
        double sum = extra(call, 3, row);
        for (int i = 0; i < call.input(0).dim(2); i++) {
            sum += call.input(1).at(row, i) * call.input(0).at(t, n, i);
        }
        return sum;
    }

    private static double recurrent(Call call, double[] h, int row) {
        double sum = 0;
        for (int i = 0; i < h.length; i++) {
            sum += call.input(2).at(row, i) * h[i];
        }
        return sum;
    }

    /** An element of a vector that may be left out. */
    private static double extra(Call call, int input, int at) {
        return call.hasInput(input) ? call.input(input).at(at) : 0;
    }

    private static double clamp(double value, double limit) {
        return value > limit ? limit : value < -limit ? -limit : value;
    }

    private static double activation(Call call, int which, double value) {
        double clip = call.real("clip", 0);
        return function(call, which).applyAsDouble(clip > 0 ? clamp(value, clip) : value);
    }

    /** Of the functions that the case names, else sigmoid for gates and tanh for what goes in and out. */
    private static DoubleUnaryOperator function(Call call, int which) {
        List<String> names = call.texts("activations");
        boolean plain =
                call.inputs() <= 6 && call.input(1).dim(0) == call.input(2).dim(1);
        String name = names.isEmpty() ? (which == 0 && !plain ? "Sigmoid" : "Tanh") : names.get(which);
        double[] alphas = call.reals("activation_alpha");
        double[] betas = call.reals("activation_beta");
        double alpha = alphas.length > 0 ? alphas[which] : name.equals("LeakyRelu") ? 0.01 : 0.2;
        double beta = betas.length > 0 ? betas[which] : 0.5;
        return switch (name) {
            case "Sigmoid" -> v -> 1 / (1 + Math.exp(-v));
            case "Tanh" -> Math::tanh;
            case "Relu" -> v -> v > 0 ? v : 0;
            case "Affine" -> v -> alpha * v + beta;
            case "LeakyRelu" -> v -> v < 0 ? alpha * v : v;
            case "ThresholdedRelu" -> v -> v > alpha ? v : 0;
            case "ScaledTanh" -> v -> alpha * Math.tanh(beta * v);
            case "HardSigmoid" -> v -> Math.min(1, Math.max(0, alpha * v + beta));
            case "Elu" -> v -> v < 0 ? alpha * (Math.exp(v) - 1) : v;
            case "Softsign" -> v -> v / (1 + Math.abs(v));
            case "Softplus" -> v -> Math.log(1 + Math.exp(v));
            default -> throw new IllegalArgumentException(name);
        };
    }
}
