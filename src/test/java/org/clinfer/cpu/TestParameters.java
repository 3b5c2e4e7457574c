package org.clinfer.cpu;

import java.util.HashMap;
import java.util.Map;
import org.clinfer.graph.Parameters;
import org.jspecify.annotations.Nullable;

/** Parameters held in a map. */
final class TestParameters implements Parameters {

    private final Map<String, Object> values = new HashMap<>();

    static TestParameters none() {
        return new TestParameters();
    }

    TestParameters with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    private <T> T value(String name, Class<T> kind) {
        @Nullable Object value = values.get(name);
        if (!kind.isInstance(value)) {
            throw new IllegalArgumentException(name + " is " + value + ", not a " + kind.getSimpleName());
        }
        return kind.cast(value);
    }

    @Override
    public boolean has(String name) {
        return values.containsKey(name);
    }

    @Override
    public long integer(String name) {
        return value(name, Number.class).longValue();
    }

    @Override
    public double real(String name) {
        return value(name, Number.class).doubleValue();
    }

    @Override
    public boolean flag(String name) {
        return value(name, Boolean.class);
    }

    @Override
    public String text(String name) {
        return value(name, String.class);
    }

    @Override
    public long[] integers(String name) {
        return value(name, long[].class).clone();
    }

    @Override
    public double[] reals(String name) {
        return value(name, double[].class).clone();
    }
}
