package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;

/** What a file says about its network is the same after {@code clinfer convert}. */
final class ConvertedMetadataTest extends HostileInput {

    private static final String WORDS = "caf\u00e9 \"x\"\n\ttwo lines \u2028 \ud83d\ude00";

    private static StringStringEntryProto property(String key, String value) {
        return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
    }

    private static ModelProto model() {
        OnnxModel model = new OnnxModel()
                .input("x", 1, 4)
                .weights("w", 1, 4)
                .node("Add", "x,w", "sum")
                .node("Relu", "sum", "y");
        model.graph().setDocString("the graph");
        model.graph().getNodeBuilder(0).setDocString("adds").addMetadataProps(property("layer", "first"));
        model.graph().getNodeBuilder(1).addMetadataProps(property("layer", "last"));
        model.graph().getInputBuilder(0).setDocString("a row").addMetadataProps(property("unit", "metre"));
        model.graph().getOutputBuilder(0).setDocString("what is positive");
        model.graph()
                .addValueInfo(ValueInfoProto.newBuilder().setName("sum").addMetadataProps(property("unit", "inch")));
        return model.build().toBuilder()
                .setProducerName("pytorch")
                .setProducerVersion("2.1")
                .setDomain("org.example")
                .setModelVersion(-7)
                .setDocString(WORDS)
                .addMetadataProps(property("author", "someone"))
                .addMetadataProps(property("names", WORDS))
                .build();
    }

    private Path converted(Path from, String name) {
        Path to = folder.resolve(name);
        Ran ran = clinfer("convert", from, "-o", to);
        assertThat(ran.code()).as(ran.toString()).isZero();
        return to;
    }

    private static ModelProto read(Path file) throws IOException {
        return ModelProto.parseFrom(Files.readAllBytes(file));
    }

    private static void assertKept(ModelProto written) {
        assertThat(written.getProducerName()).isEqualTo("pytorch");
        assertThat(written.getProducerVersion()).isEqualTo("2.1");
        assertThat(written.getDomain()).isEqualTo("org.example");
        assertThat(written.getModelVersion()).isEqualTo(-7);
        assertThat(written.getDocString()).isEqualTo(WORDS);
        assertThat(written.getMetadataPropsList())
                .containsExactly(property("author", "someone"), property("names", WORDS));
        assertThat(written.getGraph().getDocString()).isEqualTo("the graph");
        assertThat(written.getGraph().getNode(0).getDocString()).isEqualTo("adds");
        assertThat(written.getGraph().getNode(0).getMetadataPropsList()).containsExactly(property("layer", "first"));
        assertThat(written.getGraph().getNode(1).hasDocString()).isFalse();
        assertThat(written.getGraph().getNode(1).getMetadataPropsList()).containsExactly(property("layer", "last"));
        assertThat(written.getGraph().getInput(0).getMetadataPropsList()).containsExactly(property("unit", "metre"));
        assertThat(written.getGraph().getInput(0).getDocString()).isEqualTo("a row");
        assertThat(written.getGraph().getOutput(0).getDocString()).isEqualTo("what is positive");
        assertThat(written.getGraph().getValueInfoList()).singleElement().satisfies(value -> {
            assertThat(value.getName()).isEqualTo("sum");
            assertThat(value.getMetadataPropsList()).containsExactly(property("unit", "inch"));
            assertThat(value.getType().getTensorType().getElemType()).isEqualTo(OnnxModel.FLOAT);
        });
        assertThat(written.getOpsetImportList()).singleElement().satisfies(set -> {
            assertThat(set.getDomain()).isEmpty();
            assertThat(set.getVersion()).isEqualTo(18);
        });
    }

    @Test
    void onnxToOnnx() throws IOException {
        assertKept(read(converted(write(model().toByteArray()), "written.onnx")));
    }

    @Test
    void onnxToJsonAndBack() throws IOException {
        Path json = converted(write(model().toByteArray()), "net.json");
        assertThat(Files.readString(json))
                .contains("\"metadata\": {\"producer_name\": \"pytorch\"", "\"author\": \"someone\"");
        Path again = converted(json, "again.json");

        assertKept(read(converted(again, "written.onnx")));
    }

    private ModelProto fixed(OnnxModel network) throws IOException {
        ModelProto model = network.build().toBuilder()
                .setProducerName("pytorch")
                .addMetadataProps(property("author", "someone"))
                .build();
        Path fixed = folder.resolve("fixed.onnx");
        Ran ran = clinfer("check", write(model.toByteArray()), "--profile", "dla-orin", "--fix", fixed);
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(String.join("\n", ran.out())).contains("changed:");
        return read(fixed);
    }

    private static OnnxModel padded(String output) {
        OnnxModel network = new OnnxModel()
                .input("x", 1, 4, 9, 10)
                .weights("w", 5, 4, 1, 1)
                .node("Conv", "x,w", output, OnnxModel.ints("pads", 1, 1, 1, 1));
        network.graph().getNodeBuilder(0).addMetadataProps(property("layer", "first"));
        return network;
    }

    private static List<String> layers(ModelProto model) {
        return model.getGraph().getNodeList().stream()
                .flatMap(node -> node.getMetadataPropsList().stream()
                        .map(property -> node.getOpType() + " " + property.getValue()))
                .toList();
    }

    /** Of a network that check changes, what is said of the model stays, and of a node that another one stands for. */
    @Test
    void aFixedNetwork() throws IOException {
        ModelProto fixed = fixed(padded("y"));

        assertThat(fixed.getProducerName()).isEqualTo("pytorch");
        assertThat(fixed.getMetadataPropsList()).containsExactly(property("author", "someone"));
        assertThat(layers(fixed)).containsExactly("Conv first");
    }

    /** The Conv and the Relu are changed together, and the Relu is as it was. */
    @Test
    void nodesThatAreChangedTogether() throws IOException {
        OnnxModel network = padded("c").node("Relu", "c", "y");
        network.graph().getNodeBuilder(1).addMetadataProps(property("layer", "last"));

        assertThat(layers(fixed(network))).containsExactly("Relu last");
    }

    @Test
    void aFileThatSaysNothingIsOfClinfer() throws IOException {
        Path model = write(oneByFour("Relu").bytes());

        ModelProto written = read(converted(model, "written.onnx"));
        assertThat(written.getProducerName()).isEqualTo("Clinfer");
        assertThat(written.hasModelVersion()).isFalse();
        assertThat(written.getMetadataPropsCount()).isZero();
        assertThat(Files.readString(converted(model, "net.json"))).doesNotContain("metadata");
    }

    /** A text that no JSON document may have is left out, and the model can be read again. */
    @Test
    void endlessTexts() throws IOException {
        ModelProto.Builder model = model().toBuilder().setDocString("x".repeat(300_000));
        Path json = converted(write(model.build().toByteArray()), "net.json");

        assertThat(read(converted(json, "written.onnx")).hasDocString()).isFalse();
    }

    private void assertRefused(String metadata, String reason) throws IOException {
        Path json = Files.writeString(folder.resolve("m.json"), "{\"metadata\": " + metadata + ", \"ops\": []}");
        assertRefused(clinfer("convert", json, "-o", folder.resolve("out.json")), "m.json: line 1", reason);
    }

    @Test
    void damagedMetadata() throws IOException {
        assertRefused("{\"colour\": \"red\"}", "unknown field 'colour'; known are producer_name, producer_version");
        assertRefused("{\"model_version\": \"3a\"}", "expected a whole number in a string, found '3a'");
        assertRefused("{\"domain\": 3}", "expected a string, found 3");
        assertRefused("{\"metadata_props\": {\"a\": {}}}", "expected a string, found an object");
        assertRefused("[]", "expected metadata, found a list");
    }
}
