package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harrel.jsonschema.ValidatorFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schema of operator descriptions holds for every description there is, and explains every field. */
final class OperatorSchemaTest {

    private static final OperatorSchema SCHEMA = new OperatorSchema();

    static Stream<String> builtIns() {
        return DescriptionFiles.inResources(OpCatalog.class.getClassLoader(), OpCatalog.FOLDER).keySet().stream();
    }

    private static String builtIn(String file) {
        return new String(
                DescriptionFiles.inResources(OpCatalog.class.getClassLoader(), OpCatalog.FOLDER)
                        .get(file),
                UTF_8);
    }

    @ParameterizedTest
    @MethodSource("builtIns")
    void everyBuiltInDescriptionFits(String file) {
        assertThat(SCHEMA.errors(builtIn(file))).isEmpty();
    }

    @Test
    void theFullExampleFits() {
        assertThat(SCHEMA.errors(FullDescription.JSON)).isEmpty();
    }

    @Test
    void theSchemaIsOne() {
        URI metaSchema = URI.create("https://json-schema.org/draft/2020-12/schema");
        var validator = new ValidatorFactory()
                .withJsonNodeFactory(new SchemaNode.Factory())
                .createValidator();
        assertThat(validator.validate(metaSchema, OperatorSchema.source()).getErrors())
                .isEmpty();
    }

    @Test
    void everyFieldIsExplained() {
        JsonNode schema = new JsonMapper().readTree(OperatorSchema.source());
        List<String> bare = new ArrayList<>();
        for (var definition : schema.get("$defs").properties()) {
            JsonNode fields = definition.getValue().path("properties");
            for (var field : fields.properties()) {
                if (!isExplained(schema, field.getValue())) {
                    bare.add(definition.getKey() + "." + field.getKey());
                }
            }
        }
        assertThat(bare).isEmpty();
    }

    private static boolean isExplained(JsonNode schema, JsonNode field) {
        if (field.has("description")) {
            return true;
        }
        String reference = field.path("$ref").asString("");
        return !reference.isEmpty() && isExplained(schema, schema.at(reference.substring(1)));
    }
}
