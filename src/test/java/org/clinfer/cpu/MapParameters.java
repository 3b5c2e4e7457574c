package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Parameters;

/** Parameters held in a map. */
public final class MapParameters implements Parameters {

    private final Map<String, Object> values = new LinkedHashMap<>();

    public static MapParameters none() {
        return new MapParameters();
    }

    public MapParameters with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    public MapParameters with(String name, int... value) {
        long[] wide = new long[value.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = value[i];
        }
        values.put(name, wide);
        return this;
    }

    public MapParameters with(String name, int value) {
        values.put(name, (long) value);
        return this;
    }

    private <T> T find(String name, Class<T> kind) {
        Object value = values.get(name);
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
        return find(name, Number.class).longValue();
    }

    @Override
    public double real(String name) {
        return find(name, Number.class).doubleValue();
    }

    @Override
    public boolean flag(String name) {
        return find(name, Boolean.class);
    }

    @Override
    public String text(String name) {
        return find(name, String.class);
    }

    @Override
    public long[] integers(String name) {
        return find(name, long[].class).clone();
    }

    @Override
    public double[] reals(String name) {
        return find(name, double[].class).clone();
    }

    @Override
    public List<String> texts(String name) {
        return List.of(find(name, String[].class));
    }
}
