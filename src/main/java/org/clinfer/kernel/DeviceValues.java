package org.clinfer.kernel;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.Value;
import org.jspecify.annotations.Nullable;

/** Device facts as the name {@code device} of the expression language; those asked for last are kept. Thread-safe. */
final class DeviceValues {

    private record Known(DeviceFacts facts, Value value) {}

    private volatile @Nullable Known latest;

    Value of(DeviceFacts facts) {
        Known known = latest;
        if (known == null || !known.facts().equals(facts)) {
            known = new Known(facts, made(facts));
            latest = known;
        }
        return known.value();
    }

    /** The kind of device as descriptions write it. */
    static String kind(DeviceFacts facts) {
        return facts.kind().name().toLowerCase(Locale.ROOT);
    }

    private static Value made(DeviceFacts facts) {
        Map<String, Value> fields = new HashMap<>();
        facts.limits().forEach((name, limit) -> fields.put(name, Value.of(limit)));
        fields.put("kind", Value.of(kind(facts)));
        fields.put("register_lanes", Value.of(facts.registerLanes()));
        fields.put("exact", Value.of(facts.exact()));
        fields.put("name", Value.of(facts.name()));
        fields.put("vendor", Value.of(facts.vendor()));
        fields.put(
                "extensions", Value.texts(facts.extensions().stream().sorted().toList()));
        return new Value.Fields("device", fields);
    }
}
