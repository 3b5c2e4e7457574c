package org.clinfer.importer;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.graph.Attribute;

/** Collects the parameters of one canonical node. */
public final class Params {

    private final Map<String, Attribute> values = new LinkedHashMap<>();

    public Params put(String name, long value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    public Params put(String name, double value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    public Params put(String name, boolean value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    public Params put(String name, String value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    public Params put(String name, long[] value) {
        values.put(name, Attribute.ofInts(value));
        return this;
    }

    public Params put(String name, double[] value) {
        values.put(name, Attribute.ofReals(value));
        return this;
    }

    public Params put(String name, Attribute value) {
        values.put(name, value);
        return this;
    }

    /** The attributes that were put. */
    public Map<String, Attribute> map() {
        return Map.copyOf(values);
    }
}
