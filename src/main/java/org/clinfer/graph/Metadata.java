package org.clinfer.graph;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of a model file about its network, which mean nothing for what it computes. Source of the fields: ONNX's
 * {@code ModelProto} and {@code GraphProto}.
 *
 * @param fields who made the network, and what it is
 * @param properties further words by names of the user's own
 * @param nodes what is said of nodes, by their names
 * @param values what is said of values, by their names
 */
public record Metadata(
        Map<Field, String> fields,
        Map<String, String> properties,
        Map<String, Words> nodes,
        Map<String, Words> values) {

    /** Nothing is said. */
    public static final Metadata NONE = new Metadata(Map.of(), Map.of(), Map.of(), Map.of());

    /** Characters of a text at most; a longer one is left out. */
    public static final int MOST_CHARACTERS = 1 << 18;

    /**
     * The words about a node or a value.
     *
     * @param text its description
     * @param properties further words by names of the user's own
     */
    public record Words(Optional<String> text, Map<String, String> properties) {

        /** Words without those that are too long. */
        public Words {
            text = text.filter(each -> each.length() <= MOST_CHARACTERS);
            properties = kept(new TreeMap<>(properties));
        }

        /** {@return whether nothing is said} */
        public boolean isEmpty() {
            return text.isEmpty() && properties.isEmpty();
        }
    }

    /** A text that a model has once. */
    public enum Field {
        /** The program that made the file. */
        PRODUCER_NAME,
        /** The version of that program. */
        PRODUCER_VERSION,
        /** The namespace of the network, as a reversed host name. */
        DOMAIN,
        /** A whole number of 64 bits. */
        MODEL_VERSION,
        /** The description of the model. */
        DOC_STRING,
        /** The description of the graph. */
        GRAPH_DOC_STRING;

        /** {@return the name in documents: {@code producer_name}} */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * {@return the field with this name in documents; empty if there is none}
         *
         * @param label the name in documents
         */
        public static Optional<Field> of(String label) {
            return Stream.of(values())
                    .filter(field -> field.label().equals(label))
                    .findFirst();
        }
    }

    public Metadata {
        fields = kept(new TreeMap<>(fields));
        properties = kept(new TreeMap<>(properties));
        nodes = said(nodes);
        values = said(values);
    }

    private static Map<String, Words> said(Map<String, Words> words) {
        Map<String, Words> said = new LinkedHashMap<>(words);
        said.values().removeIf(Words::isEmpty);
        return Collections.unmodifiableMap(said);
    }

    private static <K> Map<K, String> kept(Map<K, String> texts) {
        texts.values().removeIf(text -> text.length() > MOST_CHARACTERS);
        return Collections.unmodifiableMap(texts);
    }

    /**
     * {@return a field; empty where the model does not have it}
     *
     * @param field the field
     */
    public Optional<String> field(Field field) {
        return Optional.ofNullable(fields.get(field));
    }

    /** {@return whether nothing is said of anything} */
    public boolean isEmpty() {
        return fields.isEmpty() && properties.isEmpty() && nodes.isEmpty() && values.isEmpty();
    }

    /**
     * {@return the same with other words about nodes}
     *
     * @param others the words, by names of nodes
     */
    public Metadata withNodes(Map<String, Words> others) {
        return new Metadata(fields, properties, others, values);
    }

    /** The same without words about what is not in a graph of these nodes and inputs. */
    Metadata of(List<Node> graph, List<Graph.Input> inputs) {
        if (nodes.isEmpty() && values.isEmpty()) {
            return this;
        }
        Set<String> names = graph.stream().map(Node::name).collect(Collectors.toSet());
        Set<String> known = graph.stream()
                .flatMap(node -> Stream.concat(node.inputs().stream(), node.outputs().stream()))
                .collect(Collectors.toSet());
        inputs.forEach(input -> known.add(input.name()));
        Map<String, Words> keptNodes = new LinkedHashMap<>(nodes);
        keptNodes.keySet().retainAll(names);
        Map<String, Words> keptValues = new LinkedHashMap<>(values);
        keptValues.keySet().retainAll(known);
        return new Metadata(fields, properties, keptNodes, keptValues);
    }
}
