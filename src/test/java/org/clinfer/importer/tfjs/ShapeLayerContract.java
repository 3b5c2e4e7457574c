package org.clinfer.importer.tfjs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.clinfer.DeviceChoice;
import org.junit.jupiter.api.Test;

/** Layers of Keras that move, repeat or merge elements. */
abstract class ShapeLayerContract extends LayerContract {

    ShapeLayerContract(DeviceChoice device) {
        super(device);
    }

    @Test
    void shapes() throws IOException {
        Volume x = random(2, 3, 4, 2);
        check(taking(x).layer("Flatten", "f", "", "x"), x, new Volume(new int[] {2, 24}, x.values()));
        Volume last = x.permuted(0, 2, 3, 1);
        check(
                taking(x).layer("Flatten", "f", "'data_format':'channels_first'", "x"),
                x,
                new Volume(new int[] {2, 24}, last.values()));
        check(
                taking(x).layer("Reshape", "r", "'target_shape':[8,-1]", "x"),
                x,
                new Volume(new int[] {2, 8, 3}, x.values()));
        check(
                taking(x).layer("Reshape", "r", "'target_shape':[null,2,4]", "x"),
                x,
                new Volume(new int[] {2, 3, 2, 4}, x.values()));
        check(taking(x).layer("Permute", "p", "'dims':[3,1,2]", "x"), x, x.permuted(0, 3, 1, 2));
        check(taking(x).layer("Dropout", "d", "'rate':0.5,'seed':3", "x"), x, x);
        check(taking(x).layer("Rescaling", "s", "'scale':0.5,'offset':-1", "x"), x, x.map(value -> value / 2 - 1));
        Volume row = random(2, 3);
        check(
                taking(row).layer("RepeatVector", "v", "'n':4", "x"),
                row,
                Volume.of(new int[] {2, 4, 3}, at -> row.at(at[0], at[2])));
    }

    @Test
    void bordersOfImages() throws IOException {
        Volume x = random(1, 5, 6, 2);
        check(
                taking(x).layer("ZeroPadding2D", "p", "'padding':[[1,2],[0,3]]", "x"),
                x,
                Volume.of(
                        new int[] {1, 8, 9, 2},
                        at -> at[1] < 1 || at[1] > 5 || at[2] > 5 ? 0 : x.at(0, at[1] - 1, at[2], at[3])));
        check(
                taking(x).layer("ZeroPadding2D", "p", "'padding':[1,2]", "x"),
                x,
                Volume.of(
                        new int[] {1, 7, 10, 2},
                        at -> at[1] < 1 || at[1] > 5 || at[2] < 2 || at[2] > 7
                                ? 0
                                : x.at(0, at[1] - 1, at[2] - 2, at[3])));
        check(
                taking(x).layer("Cropping2D", "p", "'cropping':[[1,0],[2,1]]", "x"),
                x,
                Volume.of(new int[] {1, 4, 3, 2}, at -> x.at(0, at[1] + 1, at[2] + 2, at[3])));
        Volume row = random(2, 7, 3);
        check(
                taking(row).layer("ZeroPadding1D", "p", "'padding':[2,0]", "x"),
                row,
                Volume.of(new int[] {2, 9, 3}, at -> at[1] < 2 ? 0 : row.at(at[0], at[1] - 2, at[2])));
        check(
                taking(row).layer("Cropping1D", "p", "'cropping':2", "x"),
                row,
                Volume.of(new int[] {2, 3, 3}, at -> row.at(at[0], at[1] + 2, at[2])));
        Volume box = random(1, 2, 3, 4, 2);
        check(
                taking(box).layer("ZeroPadding3D", "p", "'padding':1,'data_format':'channels_first'", "x"),
                box,
                Volume.of(
                        new int[] {1, 2, 5, 6, 4},
                        at -> at[2] < 1 || at[2] > 3 || at[3] < 1 || at[3] > 4 || at[4] < 1 || at[4] > 2
                                ? 0
                                : box.at(0, at[1], at[2] - 1, at[3] - 1, at[4] - 1)));
        check(
                taking(box).layer("Cropping3D", "p", "'cropping':[[0,1],[1,1],[0,0]]", "x"),
                box,
                Volume.of(new int[] {1, 1, 1, 4, 2}, at -> box.at(0, 0, 1, at[3], at[4])));
    }

    @Test
    void enlargedImages() throws IOException {
        Volume x = random(1, 3, 4, 2);
        check(
                taking(x).layer("UpSampling2D", "u", "'size':[2,3],'interpolation':'nearest'", "x"),
                x,
                Volume.of(new int[] {1, 6, 12, 2}, at -> x.at(0, at[1] / 2, at[2] / 3, at[3])));
        for (String version : List.of("2.7.0", "tfjs-layers 4.2.0")) {
            double shift = version.startsWith("2") ? 0.5 : 0;
            TfjsModel model =
                    taking(x).version(version).layer("UpSampling2D", "u", "'size':2,'interpolation':'bilinear'", "x");
            check(model, x, Volume.of(new int[] {1, 6, 8, 2}, at -> {
                double row = Math.min(Math.max((at[1] + shift) / 2 - shift, 0), 2);
                double column = Math.min(Math.max((at[2] + shift) / 2 - shift, 0), 3);
                double sum = 0;
                for (int i = 0; i < 4; i++) {
                    int r = (int) Math.min(Math.floor(row) + (i >> 1), 2);
                    int c = (int) Math.min(Math.floor(column) + i % 2, 3);
                    double down = row - Math.floor(row);
                    double right = column - Math.floor(column);
                    sum += (i / 2 == 1 ? down : 1 - down) * (i % 2 == 1 ? right : 1 - right) * x.at(0, r, c, at[3]);
                }
                return sum;
            }));
        }
        Volume row = random(2, 4, 3);
        check(
                taking(row).layer("UpSampling1D", "u", "'size':3", "x"),
                row,
                Volume.of(new int[] {2, 12, 3}, at -> row.at(at[0], at[1] / 3, at[2])));
        Volume box = random(1, 2, 3, 2, 3);
        check(
                taking(box).layer("UpSampling3D", "u", "'size':[2,2,2]", "x"),
                box,
                Volume.of(new int[] {1, 4, 6, 4, 3}, at -> box.at(0, at[1] / 2, at[2] / 2, at[3] / 2, at[4])));
        check(
                taking(x).layer("UpSampling2D", "u", "'size':[1,2],'data_format':'channels_first'", "x"),
                x,
                Volume.of(new int[] {1, 3, 4, 4}, at -> x.at(0, at[1], at[2], at[3] / 2)));
    }

    @Test
    void merges() throws IOException {
        Volume x = random(2, 4, 3);
        Volume y = random(2, 4, 1);
        Volume z = random(2, 3);
        Map<String, Volume> inputs = Map.of("x", x, "y", y, "z", z);
        Map<String, java.util.function.ToDoubleFunction<double[]>> functions = Map.of(
                "Add", v -> v[0] + v[1] + v[2],
                "Multiply", v -> v[0] * v[1] * v[2],
                "Average", v -> (v[0] + v[1] + v[2]) / 3,
                "Maximum", v -> Math.max(v[0], Math.max(v[1], v[2])),
                "Minimum", v -> Math.min(v[0], Math.min(v[1], v[2])));
        for (String kind : functions.keySet().stream().sorted().collect(Collectors.toList())) {
            TfjsModel model = taking(x).input("y", -1, 4, 1).input("z", -1, 3).layer(kind, "m", "", "x", "y", "z");
            var function = Objects.requireNonNull(functions.get(kind));
            Volume expected = Volume.of(
                    x.dims(),
                    at -> function.applyAsDouble(new double[] {x.at(at), y.at(at[0], at[1], 0), z.at(at[0], at[2])}));
            assertSame(run(model, inputs), expected);
        }
        TfjsModel difference = taking(x).input("y", -1, 4, 1).layer("Subtract", "m", "", "x", "y");
        assertSame(
                run(difference, Map.of("x", x, "y", y)), Volume.of(x.dims(), at -> x.at(at) - y.at(at[0], at[1], 0)));
        for (String axis : List.of("-1", "2")) {
            TfjsModel joined = taking(x).input("y", -1, 4, 1).layer("Concatenate", "m", "'axis':" + axis, "x", "y");
            assertSame(
                    run(joined, Map.of("x", x, "y", y)),
                    Volume.of(new int[] {2, 4, 4}, at -> at[2] < 3 ? x.at(at) : y.at(at[0], at[1], 0)));
        }
    }
}
