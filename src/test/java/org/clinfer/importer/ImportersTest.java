package org.clinfer.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        Path empty = Files.createFile(folder.resolve("empty.dat"));

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            model.bin   | 504b0304 00000800 6d6f64656c2f646174612e706b6c | is a PyTorch file    | torch.onnx.export
            model.pth   | 80027d71                                       | is a PyTorch file    | torch.onnx.export
            model       | 894844460d0a1a0a 00                            | is a Keras model     | model.export
            model.keras | 504b0304 14000000                              | is a Keras model     | tf2onnx
            model.bin   | 4700000000000000 7b22 61223a7b22646174615f6f6666736574735c223a | (safetensors) | to ONNX
            model.bin   | 47475546 03000000                              | (GGUF)               | to ONNX
            model.bin   | 18000000 4f52544d                              | ONNX Runtime's own   | give the .onnx file
            a.pdmodel   | 00                                             | is a PaddlePaddle    | paddle2onnx
            a.engine    | 00                                             | compiled for a device | it was compiled from
            a.params    | 00                                             | is an MXNet model    | mxnet.onnx
            a-symbol.json | 7B 22 6E 6F 64 65 73 22 3A 5B 7B 22 6F 70 22 3A 20 22 6E 75 6C 6C 22 | is an MXNet model | mxnet.onnx
            a.weights   | 00                                             | without the network  | .cfg file
            a.bin       | 00                                             | without the network  | .param file
            """)
    void modelsOfOtherProgramsAreNamed(String name, String bytes, String kind, String remedy) throws IOException {
        byte[] content = HexFormat.of().parseHex(bytes.replace(" ", ""));
        Path file = Files.write(folder.resolve(name), content);
        assertThatThrownBy(() -> importers.read(file))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContainingAll(file + ": ", kind, remedy, "it reads TensorFlow");
        assertThatThrownBy(() -> importers.read(content, Optional.of(name), Optional.empty()))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContainingAll(name, kind, remedy);
    }

    @Test
    void missingFiles() {
        assertThatThrownBy(() -> importers.read(folder.resolve("none.onnx"))).hasMessageContaining("no such file");
    }

    @Test
    void folderWithOneModelIsThatModel() throws IOException {
        Path savedModel = Path.of("test-data/savedmodel/classifier");
        assertThat(importers.read(savedModel).nodes())
                .isEqualTo(importers.read(savedModel.resolve("saved_model.pb")).nodes());
        assertThatThrownBy(() -> importers.read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("is a folder without a model.json, a saved_model.pb or a file .onnx or .tflite");
        Files.write(folder.resolve("a.onnx"), new byte[0]);
        Files.write(folder.resolve("b.TFLITE"), new byte[0]);
        assertThatThrownBy(() -> importers.read(folder)).hasMessageContaining("2 models; name one of a.onnx, b.TFLITE");
    }
}
