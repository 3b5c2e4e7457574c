package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The two ways of a condition that is known beforehand: one of them is never gone. */
final class ConditionTranslators {

    private ConditionTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "Switch", ConditionTranslators::branch,
                "RefSwitch", ConditionTranslators::branch,
                "Merge", ConditionTranslators::merge,
                "RefMerge", ConditionTranslators::merge);
    }

    private static void branch(TfCall call) {
        long[] condition = call.integers(1)
                .filter(values -> values.length == 1)
                .orElseThrow(() -> call.unsupportedUse("a condition that is not known beforehand"));
        boolean taken = condition[0] != 0;
        call.give(0, taken ? TfValue.DEAD : call.input(0));
        call.give(1, taken ? call.input(0) : TfValue.DEAD);
    }

    private static void merge(TfCall call) {
        List<TfValue> inputs = call.inputs();
        for (int i = 0; i < inputs.size(); i++) {
            if (!inputs.get(i).equals(TfValue.DEAD)) {
                call.give(0, inputs.get(i));
                call.give(
                        1,
                        call.graph().constant(call.graph().freshName(call.node().name()), index(i)));
                return;
            }
        }
        throw call.malformed("it has no input");
    }

    private static Tensor index(int index) {
        Tensor tensor = Tensor.allocate(DType.INT32);
        tensor.setLong(0, index);
        return tensor;
    }
}
