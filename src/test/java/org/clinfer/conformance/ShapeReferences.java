package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.SmallFloatDefinition;
import org.clinfer.tensor.Tensor;

/** Operators that make tensors from shapes, numbers and types. */
final class ShapeReferences {

    private ShapeReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "Shape", Reference.single(ShapeReferences::shape),
                "Size",
                        Reference.single(call -> new Array(
                                        new long[0], new double[] {call.input(0).elements()})
                                .as(DType.INT64)),
                "ConstantOfShape", Reference.single(ShapeReferences::constant),
                "Range", Reference.single(ShapeReferences::range),
                "Random", Reference.single(ShapeReferences::random),
                "Cast", Reference.single(ShapeReferences::cast),
                "BitCast", Reference.single(ShapeReferences::bitCast));
    }

    private static DType type(String label) {
        return DType.of(label).orElseThrow();
    }

    /** A slice of the list of sizes, as Python cuts lists. */
    private static Array shape(Call call) {
        long[] dims = call.input(0).dims();
        int first = position(call.integer("start", 0), dims.length);
        int end = Math.max(first, position(call.integer("end", dims.length), dims.length));
        double[] sizes = Arrays.stream(Arrays.copyOfRange(dims, first, end))
                .mapToDouble(v -> v)
                .toArray();
        return new Array(new long[] {sizes.length}, sizes).as(DType.INT64);
    }

    private static int position(long at, int length) {
        return Math.toIntExact(Math.max(0, Math.min(length, at < 0 ? at + length : at)));
    }

    private static Array constant(Call call) {
        double value = call.real("value", 0);
        return Array.of(Values.ints(call, 0, "shape"), index -> value).as(type(call.text("dtype", "float32")));
    }

    private static Array range(Call call) {
        double start = Values.real(call, 0, "start");
        double limit = Values.real(call, 1, "limit");
        double delta = Values.real(call, 2, "delta");
        long count = (long) Math.max(0, Math.ceil((limit - start) / delta));
        Array values = Array.of(new long[] {count}, index -> start + index[0] * delta);
        return call.hasInput(0) ? Elements.like(call.input(0), values) : values.as(DType.FLOAT32);
    }

    private static Array random(Call call) {
        TwisterDefinition twister = new TwisterDefinition(call.integer("seed", 0));
        boolean normal = call.text("distribution", "uniform").equals("normal");
        return Array.of(Values.ints(call, 0, "shape"), index -> normal ? twister.normal() : twister.uniform())
                .as(DType.FLOAT64);
    }

    /** Element by element, as tensors of one element store them. */
    private static Array bitCast(Call call) {
        Array x = call.input(0);
        DType from = x.type().orElse(DType.FLOAT32);
        DType to = type(call.text("to", ""));
        return Array.of(x.dims(), index -> {
                    Tensor one = Tensor.allocate(from, 1);
                    one.setDouble(0, x.at(index));
                    Tensor other = Tensor.allocate(to, 1);
                    other.bytes().put(one.bytes());
                    return other.getDouble(0);
                })
                .as(to);
    }

    /** Floating values truncate; integers keep the low bits where the new type is narrower, all values below a byte. */
    private static Array cast(Call call) {
        Array x = call.input(0);
        DType to = type(call.text("to", ""));
        boolean keepsBits = Elements.isInteger(x) && to.isInteger();
        return Array.of(x.dims(), index -> {
                    double value = x.at(index);
                    if (to == DType.BOOL) {
                        return value == 0 ? 0 : 1;
                    }
                    if (keepsBits || (to.isInteger() && to.isPacked())) {
                        return lowBits(ArithmeticReferences.truncated(value), to);
                    }
                    if (to == DType.FLOAT8E8M0) {
                        return power(SmallFloatDefinition.clamped(to, value), call.text("round_mode", "UP"));
                    }
                    if (to.isSmallFloat() && call.flag("saturate", true)) {
                        return SmallFloatDefinition.clamped(to, value);
                    }
                    return to.isInteger() ? ArithmeticReferences.truncated(value) : value;
                })
                .as(to);
    }

    /** A number as a power of two. */
    private static double power(double value, String rounding) {
        double below = 0x1p-127;
        while (2 * below <= value) {
            below *= 2;
        }
        return switch (rounding) {
            case "DOWN" -> value >= 0 ? below : value;
            case "NEAREST" -> value >= 0 ? (value >= 1.5 * below ? 2 * below : below) : value;
            default -> value;
        };
    }

    /** The number that the type has and that differs from the value by a multiple of 2^bits. */
    private static double lowBits(double value, DType to) {
        long modulus = to.bits() == 64 ? 0 : 1L << to.bits();
        long rest = modulus == 0 ? (long) value : Math.floorMod((long) value, modulus);
        if (to == DType.UINT64 && value < 0) {
            return 0x1p64 + value;
        }
        boolean signed = !to.label().startsWith("u");
        return (double) (signed && modulus != 0 && rest >= modulus / 2 ? rest - modulus : rest);
    }
}
