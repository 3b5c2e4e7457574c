package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.RandomNetwork.Value;

/** What moves elements, joins values and takes them apart, and resampling. */
final class RandomMovements {

    private RandomMovements() {}

    static void concat(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int axis = network.chance(0.7) ? 1 : x.rank() - 1;
        List<Value> fitting = network.all(
                value -> value.rank() == x.rank() && Arrays.equals(value.sizesWith(axis, 1), x.sizesWith(axis, 1)));
        List<Value> parts = IntStream.range(0, network.between(2, 4))
                .mapToObj(i -> network.one(fitting))
                .toList();
        long sum = parts.stream().mapToLong(part -> part.size(axis)).sum();
        if (RandomNetwork.isSmall(1, x.sizesWith(axis, sum))) {
            network.node(
                    "Concat",
                    String.join(",", parts.stream().map(Value::name).toList()),
                    x.sizesWith(axis, sum),
                    integer("axis", network.chance(0.7) ? axis : axis - x.rank()));
        }
    }

    static void split(RandomNetwork network) {
        network.pick(value -> value.rank() >= 2 && value.size(1) > 1).ifPresent(x -> {
            long first = network.chance(0.5) ? x.size(1) / 2 : network.between(1, (int) x.size(1) - 1);
            long[] parts = {first, x.size(1) - first};
            network.node(
                    "Split",
                    x.name() + "," + network.longs(parts),
                    List.of(x.sizesWith(1, parts[0]), x.sizesWith(1, parts[1])),
                    integer("axis", 1));
        });
    }

    static void slice(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int axis = network.between(0, x.rank() - 1);
        int size = (int) x.size(axis);
        long begin = network.between(0, size - 1);
        long end = network.between((int) begin + 1, size);
        long step = network.one(1, 1, 1, 2, 3);
        boolean isBackwards = network.chance(0.2);
        String bounds = isBackwards
                ? network.longs(end - 1) + "," + network.longs(begin - 1 - (begin == 0 ? size : 0))
                : network.longs(begin) + "," + network.longs(end);
        network.node(
                "Slice",
                x.name() + "," + bounds + "," + network.longs(axis) + "," + network.longs(isBackwards ? -step : step),
                x.sizesWith(axis, (end - begin + step - 1) / step));
    }

    /** Padding of a picture, which a convolution may take over. */
    static void pad(RandomNetwork network) {
        network.pick(value -> value.rank() >= 3).ifPresent(x -> {
            String mode = network.one("constant", "constant", "edge", "reflect");
            long[] pads = new long[2 * x.rank()];
            long[] sizes = x.sizes();
            for (int i = 2; i < x.rank(); i++) {
                int most = mode.equals("reflect") ? (int) Math.min(2, x.size(i) - 1) : 2;
                pads[i] = network.between(0, most);
                pads[x.rank() + i] = network.between(0, most);
                sizes[i] += pads[i] + pads[x.rank() + i];
            }
            if (RandomNetwork.isSmall(1, sizes)) {
                network.node("Pad", x.name() + "," + network.longs(pads), sizes, text("mode", mode));
            }
        });
    }

    static void transpose(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int[] order = network.order(x.rank());
        network.node(
                "Transpose",
                x.name(),
                IntStream.of(order).mapToLong(x::size).toArray(),
                ints("perm", IntStream.of(order).asLongStream().toArray()));
    }

    /** All axes from one on become one, or one becomes two. */
    static void reshape(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int axis = network.between(1, x.rank() - 1);
        LongStream before = Arrays.stream(x.sizes(), 0, axis);
        long[] sizes;
        if (x.rank() < 5 && x.size(axis) % 2 == 0 && network.chance(0.5)) {
            LongStream parts = LongStream.of(2, x.size(axis) / 2);
            LongStream after = Arrays.stream(x.sizes(), axis + 1, x.rank());
            sizes = LongStream.concat(LongStream.concat(before, parts), after).toArray();
        } else {
            long rest = Arrays.stream(x.sizes(), axis, x.rank()).reduce(1, (a, b) -> a * b);
            sizes = LongStream.concat(before, LongStream.of(rest)).toArray();
        }
        network.node("Reshape", x.name() + "," + network.longs(sizes), sizes);
    }

    /** The channels of groups take turns: Reshape, Transpose, Reshape. */
    static void shuffle(RandomNetwork network) {
        network.pick(value -> value.rank() == 4 && value.size(1) % 2 == 0).ifPresent(x -> {
            long inner = x.size(1) / 2;
            long[] parted = {x.size(0), 2, inner, x.size(2), x.size(3)};
            long[] turned = {x.size(0), inner, 2, x.size(2), x.size(3)};
            Value y = network.node("Reshape", x.name() + "," + network.longs(parted), parted);
            y = network.node("Transpose", y.name(), turned, ints("perm", 0, 2, 1, 3, 4));
            network.node("Reshape", y.name() + "," + network.longs(x.sizes()), x.sizes());
        });
    }

    static void resize(RandomNetwork network) {
        Optional<Value> picked = network.pick(value -> value.rank() == 4
                && RandomNetwork.isSmall(1, value.size(0), value.size(1), 2 * value.size(2), 2 * value.size(3)));
        picked.ifPresent(x -> {
            boolean isNearest = network.chance(0.5);
            network.node(
                    "Resize",
                    x.name() + ",," + network.reals(1, 1, 2, 2),
                    new long[] {x.size(0), x.size(1), 2 * x.size(2), 2 * x.size(3)},
                    text("mode", isNearest ? "nearest" : "linear"),
                    text(
                            "coordinate_transformation_mode",
                            isNearest
                                    ? network.one("asymmetric", "half_pixel")
                                    : network.one("asymmetric", "half_pixel", "align_corners")),
                    text("nearest_mode", "floor"));
        });
    }

    static void depthToSpace(RandomNetwork network) {
        network.pick(value -> value.rank() == 4 && value.size(1) % 4 == 0)
                .ifPresent(x -> network.node(
                        "DepthToSpace",
                        x.name(),
                        new long[] {x.size(0), x.size(1) / 4, 2 * x.size(2), 2 * x.size(3)},
                        integer("blocksize", 2),
                        text("mode", network.one("DCR", "CRD"))));
    }

    static void gather(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int axis = network.between(0, x.rank() - 1);
        long[] indices = IntStream.range(0, network.between(1, 5))
                .mapToLong(i -> network.between(0, (int) x.size(axis) - 1))
                .toArray();
        network.node(
                "Gather",
                x.name() + "," + network.longs(indices),
                x.sizesWith(axis, indices.length),
                integer("axis", axis));
    }
}
