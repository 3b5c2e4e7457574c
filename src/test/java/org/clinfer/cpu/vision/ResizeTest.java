package org.clinfer.cpu.vision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class ResizeTest {

    private static final String[] COORDINATES = {
        "half_pixel",
        "half_pixel_symmetric",
        "pytorch_half_pixel",
        "align_corners",
        "asymmetric",
        "tf_crop_and_resize",
        "tf_half_pixel_for_nn"
    };
    private static final String[] NEAREST = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

    private static MapParameters parameters(String mode, String coordinates) {
        return new MapParameters()
                .with("filter", mode)
                .with("coordinates", coordinates)
                .with("rounding", "round_prefer_floor")
                .with("cubic_a", (Object) (-0.75))
                .with("excludes", (Object) false)
                .with("widens", (Object) false)
                .with("outside_value", (Object) 7.5);
    }

    private static MapParameters scaled(MapParameters parameters, double... scale) {
        double[] ends = new double[scale.length];
        Arrays.fill(ends, 1);
        return parameters
                .with("ratio", (Object) scale)
                .with("roi_begin", (Object) new double[scale.length])
                .with("roi_end", (Object) ends);
    }

    @Test
    void agreesWithTheDefinition() {
        Random random = new Random(51);
        String[] modes = {"nearest", "linear", "cubic"};
        DType[] types = {DType.FLOAT32, DType.FLOAT16, DType.FLOAT64};
        for (int i = 0; i < 400; i++) {
            DType dtype = types[random.nextInt(types.length)];
            String mode = modes[random.nextInt(3)];
            int rank = 1 + random.nextInt(3);
            int[] in = new int[rank];
            int[] out = new int[rank];
            double[] scale = new double[rank];
            double[] begin = new double[rank];
            double[] end = new double[rank];
            for (int axis = 0; axis < rank; axis++) {
                in[axis] = 1 + random.nextInt(9);
                boolean changed = random.nextInt(3) > 0;
                scale[axis] = changed ? 0.3 + 2.7 * random.nextDouble() : 1;
                out[axis] = Math.max(1, (int) Math.floor(in[axis] * scale[axis]));
                if (random.nextBoolean()) {
                    scale[axis] = (double) out[axis] / in[axis];
                }
                begin[axis] = random.nextInt(3) == 0 ? random.nextDouble() - 0.3 : 0;
                end[axis] = begin[axis] + 0.2 + random.nextDouble();
            }
            boolean antialias = !mode.equals("nearest") && random.nextInt(3) == 0;
            MapParameters parameters = parameters(mode, COORDINATES[random.nextInt(COORDINATES.length)])
                    .with("rounding", NEAREST[random.nextInt(NEAREST.length)])
                    .with("excludes", (Object) random.nextBoolean())
                    .with("widens", (Object) antialias)
                    .with("ratio", (Object) scale)
                    .with("roi_begin", (Object) begin)
                    .with("roi_end", (Object) end);
            long[] sizes = Arrays.stream(in).asLongStream().toArray();
            Tensor x = OperatorRun.random(random, dtype, sizes);
            double[] expected = new double[Arrays.stream(out).reduce(1, (a, b) -> a * b)];
            for (int at = 0; at < expected.length; at++) {
                expected[at] = new Definition(parameters, x, in, out).value(at);
            }
            String label = mode + " " + parameters.text("coordinates") + " " + parameters.text("rounding")
                    + " antialias " + antialias + " " + Arrays.toString(in) + " " + Arrays.toString(out) + " "
                    + Arrays.toString(scale);
            new OperatorRun("Resize", parameters, List.of(x), OperatorRun.type(dtype, out)).expect(expected, label);
        }
    }

    /** Interpolation axis by axis for one output element, by the nearest neighbours of its coordinate. */
    private record Definition(MapParameters parameters, Tensor x, List<Integer> in, List<Integer> out) {

        Definition(MapParameters parameters, Tensor x, int[] in, int[] out) {
            this(
                    parameters,
                    x,
                    Arrays.stream(in).boxed().toList(),
                    Arrays.stream(out).boxed().toList());
        }

        double value(int at) {
            List<Integer> o = new ArrayList<>();
            int rest = at;
            for (int axis = out.size() - 1; axis >= 0; axis--) {
                o.add(0, rest % out.get(axis));
                rest /= out.get(axis);
            }
            return interpolate(0, 0, o);
        }

        private double interpolate(int axis, int base, List<Integer> o) {
            if (axis == in.size()) {
                return x.getDouble(base);
            }
            int n = in.get(axis);
            boolean crops = parameters.text("coordinates").equals("tf_crop_and_resize");
            if (n == out.get(axis) && parameters.reals("ratio")[axis] == 1 && !crops) {
                return interpolate(axis + 1, base * n + o.get(axis), o);
            }
            double exact = coordinate(axis, o.get(axis));
            double half = Math.rint(2 * exact) / 2;
            boolean nearHalf = Math.abs(exact - half) < 5e-7 * (1 + Math.abs(exact));
            double c = nearHalf && parameters.text("filter").equals("nearest") ? half : exact;
            if (crops && (c < 0 || c > n - 1)) {
                return parameters.real("outside_value");
            }
            double ratio = c == Math.floor(c) ? 1 : c - Math.floor(c);
            double[] weights = weights(ratio, parameters.reals("ratio")[axis]);
            List<Integer> near = neighbours(c, weights.length);
            double total = 0;
            double sum = 0;
            for (int i = 0; i < weights.length; i++) {
                int index = near.get(i);
                boolean excluded = parameters.flag("excludes")
                        && !parameters.text("filter").equals("nearest")
                        && (index < 0 || index >= n);
                double weight = excluded ? 0 : weights[i];
                total += weight;
                int clamped = Math.max(0, Math.min(n - 1, index));
                sum += weight * interpolate(axis + 1, base * n + clamped, o);
            }
            return sum / total;
        }

        private static List<Integer> neighbours(double c, int count) {
            List<Integer> all = new ArrayList<>();
            for (int i = (int) Math.floor(c) - 20; i < c + 20; i++) {
                all.add(i);
            }
            all.sort(Comparator.<Integer>comparingDouble(i -> Math.abs(c - i)).thenComparing(i -> i));
            return all.subList(0, count).stream().sorted().toList();
        }

        private double[] weights(double ratio, double scale) {
            String nearest = parameters.text("rounding");
            double a = parameters.real("cubic_a");
            if (parameters.text("filter").equals("nearest")) {
                boolean right = ratio == 1
                        || nearest.equals("ceil")
                        || (nearest.equals("round_prefer_floor") && ratio > 0.5)
                        || (nearest.equals("round_prefer_ceil") && ratio >= 0.5);
                return right ? new double[] {0, 1} : new double[] {1, 0};
            }
            boolean cubic = parameters.text("filter").equals("cubic");
            double filter = parameters.flag("widens") ? Math.min(1, scale) : 1;
            int start = (int) Math.floor((cubic ? -2 : -1) / filter) + 1;
            double[] weights = new double[2 - 2 * start];
            double total = 0;
            for (int i = 0; i < weights.length; i++) {
                double d = Math.abs((start + i - ratio) * filter);
                double outer = d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
                double inner = (a + 2) * d * d * d - (a + 3) * d * d + 1;
                weights[i] = cubic ? d <= 1 ? inner : outer : Math.max(0, 1 - d);
                total += weights[i];
            }
            for (int i = 0; i < weights.length; i++) {
                weights[i] /= total;
            }
            return weights;
        }

        private double coordinate(int axis, int o) {
            double scale = parameters.reals("ratio")[axis];
            int n = in.get(axis);
            double length = scale * n;
            double begin = parameters.reals("roi_begin")[axis];
            double end = parameters.reals("roi_end")[axis];
            int size = out.get(axis);
            return switch (parameters.text("coordinates")) {
                case "asymmetric" -> o / scale;
                case "align_corners" -> Math.abs(length - 1) < 1e-9 ? 0 : o * (n - 1) / (length - 1);
                case "tf_crop_and_resize" ->
                    size == 1
                            ? begin * (n - 1) + (end - begin) * (n - 1) / 2
                            : begin * (n - 1) + o * ((end - begin) * (n - 1)) / (size - 1);
                case "pytorch_half_pixel" -> size == 1 ? 0 : (o + 0.5) / scale - 0.5;
                case "half_pixel_symmetric" -> n / 2.0 * (1 - size / length) + (o + 0.5) / scale - 0.5;
                case "tf_half_pixel_for_nn" -> (o + 0.5) / scale;
                default -> (o + 0.5) / scale - 0.5;
            };
        }
    }

    private static Tensor resized(Tensor x, MapParameters parameters, DType dtype, int... sizes) {
        return new OperatorRun("Resize", parameters, List.of(x), OperatorRun.type(dtype, sizes)).compute(1);
    }

    @Test
    void alignCornersDividesByTheExactLength() {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 4);
        assertThat(resized(x, scaled(parameters("linear", "align_corners"), 0.6), DType.FLOAT32, 2)
                        .toFloatArray())
                .containsExactly(1f, 3.142857f);
    }

    @Test
    void keepsLargeIntegers() {
        long large = (1L << 60) + 1;
        Tensor x = Tensor.of(new long[] {large, 5}, 1, 2);
        assertThat(resized(x, scaled(parameters("nearest", "asymmetric"), 2, 1.5), DType.INT64, 2, 3)
                        .toLongArray())
                .containsExactly(large, 5, 5, large, 5, 5);
    }

    @Test
    void integersRoundHalfToEvenAndSaturate() {
        Tensor x = TestRuns.longsOf(DType.INT8, -3, 4, 9);
        assertThat(resized(x, scaled(parameters("linear", "half_pixel"), 2), DType.INT8, 6)
                        .toLongArray())
                .containsExactly(-3, -1, 2, 5, 8, 9);
        Tensor halves = TestRuns.longsOf(DType.INT16, 0, 1, 2, -1);
        assertThat(resized(halves, scaled(parameters("linear", "align_corners"), 7 / 4.0), DType.INT16, 7)
                        .toLongArray())
                .containsExactly(0, 0, 1, 2, 2, 0, -1);
        Tensor steep = TestRuns.longsOf(DType.INT8, -128, 127, 127, -128);
        assertThat(resized(steep, scaled(parameters("cubic", "align_corners"), 7 / 4.0), DType.INT8, 7)
                        .toLongArray())
                .containsExactly(-128, 0, 127, 127, 127, 0, -128);
    }

    /** A sixth is no double, so that a tie comes out as a little less or more. */
    @Test
    void tiesAreFoundThroughRoundingErrors() {
        for (int value = 1; value < 400; value += 2) {
            Tensor x = TestRuns.longsOf(DType.INT32, 0, 6L * value, 0);
            long[] y = resized(x, scaled(parameters("linear", "half_pixel"), 6), DType.INT32, 18)
                    .toLongArray();
            assertThat(y[3]).isEqualTo((long) Math.rint(value / 2.0));
            assertThat(y[4]).isEqualTo((long) Math.rint(3 * value / 2.0));
            assertThat(y[12]).isEqualTo((long) Math.rint(5 * value / 2.0));
        }
        assertThat(Ties.rounded(Double.NaN)).isZero();
        assertThat(Ties.rounded(1e30)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void nearestSeesThroughTheRoundingOfTheScale() {
        for (int factor = 1; factor < 60; factor++) {
            Tensor x = Tensor.allocate(DType.INT32, 20L * factor);
            for (int i = 0; i < x.elements(); i++) {
                x.setLong(i, i);
            }
            MapParameters parameters =
                    scaled(parameters("nearest", "asymmetric").with("rounding", "floor"), 1.0 / factor);
            long[] y = resized(x, parameters, DType.INT32, 20).toLongArray();
            for (int i = 0; i < y.length; i++) {
                assertThat(y[i]).isEqualTo((long) i * factor);
            }
        }
    }
}
