package org.clinfer.robustness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.describe.OpCatalog;
import org.clinfer.fuzz.Judge;
import org.clinfer.fuzz.Parts;
import org.clinfer.fuzz.Target;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.importer.json.JsonExporter;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.tensorflow.SavedModelFolder;
import org.clinfer.importer.tensorflow.TfControlGraphs;
import org.clinfer.importer.tfjs.TfjsModel;
import org.clinfer.importer.tflite.TfliteNet;

/** Models of every format, which are loaded, checked, planned and run on the CPU. */
public final class ModelTargets {

    private static final List<String> ONNX_WORDS = List.of(
            "Conv",
            "Gemm",
            "Reshape",
            "Slice",
            "Resize",
            "Loop",
            "If",
            "Scan",
            "Constant",
            "ai.onnx",
            "com.microsoft",
            "axis",
            "axes",
            "perm",
            "pads",
            "strides",
            "kernel_shape",
            "auto_pad",
            "SAME_UPPER",
            "mode",
            "value",
            "body");

    private static final List<String> JSON_WORDS = List.of(
            "\"optype\"",
            "\"tensors_in\"",
            "\"tensors_out\"",
            "\"arg_name\"",
            "\"params\"",
            "\"value\"",
            "\"float64\"",
            "\"int64\"",
            "\"bool\"",
            "\"u1\"",
            "\"Relu\"",
            "\"Const\"",
            "\"Output\"",
            "\"../w.safetensors\"",
            "null",
            "[]");

    private ModelTargets() {}

    public static List<Target> all() {
        return List.of(
                new Target("onnx", folder -> onnx(), ONNX_WORDS, body("x.onnx")),
                new Target(
                        "caffe",
                        folder -> List.of(CaffeFuzzTest.binary().toByteArray()),
                        CaffeFuzzTest.NAMES,
                        body("x.caffemodel")),
                new Target(
                        "caffe-text", folder -> caffeTexts(), CaffeFuzzTest.WORDS, body("x.prototxt", "x.caffemodel")),
                new Target(
                        "tensorflow",
                        folder -> List.of(
                                TensorflowFuzzTest.classifier().bytes(),
                                TensorflowFuzzTest.movements().bytes(),
                                TfControlGraphs.mapped().bytes()),
                        TensorflowFuzzTest.TEXTS,
                        body("x.pb")),
                new Target(
                        "savedmodel",
                        folder -> savedModels(),
                        SavedModelFuzzTest.WORDS,
                        body("saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001")),
                new Target("tensorflow-text", ModelTargets::tensorflowTexts, TensorflowFuzzTest.TEXTS, body("x.pbtxt")),
                new Target("tfjs", folder -> tfjs(), TfjsFuzzTest.VALUES, body("model.json", TfjsModel.WEIGHTS)),
                new Target("tflite", folder -> tflite(), TfliteFuzzTest.WORDS, body("x.tflite")),
                new Target("darknet", folder -> darknet(), DarknetFuzzTest.WORDS, body("x.cfg", "x.weights")),
                new Target("ncnn", folder -> ncnn(), NcnnFuzzTest.WORDS, body("x.param", "x.bin")),
                new Target("openvino", folder -> openvino(), OpenvinoFuzzTest.WORDS, body("x.xml", "x.bin")),
                new Target("json", ModelTargets::json, JSON_WORDS, body("x.json", "x.safetensors")));
    }

    /** Takes a model the whole way, with or without the files beside it. */
    static Target.Body body(String... names) {
        Trial trial = new Trial(Lazy.ENGINE);
        return (bytes, folder) -> {
            List<byte[]> parts = Parts.of(bytes, names.length);
            for (int i = 0; i < names.length; i++) {
                Path file = folder.resolve(names[i]);
                if (i < parts.size()) {
                    Files.createDirectories(file.getParent());
                    Files.write(file, parts.get(i));
                } else {
                    Files.deleteIfExists(file);
                }
            }
            require(trial.of(folder.resolve(names[0])));
        };
    }

    /** One engine for all files of a process. */
    private static final class Lazy {
        static final Engine ENGINE = FuzzTest.engine(new DeviceChoice.Cpu());
    }

    private static void require(Trial.Outcome outcome) {
        if (outcome.defect().isEmpty()) {
            return;
        }
        if (outcome.defect().get() instanceof Error error) {
            throw error;
        }
        Judge.requireRefusal((RuntimeException) outcome.defect().get());
    }

    private static List<byte[]> savedModels() {
        SavedModelFolder model = SavedModelFuzzTest.sound();
        return List.of(Parts.joined(model.bytes(), model.index(), model.data()));
    }

    static List<byte[]> onnx() {
        return SeedModels.all().stream().map(ModelProto::toByteArray).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<byte[]> caffeTexts() {
        List<byte[]> seeds = new ArrayList<>();
        CaffeFuzzTest.NETS.forEach(net -> seeds.add(bytes(net)));
        seeds.add(Parts.joined(seeds.get(0), CaffeFuzzTest.weights().toByteArray()));
        return seeds;
    }

    private static List<byte[]> tensorflowTexts(Path folder) throws IOException {
        return List.of(
                Files.readAllBytes(TensorflowFuzzTest.classifier().writeText(folder)),
                Files.readAllBytes(TensorflowFuzzTest.movements().writeText(folder)));
    }

    private static List<byte[]> tfjs() {
        return TfjsFuzzTest.models().stream()
                .map(model -> Parts.joined(bytes(model.json()), model.data()))
                .toList();
    }

    private static List<byte[]> tflite() {
        return TfliteFuzzTest.networks().stream().map(TfliteNet::bytes).toList();
    }

    private static List<byte[]> darknet() {
        byte[] classifier = bytes(DarknetFuzzTest.CLASSIFIER);
        return List.of(
                classifier, Parts.joined(classifier, DarknetFuzzTest.weights()), bytes(DarknetFuzzTest.DETECTOR));
    }

    private static List<byte[]> ncnn() {
        byte[] classifier = bytes(NcnnFuzzTest.CLASSIFIER);
        return List.of(
                classifier,
                Parts.joined(classifier, NcnnFuzzTest.weights()),
                bytes(NcnnFuzzTest.sorted(NcnnFuzzTest.SHAPES)),
                bytes(NcnnFuzzTest.DETECTOR));
    }

    private static List<byte[]> openvino() {
        byte[] network = bytes(OpenvinoFuzzTest.NETWORK);
        return List.of(network, Parts.joined(network, OpenvinoFuzzTest.constants()));
    }

    /** The models of ONNX in Clinfer's own format, with their weights inside and in a file beside them. */
    private static List<byte[]> json(Path folder) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (byte[] onnx : onnx()) {
            Graph graph = Importers.builtIn().read(Files.write(folder.resolve("seed.onnx"), onnx));
            seeds.add(json(graph, Long.MAX_VALUE).toByteArray());
            if (seeds.size() == 1) {
                ByteArrayOutputStream weights = new ByteArrayOutputStream();
                new JsonExporter(OpCatalog.builtIn(), 0).writeWeights(graph, weights);
                seeds.add(Parts.joined(json(graph, 0).toByteArray(), weights.toByteArray()));
            }
        }
        return seeds;
    }

    private static ByteArrayOutputStream json(Graph graph, long inlineBytes) throws IOException {
        ByteArrayOutputStream model = new ByteArrayOutputStream();
        new JsonExporter(OpCatalog.builtIn(), inlineBytes).writeModel(graph, "x.safetensors", model);
        return model;
    }
}
