package org.clinfer.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.clinfer.check.NetworkCost;
import org.jspecify.annotations.Nullable;

/** Costs in the document for programs. */
final class JsonCost {

    private JsonCost() {}

    static Map<String, Object> network(NetworkCost cost) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "crossings", cost.crossings().stream().map(JsonCost::crossing).toList());
        cost.total().ifPresent(total -> document.put("total", total(total)));
        cost.noEstimate().ifPresent(reason -> document.put("no_estimate", reason));
        return document;
    }

    private static Map<String, @Nullable Object> crossing(NetworkCost.Crossing crossing) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("value", crossing.value());
        document.put("to", crossing.isToDevice() ? "device" : "host");
        document.put("bytes", JsonReport.known(crossing.bytes()));
        document.put("ms", known(crossing.millis()));
        return document;
    }

    private static Map<String, @Nullable Object> total(NetworkCost.Total total) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("ms", known(total.millis()));
        document.put("device_ms", known(total.deviceMillis()));
        document.put("host_ms", known(total.hostMillis()));
        document.put("crossing_ms", known(total.crossingMillis()));
        document.put("start_ms", known(total.startMillis()));
        document.put("not_estimated", total.notEstimated());
        document.put("source", total.source());
        document.put("accuracy", total.accuracy().orElse(null));
        return document;
    }

    static Map<String, @Nullable Object> node(NetworkCost.NodeCost cost) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("multiply_adds", JsonReport.known(cost.multiplyAdds()));
        document.put("share", known(cost.share()));
        document.put("read_bytes", JsonReport.known(cost.readBytes()));
        document.put("written_bytes", JsonReport.known(cost.writtenBytes()));
        document.put("weight_bytes", JsonReport.known(cost.weightBytes()));
        document.put("device", cost.device().map(JsonCost::estimate).orElse(null));
        document.put("host_ms", known(cost.hostMillis()));
        return document;
    }

    private static Map<String, Object> estimate(NetworkCost.Estimate estimate) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("ms", estimate.millis());
        document.put("bound", estimate.bound().label());
        document.put("compute_ms", estimate.computeMillis());
        document.put("memory_ms", estimate.memoryMillis());
        document.put("overhead_ms", estimate.overheadMillis());
        return document;
    }

    private static @Nullable Double known(OptionalDouble number) {
        return number.isPresent() ? number.getAsDouble() : null;
    }
}
