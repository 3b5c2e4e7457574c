package org.clinfer.cpu.vision;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Shape;

/** Interpolation at points that a grid names. */
final class GridSample implements CpuOperator {

    private static final double CUBIC = -0.75;

    /** The taps of an axis: the elements that are read, -1 for one outside, and their weights. */
    private static final class Taps {

        private final int[] at;
        private final double[] weights;

        Taps(int count) {
            at = new int[count];
            weights = new double[count];
        }
    }

    /** The sampling of one axis. Coordinates halfway between two elements are rounded to even. */
    private record Axis(int size, String mode, String padding, boolean corners) {

        int taps() {
            return mode.equals("linear") ? 2 : mode.equals("cubic") ? 4 : 1;
        }

        private double low() {
            return corners ? 0 : -0.5;
        }

        private double high() {
            return corners ? size - 1.0 : size - 0.5;
        }

        void read(double normalized, Taps taps) {
            double x = corners ? (normalized + 1) / 2 * (size - 1) : ((normalized + 1) * size - 1) / 2;
            if (mode.equals("nearest")) {
                x = Math.rint(x);
            }
            // a cubic curve goes on beyond the border, through elements that repeat it
            if (!mode.equals("cubic") && !(x >= low() && x <= high())) {
                x = padding.equals("border")
                        ? Math.min(Math.max(x, 0), size - 1.0)
                        : padding.equals("reflection") ? reflected(x) : x;
            }
            double first = Math.floor(x);
            double past = x - first;
            if (mode.equals("nearest")) {
                put(taps, 0, x, 1);
            } else if (mode.equals("linear")) {
                put(taps, 0, first, 1 - past);
                put(taps, 1, first + 1, past);
            } else {
                put(taps, 0, first - 1, outer(1 + past));
                put(taps, 1, first, inner(past));
                put(taps, 2, first + 1, inner(1 - past));
                put(taps, 3, first + 2, outer(2 - past));
            }
        }

        private void put(Taps taps, int tap, double at, double weight) {
            double coordinate = at;
            if (!(at >= 0 && at <= size - 1)) {
                coordinate = switch (padding) {
                    case "border" -> Math.min(Math.max(at, 0), size - 1.0);
                    case "reflection" -> reflected(at);
                    default -> -1;
                };
            }
            taps.at[tap] = Double.isNaN(coordinate) ? -1 : (int) Math.min(coordinate, size - 1.0);
            taps.weights[tap] = weight;
        }

        /** Mirrored at both ends until it is between them. */
        private double reflected(double x) {
            double range = high() - low();
            if (range == 0) {
                return low();
            }
            double beyond = x < low() ? low() - x : x - high();
            if (!(beyond > 0)) {
                return x;
            }
            double periods = Math.floor(beyond / range);
            double rest = beyond - periods * range;
            boolean fromLow = x < low() == (periods % 2 == 0);
            return fromLow ? low() + rest : high() - rest;
        }

        private static double inner(double x) {
            return ((CUBIC + 2) * x - (CUBIC + 3)) * x * x + 1;
        }

        private static double outer(double x) {
            return ((CUBIC * x - 5 * CUBIC) * x + 8 * CUBIC) * x - 4 * CUBIC;
        }
    }

    @Override
    public void run(CpuCall call) {
        Shape shape = call.input(0).shape();
        Parameters params = call.parameters();
        int axes = shape.rank() - 2;
        Axis[] axis = new Axis[3];
        for (int i = 0; i < 3; i++) {
            int own = i - (3 - axes);
            axis[i] = own < 0
                    ? new Axis(1, "nearest", "border", true)
                    : new Axis(
                            Math.toIntExact(shape.size(own + 2)),
                            params.text("mode"),
                            params.text("padding_mode"),
                            params.flag("align_corners"));
        }
        double[] x = TensorValues.allDoubles(call.input(0));
        double[] grid = TensorValues.allDoubles(call.input(1));
        int channels = Math.toIntExact(shape.size(1));
        int batch = Math.toIntExact(shape.size(0));
        int points = batch == 0 ? 0 : grid.length / axes / batch;
        double[] y = new double[Math.multiplyExact(Math.multiplyExact(batch, channels), points)];
        int plane = axis[0].size * axis[1].size * axis[2].size;
        call.parallel().forRange(Math.multiplyExact(batch, points), Chunks.grain(8L * channels), (from, to) -> {
            Taps[] taps = {new Taps(axis[0].taps()), new Taps(axis[1].taps()), new Taps(axis[2].taps())};
            for (int i = from; i < to; i++) {
                for (int k = 0; k < 3; k++) {
                    int own = k - (3 - axes);
                    axis[k].read(own < 0 ? 0 : grid[i * axes + (axes - 1 - own)], taps[k]);
                }
                int image = i / points;
                for (int c = 0; c < channels; c++) {
                    y[(image * channels + c) * points + i % points] =
                            sample(x, (image * channels + c) * plane, axis, taps);
                }
            }
        });
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static double sample(double[] x, int first, Axis[] axis, Taps[] taps) {
        double sum = 0;
        for (int d = 0; d < taps[0].at.length; d++) {
            for (int h = 0; h < taps[1].at.length; h++) {
                for (int w = 0; w < taps[2].at.length; w++) {
                    int deep = taps[0].at[d];
                    int down = taps[1].at[h];
                    int across = taps[2].at[w];
                    if (deep >= 0 && down >= 0 && across >= 0) {
                        double weight = taps[0].weights[d] * taps[1].weights[h] * taps[2].weights[w];
                        sum += weight * x[first + (deep * axis[1].size + down) * axis[2].size + across];
                    }
                }
            }
        }
        return sum;
    }
}
