package org.clinfer.run;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The layout of the pinned memory through which values of a plan pass between the host and a device, because that has
 * memory of its own: from memory that may be paged out, drivers copy piece by piece, and the host waits meanwhile. Small
 * values have a place each. The others are cut into pieces, which take slots in turn, in both directions the same ones.
 *
 * @param places the first byte of each small value, by name
 * @param slotsBegin the first byte of the slots, each of {@link #SLOT_BYTES}
 * @param slots their number
 * @param repeats whether what a run sends has more pieces than there are slots
 */
record StagedValues(Map<String, Integer> places, int slotsBegin, int slots, boolean repeats) {

    /** The largest piece: on an H200 40 us of the device, and 150 us of a thread; smaller ones lost time between them. */
    static final int SLOT_BYTES = 2 << 20;

    /** Up to this size one thread copies a value sooner than several are woken. */
    private static final int SMALL_BYTES = 1 << 20;

    /** So many pieces at least have all values that are larger than as many small ones: threads copy them. */
    private static final int FEW = 4;

    /** Pinned memory is scarce. */
    private static final int MOST_BYTES = 64 << 20;

    private static final int MOST_PLACED_BYTES = MOST_BYTES / 4;

    private static final StagedValues NONE = new StagedValues(Map.of(), 0, 0, false);

    StagedValues {
        places = Map.copyOf(places);
    }

    static StagedValues of(ExecutionPlan plan, DeviceFacts facts) {
        if (MemoryLimits.of(facts).sharesHost()) {
            return NONE;
        }
        Map<String, Long> sizes = sizes(plan);
        Map<String, Integer> places = new HashMap<>();
        int end = places(sizes, places);
        sizes.keySet().removeAll(places.keySet());
        int sent = pieces(sent(plan), sizes);
        int fetched = pieces(fetched(plan), sizes);
        int slots = Math.min((MOST_BYTES - end) / SLOT_BYTES, Math.max(sent, fetched));
        return new StagedValues(places, end, slots, sent > slots);
    }

    /**
     * Gives places to the small values, the smallest first.
     *
     * @return their end
     */
    private static int places(Map<String, Long> values, Map<String, Integer> places) {
        int end = 0;
        for (Map.Entry<String, Long> value : values.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry::getKey, Comparator.naturalOrder()))
                .toList()) {
            long next = (end + value.getValue() + Tensor.ALIGNMENT - 1) / Tensor.ALIGNMENT * Tensor.ALIGNMENT;
            if (value.getValue() > SMALL_BYTES || next > MOST_PLACED_BYTES) {
                break;
            }
            places.put(value.getKey(), end);
            end = (int) next;
        }
        return end;
    }

    /** The pieces of those values that have sizes here. */
    private static int pieces(Stream<String> values, Map<String, Long> sizes) {
        long pieces =
                values.mapToLong(value -> pieces(sizes.getOrDefault(value, 0L))).sum();
        return (int) Math.min(pieces, Integer.MAX_VALUE);
    }

    /** The number of pieces of a value. */
    static int pieces(long bytes) {
        long small = (bytes + SMALL_BYTES - 1) / SMALL_BYTES;
        return Math.toIntExact(Math.max(Math.min(small, FEW), (bytes + SLOT_BYTES - 1) / SLOT_BYTES));
    }

    private static Stream<String> sent(ExecutionPlan plan) {
        return plan.steps().stream().filter(Step.Upload.class::isInstance).map(step -> ((Step.Upload) step).value());
    }

    /** The results, and what the host needs before. */
    private static Stream<String> fetched(ExecutionPlan plan) {
        return Stream.concat(
                plan.deviceOutputs().stream(),
                plan.steps().stream()
                        .filter(Step.Download.class::isInstance)
                        .map(step -> ((Step.Download) step).value()));
    }

    /** Bytes of all values that are copied, once each. */
    private static Map<String, Long> sizes(ExecutionPlan plan) {
        Map<String, TensorType> types = plan.graph().types();
        Map<String, Long> sizes = new HashMap<>();
        Stream.concat(sent(plan), fetched(plan))
                .filter(value -> !plan.lent().contains(plan.owner(value)))
                .forEach(value -> sizes.put(
                        value, Objects.requireNonNull(types.get(value), value).bytes()));
        sizes.values().removeIf(bytes -> bytes == 0);
        return sizes;
    }

    /** The size of the pinned memory. */
    int bytes() {
        return slotsBegin + slots * SLOT_BYTES;
    }
}
