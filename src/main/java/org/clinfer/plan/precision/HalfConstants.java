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

/** The float32 constants of a plan in float16: those of the model are converted once for all its plans. */
final class HalfConstants {

    private static final float SMALLEST_NORMAL = 0x1p-14f;

    private final Map<String, Tensor> constants;
    private final Map<String, Tensor> ofModel;
    private final FoldedConstants folded;
    private final Map<String, Optional<FoldedConstants.Named>> known = new HashMap<>();

    /**
     * @param constants all of the plan
     * @param ofModel those that depend on the model alone
     */
    HalfConstants(Map<String, Tensor> constants, Map<String, Tensor> ofModel, FoldedConstants folded) {
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

    /** The constant in float16; empty where it is {@link #refusal refused}. */
    Optional<FoldedConstants.Named> of(String value) {
        return known.computeIfAbsent(value, this::made);
    }

    private Optional<FoldedConstants.Named> made(String value) {
        Tensor constant = Objects.requireNonNull(constants.get(value));
        TensorType type = new TensorType(DType.FLOAT16, constant.shape());
        List<String> key = List.of(value, "as float16");
        return isOfModel(value)
                ? folded.of(key, type, () -> converted(constant))
                : converted(constant)
                        .map(tensor -> new FoldedConstants.Named(String.join(" ", key) + " in this plan", tensor));
    }

    /** Why a constant stays in float32; empty where float16 has its numbers. */
    Optional<String> refusal(String value) {
        if (of(value).isPresent()) {
            return Optional.empty();
        }
        Tensor constant = Objects.requireNonNull(constants.get(value));
        FloatBuffer floats = floats(constant);
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
                        : "there is no memory for a constant in float16");
    }

    /** Empty where a number becomes infinite, or where all are so small that they lose digits. */
    private static Optional<Tensor> converted(Tensor constant) {
        FloatBuffer from = floats(constant);
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
    private static FloatBuffer floats(Tensor constant) {
        if (!constant.isDeferred()) {
            return constant.floats();
        }
        ByteBuffer memory = Tensor.alignedMemory(Math.toIntExact(constant.type().bytes()));
        constant.writeTo(memory.duplicate());
        return memory.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    }
}
