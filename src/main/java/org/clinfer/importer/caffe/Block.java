package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A message of a network's definition: its fields by name, each with its values in the order of the file. */
final class Block implements Item {

    private final Map<String, List<Item>> fields = new LinkedHashMap<>();

    void add(String field, Item value) {
        fields.computeIfAbsent(field, name -> new ArrayList<>(1)).add(value);
    }

    void add(String field, String word) {
        add(field, new Word(word));
    }

    /** The values of a field; none if it is missing. */
    List<Item> all(String field) {
        return Collections.unmodifiableList(fields.getOrDefault(field, List.of()));
    }

    Map<String, List<Item>> fields() {
        return Collections.unmodifiableMap(fields);
    }
}
