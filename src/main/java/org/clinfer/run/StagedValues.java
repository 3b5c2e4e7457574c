package org.clinfer.run;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Graph;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The inputs and results of a plan that pass through pinned memory, because the device has memory of its own: from memory
 * that may be paged out, drivers copy piece by piece, and the host waits meanwhile.
 *
 * @param places the first byte of each value, by name
 * @param bytes of all
 */
record StagedValues(Map<String, Integer> places, int bytes) {

    /** Pinned memory is scarce: the smallest values have it. */
    private static final long MOST_BYTES = 64L << 20;

    StagedValues {
        places = Map.copyOf(places);
    }

    static StagedValues of(ExecutionPlan plan, DeviceFacts facts) {
        if (MemoryLimits.of(facts).sharesHost()) {
            return new StagedValues(Map.of(), 0);
        }
        Map<String, Integer> places = new HashMap<>();
        int end = 0;
        for (Map.Entry<String, Long> value : sizes(plan).entrySet()) {
            long next = (end + value.getValue() + Tensor.ALIGNMENT - 1) / Tensor.ALIGNMENT * Tensor.ALIGNMENT;
            if (next > MOST_BYTES) {
                break;
            }
            places.put(value.getKey(), end);
            end = (int) next;
        }
        return new StagedValues(places, end);
    }

    /** Bytes of what crosses, the smallest first. */
    private static Map<String, Long> sizes(ExecutionPlan plan) {
        Map<String, TensorType> types = plan.graph().types();
        var inputs = plan.graph().inputs().stream().map(Graph.Input::name).collect(Collectors.toSet());
        Stream<String> sent = plan.steps().stream()
                .filter(Step.Upload.class::isInstance)
                .map(step -> ((Step.Upload) step).value())
                .filter(inputs::contains);
        return Stream.concat(sent, plan.deviceOutputs().stream())
                .filter(value -> !plan.lent().contains(plan.owner(value)))
                .distinct()
                .map(value -> Map.entry(
                        value, Objects.requireNonNull(types.get(value), value).bytes()))
                .filter(value -> value.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry::getKey, Comparator.naturalOrder()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
    }
}
