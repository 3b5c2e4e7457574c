package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The number of bits that are 1: pairs of neighbours are added, then pairs of these sums, and at last all bytes. */
final class TfBitTranslators {

    private static final long EVERY_SECOND = 0x5555_5555_5555_5555L;
    private static final long TWO_OF_FOUR = 0x3333_3333_3333_3333L;
    private static final long FOUR_OF_EIGHT = 0x0F0F_0F0F_0F0F_0F0FL;
    private static final long ONE_OF_EIGHT = 0x0101_0101_0101_0101L;

    private final TfCall call;
    private final DType word;

    private TfBitTranslators(TfCall call, DType word) {
        this.call = call;
        this.word = word;
    }

    static Map<String, TfTranslator> all() {
        return Map.of("PopulationCount", TfBitTranslators::count);
    }

    private static void count(TfCall call) {
        DType type = call.dtype(call.input(0));
        DType word = switch (type) {
            case INT8, UINT8 -> DType.UINT8;
            case INT16, UINT16 -> DType.UINT16;
            case INT32, UINT32 -> DType.UINT32;
            case INT64, UINT64 -> DType.UINT64;
            default -> throw call.unsupportedUse("elements of " + type.label());
        };
        Params bits = new Params().put("to", word.label());
        String x = type == word ? call.plain(0) : call.step("BitCast", List.of(call.plain(0)), bits);
        new TfBitTranslators(call, word).count(x);
    }

    private void count(String x) {
        String twos = call.step("Sub", x, and(right(x, 1), EVERY_SECOND));
        String fours = call.step("Add", and(twos, TWO_OF_FOUR), and(right(twos, 2), TWO_OF_FOUR));
        String bytes = and(call.step("Add", fours, right(fours, 4)), FOUR_OF_EIGHT);
        String sum = right(call.step("Mul", bytes, constant(ONE_OF_EIGHT)), word.bits() - 8);
        call.give("Cast", List.of(sum), new Params().put("to", DType.UINT8.label()));
    }

    private String constant(long bits) {
        Tensor number = Tensor.allocate(word);
        number.setLong(0, bits >>> (64 - word.bits()));
        return call.constant("bits", number);
    }

    private String and(String x, long mask) {
        return call.step("BitwiseAnd", x, constant(mask));
    }

    private String right(String x, long by) {
        Tensor number = Tensor.allocate(word);
        number.setLong(0, by);
        Params direction = new Params().put("direction", "RIGHT");
        return call.step("BitShift", List.of(x, call.constant("by", number)), direction);
    }
}
