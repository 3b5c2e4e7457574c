package org.clinfer.describe;

import dev.harrel.jsonschema.JsonNode;
import dev.harrel.jsonschema.JsonNodeFactory;
import dev.harrel.jsonschema.SimpleType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A JSON value of Jackson, as the schema validator wants to see it. */
public final class SchemaNode implements JsonNode {

    /** Reads JSON texts, and wraps what Jackson has read. */
    public static final class Factory implements JsonNodeFactory {
        private final JsonMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();

        @Override
        public JsonNode wrap(Object node) {
            return node instanceof SchemaNode wrapped
                    ? wrapped
                    : new SchemaNode((tools.jackson.databind.JsonNode) node, "");
        }

        @Override
        public JsonNode create(String json) {
            return wrap(mapper.readTree(json));
        }
    }

    private final tools.jackson.databind.JsonNode node;
    private final String pointer;

    private SchemaNode(tools.jackson.databind.JsonNode node, String pointer) {
        this.node = node;
        this.pointer = pointer;
    }

    @Override
    public String getJsonPointer() {
        return pointer;
    }

    @Override
    public SimpleType getNodeType() {
        if (node.isNumber()) {
            boolean whole = node.isIntegralNumber()
                    || node.decimalValue().stripTrailingZeros().scale() <= 0;
            return whole ? SimpleType.INTEGER : SimpleType.NUMBER;
        }
        return switch (node.getNodeType()) {
            case OBJECT -> SimpleType.OBJECT;
            case ARRAY -> SimpleType.ARRAY;
            case STRING -> SimpleType.STRING;
            case BOOLEAN -> SimpleType.BOOLEAN;
            default -> SimpleType.NULL;
        };
    }

    @Override
    public boolean asBoolean() {
        return node.booleanValue();
    }

    @Override
    public String asString() {
        return node.isString() ? node.stringValue() : node.toString();
    }

    @Override
    public BigInteger asInteger() {
        return asNumber().toBigIntegerExact();
    }

    @Override
    public BigDecimal asNumber() {
        return node.decimalValue();
    }

    @Override
    public List<JsonNode> asArray() {
        List<JsonNode> elements = new ArrayList<>();
        for (tools.jackson.databind.JsonNode element : node.values()) {
            elements.add(new SchemaNode(element, pointer + "/" + elements.size()));
        }
        return elements;
    }

    @Override
    public Map<String, JsonNode> asObject() {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        node.properties()
                .forEach(field -> fields.put(
                        field.getKey(),
                        new SchemaNode(field.getValue(), pointer + "/" + JsonNode.encodeJsonPointer(field.getKey()))));
        return fields;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SchemaNode that && node.equals(that.node);
    }

    @Override
    public int hashCode() {
        return node.hashCode();
    }

    @Override
    public String toString() {
        return node.toString();
    }
}
