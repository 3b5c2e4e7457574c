package org.clinfer.plan.precision;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The constants of a plan in another type of float: those of the model are converted once for all its plans. */
final class ConvertedConstants {

    private static final String NO_MEMORY = "there is no memory for a constant in the other type";
    private static final float SMALLEST_NORMAL = 0x1p-14f;

    private final Map<String, Tensor> constants;
    private final Map<String, Tensor> ofModel;
    private final FoldedConstants folded;
    private final FloatConversion conversion;
    private final Map<String, Optional<FoldedConstants.Named>> known = new HashMap<>();

    /**
     * @param constants all of the plan
     * @param ofModel those that depend on the model alone
     */
    ConvertedConstants(
            Map<String, Tensor> constants,
            Map<String, Tensor> ofModel,
            FoldedConstants folded,
            FloatConversion conversion) {
        this.conversion = conversion;
        this.constants = constants;
        this.ofModel = ofModel;
        this.folded = folded;
    }

    boolean has(String value) {
        return constants.containsKey(value);
    }

    boolean isOfModel(String value) {
        return ofModel.containsKey(value);
    }

    /** The constant in the other type; empty where it is {@link #refusal refused}. */
    Optional<FoldedConstants.Named> of(String value) {
        return known.computeIfAbsent(value, this::made);
    }

    private Optional<FoldedConstants.Named> made(String value) {
        Tensor constant = Objects.requireNonNull(constants.get(value));
        TensorType type = conversion.converted(constant.type());
        List<String> key = List.of(value, "as " + conversion.to());
        return isOfModel(value)
                ? folded.of(key, type, () -> converted(constant))
                : converted(constant)
                        .map(tensor -> new FoldedConstants.Named(String.join(" ", key) + " in this plan", tensor));
    }

    /** Why a constant is not converted; empty where it is. */
    Optional<String> refusal(String value) {
        if (of(value).isPresent()) {
            return Optional.empty();
        }
        if (conversion.to() == DType.FLOAT32) {
            return Optional.of(NO_MEMORY);
        }
        Tensor constant = Objects.requireNonNull(constants.get(value));
        FloatBuffer floats = memory(constant).asFloatBuffer();
        float largest = 0;
        while (floats.hasRemaining()) {
            float size = Math.abs(floats.get());
            largest = Float.isFinite(size) ? Math.max(largest, size) : largest;
        }
        if (isInfinite(HalfFloat.fromFloat(largest))) {
            return Optional.of("a constant has numbers beyond 65504, the largest of float16");
        }
        return Optional.of(
                largest > 0 && largest < SMALLEST_NORMAL
                        ? "the numbers of a constant are so small that float16 has few digits for them"
                        : NO_MEMORY);
    }

    private Optional<Tensor> converted(Tensor constant) {
        return conversion.to() == DType.FLOAT32 ? Optional.of(widened(constant)) : narrowed(constant);
    }

    private static Tensor widened(Tensor constant) {
        boolean isHalf = constant.type().dtype() == DType.FLOAT16;
        Tensor wide = Tensor.allocate(new TensorType(DType.FLOAT32, constant.shape()));
        FloatBuffer to = wide.bytes().asFloatBuffer();
        ShortBuffer from = memory(constant).asShortBuffer();
        while (from.hasRemaining()) {
            short bits = from.get();
            to.put(isHalf ? HalfFloat.toFloat(bits) : HalfFloat.bfloatToFloat(bits));
        }
        return wide;
    }

    /** Empty where a number becomes infinite, or where all are so small that they lose digits. */
    private static Optional<Tensor> narrowed(Tensor constant) {
        FloatBuffer from = memory(constant).asFloatBuffer();
        Tensor half = Tensor.allocate(new TensorType(DType.FLOAT16, constant.shape()));
        ShortBuffer to = half.bytes().asShortBuffer();
        float largest = 0;
        while (from.hasRemaining()) {
            float value = from.get();
            short rounded = HalfFloat.fromFloat(value);
            if (isInfinite(rounded) && !Float.isInfinite(value)) {
                return Optional.empty();
            }
            largest = Math.max(largest, Math.abs(value));
            to.put(rounded);
        }
        return largest > 0 && largest < SMALLEST_NORMAL ? Optional.empty() : Optional.of(half);
    }

    private static boolean isInfinite(short half) {
        return (half & 0x7fff) == 0x7c00;
    }

    /** The elements; deferred ones get no memory that stays. */
    private static ByteBuffer memory(Tensor constant) {
        if (!constant.isDeferred()) {
            return constant.bytes();
        }
        ByteBuffer memory = Tensor.alignedMemory(Math.toIntExact(constant.type().bytes()));
        constant.writeTo(memory.duplicate());
        return memory.order(ByteOrder.LITTLE_ENDIAN);
    }
}
