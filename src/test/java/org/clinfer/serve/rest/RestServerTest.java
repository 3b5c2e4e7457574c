package org.clinfer.serve.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.clinfer.serve.ServedModels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Paths, JSON and bytes of the protocol over HTTP. */
@Timeout(60)
class RestServerTest {

    private static final String INFER = "/v2/models/scaled/infer";

    @TempDir
    private static Path repository;

    private static Served served;

    @BeforeAll
    static void serve() throws IOException {
        ServedModels.write(repository, "counted", 1, 2, 2);
        ServedModels.write(repository, "scaled", 3, 2, 2);
        write("half", "float16", "2");
        write("int64", "int64", "2");
        write("uint8", "uint8", "2");
        write("float64", "float64", "2, 2");
        served = Served.of(repository);
    }

    private static void write(String name, String type, String dims) throws IOException {
        Path file = repository.resolve(name).resolve("model.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, ServedModels.text(type, dims, 2));
    }

    @AfterAll
    static void close() {
        served.close();
    }

    private static void same(HttpResponse<byte[]> response, int status, String json) {
        String body = new String(response.body(), StandardCharsets.UTF_8);
        assertThat(response.statusCode()).as(body).isEqualTo(status);
        assertThat(Served.MAPPER.readTree(body)).isEqualTo(Served.MAPPER.readTree(json.replace('\'', '"')));
    }

    @Test
    void theServerAndItsModelsTellOfThemselves() {
        same(
                served.get("/v2"),
                200,
                "{'name': 'clinfer', 'version': '1.0',"
                        + " 'extensions': ['binary_tensor_data', 'model_repository', 'statistics']}");
        same(served.get("/v2/health/live"), 200, "{'live': true}");
        same(served.get("/v2/health/ready"), 200, "{'ready': true}");
        same(served.get("/v2/models/scaled/ready"), 200, "{'name': 'scaled', 'ready': true}");
        String metadata = "{'name': 'scaled', 'versions': ['3'], 'platform': 'clinfer_json',"
                + " 'inputs': [{'name': 'x', 'datatype': 'FP32', 'shape': [-1, 2]}],"
                + " 'outputs': [{'name': 'y', 'datatype': 'FP32', 'shape': [-1, 2]}]}";
        same(served.get("/v2/models/scaled"), 200, metadata);
        same(served.get("/v2/models/scaled/versions/3"), 200, metadata);
        assertThat(served.get("/v2/models/scaled/versions/4").statusCode()).isEqualTo(404);
        assertThat(Served.error(served.get("/v2/models/scale%64x")))
                .isEqualTo("1: there is no model 'scaledx' in the repository");
    }

    @Test
    void jsonIsAnswered() {
        same(
                served.post(
                        INFER,
                        "{\"id\": \"a\", \"inputs\": [{\"name\": \"x\", \"shape\": [2, 2], \"datatype\": \"FP32\","
                                + " \"data\": [[1, 2], [3, 4.5]]}]}"),
                200,
                "{'model_name': 'scaled', 'model_version': '3', 'id': 'a', 'outputs': [{'name': 'y', 'datatype': 'FP32',"
                        + " 'shape': [2, 2], 'data': [2.0, 4.0, 6.0, 9.0]}]}");
        same(
                served.post("/v2/models/scaled/versions/3/infer", Served.input("[\"NaN\", -Infinity]")),
                200,
                "{'model_name': 'scaled', 'model_version': '3', 'outputs': [{'name': 'y', 'datatype': 'FP32',"
                        + " 'shape': [1, 2], 'data': ['NaN', '-Infinity']}]}");
    }

    @Test
    void fieldsStandInAnyOrder() {
        same(
                served.post(
                        INFER,
                        "{\"outputs\": [{\"name\": \"y\"}], \"inputs\": [{\"data\": [[1, 2]], \"extra\": {\"a\": [1]},"
                                + " \"datatype\": \"FP32\", \"shape\": [1, 2], \"name\": \"x\"}]}"),
                200,
                "{'model_name': 'scaled', 'model_version': '3', 'outputs': [{'name': 'y', 'datatype': 'FP32',"
                        + " 'shape': [1, 2], 'data': [2.0, 4.0]}]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "int64; INT64; [2]; [4611686018427387903, -2]; [9223372036854775806, -4]",
                "uint8; UINT8; [2]; [100, 3]; [200, 6]",
                "float64; FP64; [2, 2]; [[1, 2], [3, 1e-300]]; [2.0, 4.0, 6.0, 2e-300]"
            })
    void typesAreKept(String model, String type, String shape, String data, String expected) {
        same(
                served.post(
                        "/v2/models/" + model + "/infer",
                        "{\"inputs\": [{\"name\": \"x\", \"shape\": " + shape + ", \"datatype\": \"" + type
                                + "\", \"data\": " + data + "}]}"),
                200,
                "{'model_name': '" + model + "', 'model_version': '1', 'outputs': [{'name': 'y', 'datatype': '" + type
                        + "', 'shape': " + shape + ", 'data': " + expected + "}]}");
    }

    private static byte[] joined(String json, byte[] bytes) {
        byte[] header = json.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(header.length + bytes.length)
                .put(header)
                .put(bytes)
                .array();
    }

    private static HttpResponse<byte[]> binary(String path, String json, byte[] bytes) {
        return served.post(path, joined(json, bytes), BodyReader.JSON_LENGTH, "" + json.length());
    }

    @Test
    void tensorsFollowAsBytes() {
        byte[] floats = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(1)
                .putFloat(2.5f)
                .array();
        HttpResponse<byte[]> answer = binary(
                INFER,
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"parameters\":"
                        + " {\"binary_data_size\": 8}}], \"parameters\": {\"binary_data_output\": true}}",
                floats);
        int header = Integer.parseInt(
                answer.headers().firstValue(BodyReader.JSON_LENGTH).orElseThrow());
        String json = new String(answer.body(), 0, header, StandardCharsets.UTF_8);
        assertThat(Served.MAPPER.readTree(json))
                .isEqualTo(Served.MAPPER.readTree("{\"model_name\": \"scaled\", \"model_version\": \"3\","
                        + " \"outputs\": [{\"name\": \"y\", \"datatype\": \"FP32\", \"shape\": [1, 2],"
                        + " \"parameters\": {\"binary_data_size\": 8}}]}"));
        ByteBuffer bytes = ByteBuffer.wrap(answer.body(), header, 8).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.getFloat()).isEqualTo(2);
        assertThat(bytes.getFloat()).isEqualTo(5);
        assertThat(answer.body()).hasSize(header + 8);
    }

    /** Requests use the memory of those before them. */
    @Test
    void tensorsOfManyRequestsAreNotMixedUp() {
        String json = "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"parameters\":"
                + " {\"binary_data_size\": 8}}], \"parameters\": {\"binary_data_output\": true}}";
        IntStream.range(0, 200).parallel().forEach(i -> {
            byte[] floats = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putFloat(i)
                    .putFloat(-i)
                    .array();
            HttpResponse<byte[]> answer = binary(INFER, json, floats);
            if (answer.statusCode() == 200) { // the queue has one place
                ByteBuffer bytes = ByteBuffer.wrap(answer.body()).order(ByteOrder.LITTLE_ENDIAN);
                assertThat(bytes.getFloat(answer.body().length - 8)).isEqualTo(2f * i);
                assertThat(bytes.getFloat(answer.body().length - 4)).isEqualTo(-2f * i);
            } else {
                assertThat(answer.statusCode()).isEqualTo(429);
            }
        });
    }

    @Test
    void halfPrecisionIsBytesAlone() {
        byte[] halves = {0, 0x3C, 0, 0x40}; // 1, 2
        String json = "{\"inputs\": [{\"name\": \"x\", \"shape\": [2], \"datatype\": \"FP16\", \"parameters\":"
                + " {\"binary_data_size\": 4}}], \"outputs\": [{\"name\": \"y\"%s}]}";
        HttpResponse<byte[]> answer = binary(
                "/v2/models/half/infer", String.format(json, ", \"parameters\": {\"binary_data\": true}"), halves);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).endsWith(0, 0x40, 0, 0x44);
        assertThat(Served.error(binary("/v2/models/half/infer", String.format(json, ""), halves)))
                .contains("ask for it with \"binary_data\": true");
        assertThat(Served.error(served.post(
                        "/v2/models/half/infer",
                        "{\"inputs\": [{\"name\": \"x\", \"shape\": [2], \"datatype\": \"FP16\", \"data\": [1, 2]}]}")))
                .contains("it is sent as bytes");
    }

    @Test
    void contentMayBeCompressed() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(Served.input("[1, 2]").getBytes(StandardCharsets.UTF_8));
        }
        HttpResponse<byte[]> answer =
                served.post(INFER, packed.toByteArray(), "Content-Encoding", "gzip", "Accept-Encoding", "gzip");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
        String json = new String(
                new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(json).contains("[2.0,4.0]");
        assertThat(Served.error(served.post(INFER, "no gzip", "Content-Encoding", "gzip")))
                .isEqualTo("1: the content is no gzip, or damaged");
        HttpResponse<byte[]> deflate = served.post(INFER, "x", "Content-Encoding", "deflate");
        assertThat(deflate.statusCode()).isEqualTo(415);
        assertThat(deflate.headers().firstValue("Accept-Encoding")).contains("gzip");
        assertThat(Served.error(deflate)).isEqualTo("1: content in deflate is not taken; content in gzip is");
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
            gzip.write(new byte[10 * Served.MOST_BYTES]);
        }
        assertThat(served.post(INFER, bomb.toByteArray(), "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{; the JSON is malformed",
                "[]; must be a JSON object",
                "{}; the request has no 'inputs', the list of the tensors",
                "{\"inputs\": null}; the request has no 'inputs', the list of the tensors",
                "{\"parameters\": {\"sequence_id\": 3}}; the request has the parameter 'sequence_id', but the server has no sequences",
                "{\"outputs\": [{\"name\": \"y\", \"parameters\": {\"shared_memory_region\": \"a\"}}]}; an output has the parameter",
                "{\"outputs\": [{\"name\": \"y\", \"parameters\": {\"classification\": 3}}]}; no classification",
                "{} {}; goes on after its end",
                "{\"inputs\": 1}; 'inputs' must be a list",
                "''; the content is empty",
                "{\"inputs\": [{}]}; an input lacks 'name' and 'shape' and 'datatype'",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"data\": [1, 2]}]}; input 'x' lacks 'datatype'",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"data\": [1]}]}; fewer elements than the 2",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"data\": [1, 2, 3]}]}; more elements than the 2",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"data\": [[1], [2]]}]}; fewer elements than the 2",
                "{\"inputs\": [{\"name\": \"x\", \"name\": \"y\"}]}; Duplicate",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\"}]}; either 'data' or",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, -2], \"datatype\": \"FP32\"}]}; 'shape' must have whole numbers, not negative, found -2",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [\"1\", 2], \"datatype\": \"FP32\"}]}; not negative, found the string '1'",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [2], \"datatype\": \"BYTES\", \"data\": [1]}]}; tensor 'x': the datatype 'BYTES' is none",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [999999, 99999], \"datatype\": \"FP32\", \"data\": [1]}]}; fewer",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"INT64\", \"data\": [1, 2]}]}; float32"
            })
    void whatIsMalformedIsSaid(String content, String sentence) {
        HttpResponse<byte[]> answer = served.post(INFER, content);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Served.error(answer)).startsWith("1: ").contains(sentence);
    }

    @Test
    void fieldsThatAreNullAreAsGoodAsNone() {
        same(
                served.post(
                        INFER,
                        "{\"id\": null, \"parameters\": null, \"outputs\": null, \"inputs\": [{\"name\": \"x\","
                                + " \"shape\": [1, 2], \"datatype\": \"FP32\", \"parameters\": null, \"data\": [1, 2]}]}"),
                200,
                "{'model_name': 'scaled', 'model_version': '3', 'outputs': [{'name': 'y', 'datatype': 'FP32',"
                        + " 'shape': [1, 2], 'data': [2.0, 4.0]}]}");
    }

    @Test
    void aModelWithoutInputsIsAnswered() throws IOException {
        Path file = repository.resolve("without").resolve("model.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, """
                {"name": "without", "ops": [
                  {"name": "f", "optype": "Const", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "f"}],
                   "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [1]},
                              {"arg_name": "data", "value": [3]}]},
                  {"name": "neg", "optype": "Neg", "tensors_in": [{"arg_name": "x", "name": "f"}],
                   "tensors_out": [{"arg_name": "y", "name": "y"}]},
                  {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}], "tensors_out": []}
                ]}
                """);
        served.service().load("without");
        HttpResponse<byte[]> answer = served.post("/v2/models/without/infer", "{\"inputs\": []}");
        assertThat(Served.json(answer).at("/outputs/0/data/0").asInt()).isEqualTo(-3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32BE"})
    void jsonIsUtf8(String charset) {
        HttpResponse<byte[]> refused = served.post(INFER, Served.input("[1, 2]").getBytes(Charset.forName(charset)));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(Served.error(refused)).isEqualTo("1: the JSON must be in UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1]",
                "[1, 2, 3]",
                "[[1], [2]]",
                "[[1, 2], [3, 4]]",
                "[1, [2]]",
                "[[1, [2]]]",
                "1",
                "[1, true]",
                "[1, \"2\"]",
                "[1, 1e39]",
                "[1, null]",
                "{}"
            })
    void elementsMustBeThoseOfTheShape(String data) {
        HttpResponse<byte[]> answer = served.post(INFER, Served.input(data));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Served.error(answer)).contains("tensor 'x'");
    }

    @Test
    void bytesMustBeThoseOfTheShape() {
        String json = "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"parameters\":"
                + " {\"binary_data_size\": %d}}]}";
        assertThat(Served.error(binary(INFER, String.format(json, 4), new byte[4])))
                .contains("needs 8 bytes");
        assertThat(Served.error(binary(INFER, String.format(json, 8), new byte[4])))
                .contains("after the end of the content");
        assertThat(Served.error(binary(INFER, String.format(json, 8), new byte[12])))
                .contains("more bytes follow");
        assertThat(Served.error(served.post(INFER, "{}", BodyReader.JSON_LENGTH, "3")))
                .contains("but the content has 2 bytes");
        assertThat(Served.error(served.post(INFER, "{}", BodyReader.JSON_LENGTH, "-1")))
                .contains("must be a number");
    }

    @Test
    void pathsAndMethodsAreSaid() {
        assertThat(Served.error(served.get("/v2/nothing"))).isEqualTo("1: there is no path /v2/nothing");
        HttpResponse<byte[]> answer = served.get(INFER);
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).contains("POST");
        assertThat(Served.error(answer)).isEqualTo("1: this path takes POST, not GET");
        HttpResponse<byte[]> tooLarge = served.post(INFER, new byte[Served.MOST_BYTES + 1]);
        assertThat(tooLarge.statusCode()).isEqualTo(413);
        assertThat(tooLarge.headers().firstValue("Connection")).contains("close");
        assertThat(Served.error(served.get("/v2/models/a%2Fb"))).startsWith("1: the request is refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x%b", "x\\b", "x b", "ä"})
    void namesOfModelsMayHaveCharactersThatPathsEncode(String name) throws IOException {
        ServedModels.write(repository, name, 1, 2, 7);
        served.service().load(name);
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        assertThat(served.post("/v2/models/" + encoded + "/infer", Served.input("[1, 2]"))
                        .statusCode())
                .isEqualTo(200);
    }

    private static String statuses(String content) {
        return Served.json(served.post("/v2/repository/index", content)).toString();
    }

    @Test
    void modelsAreLoadedAndUnloaded() throws IOException {
        ServedModels.write(repository, "new", 1, 2, 7);
        same(served.post("/v2/repository/models/new/load", ""), 200, "{}");
        String infer = "/v2/models/new/infer";
        assertThat(served.post(infer, Served.input("[1, 2]")).statusCode()).isEqualTo(200);
        assertThat(statuses("{\"ready\": true}"))
                .contains("{\"name\":\"new\",\"version\":\"1\",\"state\":\"READY\",\"reason\":\"\"}");
        same(served.post("/v2/repository/models/new/unload", "{}"), 200, "{}");
        assertThat(statuses("{\"ready\": true}")).doesNotContain("\"new\"");
        assertThat(statuses(""))
                .contains("{\"name\":\"new\",\"state\":\"UNAVAILABLE\",\"reason\":\"it was unloaded\"}");
        assertThat(served.get("/v2/models/new/ready").statusCode()).isEqualTo(503);
        assertThat(Served.error(served.post(infer, Served.input("[1, 2]"))))
                .isEqualTo("1: model 'new' is not ready: it was unloaded");
        assertThat(served.post("/v2/repository/models/none/load", "").statusCode())
                .isEqualTo(404);
        assertThat(Served.error(
                        served.post("/v2/repository/models/scaled/load", "{\"parameters\": {\"config\": \"{}\"}}")))
                .contains("there are no parameters");
    }

    @Test
    void whatHappenedIsCounted() {
        served.post("/v2/models/counted/infer", Served.input("[1, 2]"));
        served.post("/v2/models/counted/infer", Served.input("[1, 2]"));
        JsonNode statistics =
                Served.json(served.get("/v2/models/counted/stats")).at("/model_stats/0");
        assertThat(statistics.at("/inference_count").asInt()).isEqualTo(2);
        assertThat(statistics.at("/inference_stats/success/count").asInt()).isEqualTo(2);
        for (String required : List.of("queue", "compute_input", "compute_infer", "compute_output", "cache_hit")) {
            assertThat(statistics.at("/inference_stats/" + required + "/ns").isNumber())
                    .as(required)
                    .isTrue();
        }
        assertThat(statistics.at("/batch_stats").isArray()).isTrue();
        assertThat(Served.json(served.get("/v2/models/stats"))
                        .at("/model_stats")
                        .size())
                .isGreaterThan(4);
        String metrics = new String(served.get("/metrics").body(), StandardCharsets.UTF_8);
        assertThat(metrics)
                .contains("clinfer_requests_total{model=\"counted\",outcome=\"success\",version=\"1\"} 2.0")
                .contains("clinfer_request_duration_seconds_count{model=\"counted\",version=\"1\"} 2")
                .contains("clinfer_nodes{model=\"counted\",place=\"cpu\",version=\"1\"} 1.0")
                .contains("clinfer_live 1.0");
        assertThat(Served.json(served.get("/status.json"))
                        .at("/models/0/requests")
                        .asInt())
                .isEqualTo(2);
    }
}
