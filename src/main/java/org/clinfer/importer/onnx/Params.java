package org.clinfer.importer.onnx;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.graph.Attribute;

/** Collects the parameters of one canonical node. */
final class Params {

    private final Map<String, Attribute> values = new LinkedHashMap<>();

    Params put(String name, long value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    Params put(String name, double value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    Params put(String name, boolean value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    Params put(String name, String value) {
        values.put(name, Attribute.of(value));
        return this;
    }

    Params put(String name, long[] value) {
        values.put(name, Attribute.ofInts(value));
        return this;
    }

    Params put(String name, double[] value) {
        values.put(name, Attribute.ofReals(value));
        return this;
    }

    Params put(String name, Attribute value) {
        values.put(name, value);
        return this;
    }

    Map<String, Attribute> map() {
        return Map.copyOf(values);
    }
}
