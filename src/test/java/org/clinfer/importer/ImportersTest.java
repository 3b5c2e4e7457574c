package org.clinfer.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportersTest {

    @TempDir
    private Path folder;

    private final Importers importers = Importers.builtIn();

    private static byte[] model() {
        TensorProto.Builder constant =
                TensorProto.newBuilder().setName("c").setDataType(1).addFloatData(1);
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInitializer(constant)
                .addOutput(ValueInfoProto.newBuilder().setName("c"));
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .setProducerName("test")
                .setGraph(graph)
                .build()
                .toByteArray();
    }

    @Test
    void chosenBySuffixOrContent() throws IOException {
        Path named = Files.write(folder.resolve("Model.ONNX"), model());
        Path unnamed = Files.write(folder.resolve("model.bin"), model());

        assertThat(importers.read(named).constants()).containsKey("c");
        assertThat(importers.read(unnamed).constants()).containsKey("c");
    }

    @Test
    void unknownKindsAreRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("model.txt"), "hello world");
        Path tensor = Files.write(
                folder.resolve("tensor.pb"),
                TensorProto.newBuilder().addDims(2).setDataType(1).build().toByteArray());
        Path empty = Files.createFile(folder.resolve("empty.bin"));

        for (Path file : new Path[] {text, tensor, empty}) {
            assertThat(importers.find(file)).isEmpty();
            assertThatThrownBy(() -> importers.read(file))
                    .isExactlyInstanceOf(GraphException.class)
                    .hasMessage(file
                            + ": unknown kind of model file; known are TensorFlow (SavedModel or frozen graph, .pb), ONNX"
                            + " (.onnx), Caffe (.prototxt, .caffemodel), darknet (.cfg), ncnn (.param),"
                            + " OpenVINO IR (.xml), TensorFlow.js (model.json), TensorFlow Lite (.tflite),"
                            + " Clinfer (.json)");
        }
    }

    @Test
    void missingFilesAndFolders() {
        assertThatThrownBy(() -> importers.read(folder.resolve("none.onnx"))).hasMessageContaining("no such file");
        assertThatThrownBy(() -> importers.read(folder)).hasMessageContaining("not a regular file");
    }
}
