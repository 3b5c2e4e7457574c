package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harrel.jsonschema.ValidatorFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.files.JsonTree;
import org.jspecify.annotations.Nullable;
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

    /** Where {@code like} stands, the schema knows nothing of the fields; so it sees what the families make of them, too. */
    @ParameterizedTest
    @MethodSource("builtIns")
    void everyBuiltInDescriptionFitsWithoutFamilies(String file) {
        String json = new JsonMapper().writeValueAsString(withoutFamilies(file));
        assertThat(json).doesNotContain("\"like\":");
        assertThat(SCHEMA.errors(json)).isEmpty();
    }

    private static Map<String, Object> withoutFamilies(String file) {
        Map<String, byte[]> files = DescriptionFiles.inResources(OpCatalog.class.getClassLoader(), OpCatalog.FOLDER);
        SharedFamilies shared = new SharedFamilies(name -> Optional.ofNullable(files.get(name)));
        Map<?, ?> root = (Map<?, ?>) DescriptionFile.tree(Objects.requireNonNull(files.get(file)), file);
        JsonReader top = new JsonReader(root, new JsonReader.Origin(file, false, new Mistakes()), "");
        Object ops = Objects.requireNonNullElse(root.get("ops"), List.of());
        Object expanded = new FamilyExpander(top, new Families(top, shared)).valueAt("ops", ops);
        return Map.of("author", "Clinfer", "ops", Objects.requireNonNull(plain(expanded)));
    }

    /** JSON as Jackson writes it. */
    private static @Nullable Object plain(Object json) {
        if (json instanceof FamilyExpander.Member member) {
            return plain(member.fields());
        } else if (json instanceof List<?> list) {
            return list.stream().map(OperatorSchemaTest::plain).toList();
        } else if (json instanceof Map<?, ?> object) {
            Map<Object, @Nullable Object> fields = new LinkedHashMap<>();
            object.forEach((field, value) -> fields.put(field, plain(value)));
            return fields;
        }
        return json == JsonTree.Special.NULL ? null : json;
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
