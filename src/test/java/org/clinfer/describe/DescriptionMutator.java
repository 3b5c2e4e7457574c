package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Damages a description: its bytes, or its structure. */
final class DescriptionMutator {

    private static final JsonMapper MAPPER = new JsonMapper();

    /** Values that could be put anywhere, as JSON. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1.5",
            "1e400",
            "9223372036854775807",
            "9223372036854775808",
            "\"\"",
            "\"x\"",
            "\"x.dims\"",
            "\"index\"",
            "\"device\"",
            "\"1 +\"",
            "\"map(range(1000000), i -> i)\"",
            "\"-9223372036854775807 - 1\"",
            "\"x.dims[0] / 0\"",
            "\"../a.cl#b\"",
            "\"int8\"",
            "\"numeric\"",
            "\"ref\"",
            "\"opencl\"",
            "\"LN_PARAM_NULL\"",
            "\"LN_PARAM_ARRAY_BOOL\"",
            "\"LN_PARAM_STRING\"",
            "[]",
            "[1]",
            "[[]]",
            "[\"int8\"]",
            "[true]",
            "[null]",
            "{}",
            "{\"check\": \"true\"}",
            "{\"a b\": 1}",
            "\"\\u0000\"",
            "\"\\ud800\"");

    private final Random random;

    DescriptionMutator(long seed) {
        this.random = new Random(seed);
    }

    /** Changes, drops or repeats some bytes. */
    byte[] damage(byte[] json) {
        byte[] damaged = json.clone();
        for (int i = random.nextInt(5) / 3; i >= 0; i--) {
            int at = random.nextInt(damaged.length);
            int length = Math.min(1 + random.nextInt(8), damaged.length - at);
            switch (random.nextInt(3)) {
                case 0 -> damaged[at] = (byte) random.nextInt();
                case 1 -> damaged = spliced(damaged, at, length, 0);
                default -> damaged = spliced(damaged, at, length, 2);
            }
        }
        return damaged;
    }

    /** The bytes with {@code length} of them left out, or standing there {@code times}. */
    private static byte[] spliced(byte[] bytes, int at, int length, int times) {
        byte[] result = new byte[bytes.length + (times - 1) * length];
        System.arraycopy(bytes, 0, result, 0, at);
        for (int i = 0; i < times; i++) {
            System.arraycopy(bytes, at, result, at + i * length, length);
        }
        System.arraycopy(bytes, at + length, result, at + times * length, bytes.length - at - length);
        return result;
    }

    /** Replaces, drops, repeats or exchanges some values or fields. */
    byte[] change(byte[] json) {
        JsonNode root = MAPPER.readTree(json);
        for (int i = random.nextInt(5) / 3; i >= 0; i--) {
            List<JsonNode> parents = new ArrayList<>();
            collect(root, parents);
            if (parents.isEmpty()) {
                break;
            }
            JsonNode parent = parents.get(random.nextInt(parents.size()));
            if (parent instanceof ObjectNode object) {
                change(object, parents);
            } else {
                change((ArrayNode) parent, parents);
            }
        }
        return root.toString().getBytes(UTF_8);
    }

    private void change(ObjectNode object, List<JsonNode> parents) {
        List<String> fields = new ArrayList<>(object.propertyNames());
        String field = fields.get(random.nextInt(fields.size()));
        switch (random.nextInt(4)) {
            case 0 -> object.remove(field);
            case 1 -> object.set(field, anyValue());
            case 2 -> object.set(field, other(parents));
            default -> {
                List<JsonNode> objects =
                        parents.stream().filter(JsonNode::isObject).toList();
                JsonNode from = objects.get(random.nextInt(objects.size()));
                List<String> names = new ArrayList<>(from.propertyNames());
                String name = names.get(random.nextInt(names.size()));
                object.set(name, from.get(name).deepCopy());
            }
        }
    }

    private void change(ArrayNode list, List<JsonNode> parents) {
        int at = random.nextInt(list.size());
        switch (random.nextInt(4)) {
            case 0 -> list.remove(at);
            case 1 -> list.set(at, anyValue());
            case 2 -> list.insert(at, list.get(at).deepCopy());
            default -> list.set(at, other(parents));
        }
    }

    private JsonNode anyValue() {
        return MAPPER.readTree(VALUES.get(random.nextInt(VALUES.size())));
    }

    /** A value from another place. */
    private JsonNode other(List<JsonNode> parents) {
        JsonNode from = parents.get(random.nextInt(parents.size()));
        List<JsonNode> values = new ArrayList<>(from.values());
        return values.get(random.nextInt(values.size())).deepCopy();
    }

    /** The objects and lists that are not empty, in file order. */
    private static void collect(JsonNode node, List<JsonNode> parents) {
        if (node.isContainer() && !node.isEmpty()) {
            parents.add(node);
        }
        node.values().forEach(child -> collect(child, parents));
    }
}
