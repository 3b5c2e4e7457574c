package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Operands of an operator that broadcasts, all in one order of axes.
 *
 * @param second whether that is the one with the channels second
 */
record TfliteOperands(List<Value> values, boolean second) {

    /** The channels are second where an operand with the most axes has them so, and the others can follow. */
    static TfliteOperands of(TfliteCall call, List<TfliteValue> operands) {
        int rank = operands.stream().mapToInt(TfliteValue::rank).max().orElse(0);
        boolean wanted = operands.stream().anyMatch(each -> each.second() && each.rank() == rank);
        boolean follow = operands.stream().noneMatch(each -> each.second() && each.rank() != rank);
        boolean second = wanted && follow;
        List<Value> values = new ArrayList<>();
        for (TfliteValue each : operands) {
            values.add(second ? second(call, each, rank) : call.plain(each));
        }
        return new TfliteOperands(values, second);
    }

    /** A value of the last axes, with axes of size 1 in front, and the channels second then. */
    private static Value second(TfliteCall call, TfliteValue value, int rank) {
        if (value.rank() == rank) {
            return call.second(value);
        }
        boolean single = value.held().shape().isKnown() && value.held().shape().elements() == 1;
        return single ? value.held() : call.second(new TfliteValue(widened(call, value.held(), rank), false));
    }

    private static Value widened(TfliteCall call, Value value, int rank) {
        Optional<Tensor> elements = call.elements(value);
        long[] ones = LongStream.generate(() -> 1).limit(rank - value.rank()).toArray();
        if (elements.isEmpty()) {
            return call.add("Unsqueeze", new Params().put("axis", ChannelAxes.range(0, ones.length)), value);
        }
        long[] sizes = LongStream.concat(
                        LongStream.of(ones), LongStream.of(value.shape().sizes()))
                .toArray();
        return call.shared(value.name() + "/" + rank + "d", () -> elements.get().reshaped(Shape.of(sizes)));
    }
}
