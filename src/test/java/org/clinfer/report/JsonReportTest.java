package org.clinfer.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harrel.jsonschema.Error;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.clinfer.check.CheckReport;
import org.clinfer.describe.SchemaNode;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of the capability report is what its schema says. */
class JsonReportTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static String schema() throws IOException {
        try (InputStream stream = JsonReport.class.getResourceAsStream("check-report.schema.json")) {
            return new String(
                    Objects.requireNonNull(stream, "the schema is missing").readAllBytes(), UTF_8);
        }
    }

    private static List<String> errors(String json) throws IOException {
        Validator validator = new ValidatorFactory()
                .withJsonNodeFactory(new SchemaNode.Factory())
                .createValidator();
        Validator.Result result = validator.validate(validator.registerSchema(schema()), json);
        return result.isValid()
                ? List.of()
                : result.getErrors().stream()
                        .map(error -> error.getInstanceLocation() + " " + error.getError())
                        .toList();
    }

    private static String write(List<CheckReport> reports) {
        return ReportFormat.JSON.write(reports, ReportOptions.defaults());
    }

    @Test
    void theSchemaIsOne() throws IOException {
        Validator validator = new ValidatorFactory()
                .withJsonNodeFactory(new SchemaNode.Factory())
                .createValidator();
        List<Error> errors = validator
                .validate(URI.create("https://json-schema.org/draft/2020-12/schema"), schema())
                .getErrors();
        assertThat(errors).isEmpty();
    }

    @Test
    void whatIsWrittenFits() throws IOException {
        assertThat(errors(write(Examples.twoDevices()))).isEmpty();
        assertThat(errors(write(Examples.hostile()))).isEmpty();
        assertThat(errors(write(List.of(Examples.costly())))).isEmpty();
        assertThat(errors(write(List.of()))).isEmpty();
    }

    @Test
    void theSchemaRefusesWhatIsNotAReport() throws IOException {
        String json = write(Examples.twoDevices());
        assertThat(errors(json.replace("\"version\" : 1", "\"version\" : 2"))).isNotEmpty();
        assertThat(errors(json.replace("\"falls-back\",", "\"perhaps\","))).isNotEmpty();
        assertThat(errors(json.replace("\"expression\"", "\"formula\""))).isNotEmpty();
        assertThat(errors(json.replace("\"weight_bytes\" : 4096", "\"weight_bytes\" : null")))
                .isNotEmpty();
        assertThat(errors(write(List.of(Examples.costly())).replace("\"bound\" : \"memory\"", "\"bound\" : \"fate\"")))
                .isNotEmpty();
        assertThat(errors("{}")).isNotEmpty();
    }

    @Test
    void nothingIsLost() {
        JsonNode report = MAPPER.readTree(write(Examples.twoDevices())).at("/reports/0");
        assertThat(report.at("/profile").asString()).isEqualTo("soc1");
        assertThat(report.at("/counts/falls-back").asLong()).isEqualTo(2);
        assertThat(report.at("/summary/crossing_bytes").asLong()).isEqualTo(36_864);
        assertThat(report.at("/summary/memory_bytes").isNull()).isTrue();
        assertThat(report.at("/nodes/1/inputs/0/name").asString()).isEqualTo("out conv1");
        assertThat(report.at("/nodes/1/outputs/0/type").asString()).isEqualTo("1x8x24x24:float32");
        assertThat(report.at("/nodes/1/findings/0/limit").asString()).isEqualTo("16");
        assertThat(report.at("/nodes/1/findings/0/evidence/kind").asString()).isEqualTo("document");
        assertThat(report.at("/nodes/1/findings/0/evidence/sdk").asString()).isEqualTo("Tools 2.1");
        assertThat(report.at("/nodes/1/findings/0/evidence/read").asString()).isEqualTo("2024-05");
        assertThat(report.at("/nodes/1/findings/0/passing/1/what").asString()).isEqualTo("DPU.kernel_max");
        JsonNode hostile = MAPPER.readTree(write(Examples.hostile()));
        for (int i = 0; i < Examples.HOSTILE.size(); i++) {
            assertThat(hostile.at("/reports/0/nodes/" + i + "/node").asString()).isEqualTo(Examples.HOSTILE.get(i));
        }
    }

    @Test
    void costsAreWritten() {
        JsonNode report = MAPPER.readTree(write(List.of(Examples.costly()))).at("/reports/0");
        assertThat(report.at("/cost/total/device_ms").asDouble()).isEqualTo(1.25);
        assertThat(report.at("/cost/total/ms").isNull()).isTrue();
        assertThat(report.at("/cost/total/not_estimated").asLong()).isEqualTo(4);
        assertThat(report.at("/cost/total/accuracy").asString()).isEqualTo("median 5 %");
        assertThat(report.at("/cost/crossings/0/to").asString()).isEqualTo("host");
        assertThat(report.at("/cost/crossings/0/ms").asDouble()).isEqualTo(0.5);
        assertThat(report.at("/nodes/0/cost/share").asDouble()).isEqualTo(0.75);
        assertThat(report.at("/nodes/0/cost/weight_bytes").asLong()).isEqualTo(300);
        assertThat(report.at("/nodes/0/cost/device/bound").asString()).isEqualTo("memory");
        assertThat(report.at("/nodes/0/cost/device/compute_ms").asDouble()).isEqualTo(0.5);
        assertThat(report.at("/nodes/1/cost/device").isNull()).isTrue();
        assertThat(report.at("/nodes/1/cost/written_bytes").isNull()).isTrue();
        assertThat(report.at("/nodes/1/cost/host_ms").asDouble()).isEqualTo(20.5);
        assertThat(report.at("/nodes/2").has("cost")).isFalse();
    }

    @Test
    void everyFieldIsExplained() throws IOException {
        JsonNode definitions = MAPPER.readTree(schema()).get("$defs");
        for (var definition : definitions.properties()) {
            for (var field : definition.getValue().path("properties").properties()) {
                JsonNode type = definitions.path(
                        field.getValue().path("$ref").asString("").replace("#/$defs/", ""));
                assertThat(field.getValue().has("description") || type.has("description"))
                        .as("%s.%s is explained", definition.getKey(), field.getKey())
                        .isTrue();
            }
        }
    }
}
