package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document for authors of descriptions names every field of the format. */
class DocumentedFieldsTest {

    @Test
    void everyFieldIsNamed() throws IOException {
        String text = Files.readString(Path.of("docs/descriptions.md"));
        Set<String> fields = new TreeSet<>();
        collect(new JsonMapper().readTree(OperatorSchema.source()), fields);

        assertThat(fields).contains("optype", "static_run", "dtype_doc", "arg_name");
        assertThat(fields)
                .allMatch(field -> Pattern.compile("[`\"]" + Pattern.quote(field) + "[`\"]")
                        .matcher(text)
                        .find());
    }

    @Test
    void theExampleOfFamiliesIsSound() throws IOException {
        String text = Files.readString(Path.of("docs/descriptions.md"));
        int start = text.indexOf("```json\n") + "```json\n".length();
        String json = text.substring(start, text.indexOf("```", start));
        OpCatalog catalog = OpCatalog.empty().with(Map.of("example.json", json.getBytes(UTF_8)));
        assertThat(catalog.find("Ramp").orElseThrow().checks()).hasSize(3);
        LaunchDescription launch = catalog.variants("Ramp").get(0).run().get(0);
        assertThat(launch.entry()).isEqualTo("flat_ramp");
        assertThat(launch.args().get("alpha")).hasToString("0.5");
    }

    private static void collect(JsonNode node, Set<String> fields) {
        node.path("properties").properties().forEach(field -> fields.add(field.getKey()));
        for (JsonNode child : node.values()) {
            collect(child, fields);
        }
    }
}
