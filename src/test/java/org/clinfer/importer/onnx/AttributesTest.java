package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No attribute is passed over: in some public case of its operator, another value of it changes the result, or is refused.
 */
class AttributesTest {

    private static final Path CASES =
            Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"), "onnx-node");

    /** The public cases have scales without axes. */
    private static final Set<String> WITHOUT_EFFECT = Set.of("DequantizeLinear axis");

    @TempDir
    private Path folder;

    /** A model of one node, with what it is run on. */
    private record Case(ModelProto model, Map<String, Tensor> inputs) {

        static List<Case> of(Path folder) throws IOException {
            ModelProto model = ModelProto.parseFrom(Files.readAllBytes(folder.resolve("model.onnx")));
            Map<String, Tensor> inputs = new HashMap<>();
            for (int i = 0; i < model.getGraph().getInputCount(); i++) {
                Path file = folder.resolve("test_data_set_0").resolve("input_" + i + ".pb");
                if (model.getGraph().getNodeCount() != 1 || !Files.exists(file)) {
                    return List.of();
                }
                try {
                    inputs.put(model.getGraph().getInput(i).getName(), TensorProtoFile.read(file));
                } catch (GraphException unreadable) {
                    return List.of();
                }
            }
            return model.getGraph().getNodeCount() == 1 ? List.of(new Case(model, inputs)) : List.of();
        }

        NodeProto node() {
            return model.getGraph().getNode(0);
        }

        Case with(AttributeProto attribute) {
            NodeProto.Builder node = node().toBuilder().clearAttribute();
            node().getAttributeList().stream()
                    .filter(each -> !each.getName().equals(attribute.getName()))
                    .forEach(node::addAttribute);
            node.addAttribute(attribute);
            ModelProto.Builder changed = model.toBuilder();
            changed.getGraphBuilder().setNode(0, node);
            return new Case(changed.build(), inputs);
        }
    }

    /** Other values of an attribute, of which each is as good as any for some operator. */
    private static List<AttributeProto> others(AttributeProto attribute, Set<String> texts) {
        AttributeProto.Builder other = attribute.toBuilder();
        return switch (OnnxNode.typeOf(attribute)) {
            case INT ->
                Stream.of(attribute.getI() + 1, attribute.getI() - 1, 0L, 1L, 2L)
                        .map(value -> other.clone().setI(value).build())
                        .toList();
            case FLOAT ->
                List.of(
                        other.clone().setF(attribute.getF() * 2 + 0.5f).build(),
                        other.clone().setF(attribute.getF() / 2).build());
            case STRING ->
                texts.stream()
                        .map(text -> other.clone()
                                .setS(ByteString.copyFromUtf8(text))
                                .build())
                        .toList();
            case INTS ->
                Stream.of(1L, -1L)
                        .map(change -> other.clone()
                                .clearInts()
                                .addAllInts(attribute.getIntsList().stream()
                                        .map(each -> each + change)
                                        .toList())
                                .build())
                        .toList();
            case FLOATS ->
                List.of(other.clone()
                        .clearFloats()
                        .addAllFloats(attribute.getFloatsList().stream()
                                .map(each -> each * 2 + 0.5f)
                                .toList())
                        .build());
            default -> List.of();
        };
    }

    /** Results as text, or the refusal. */
    private String outcome(Engine engine, Case run) throws IOException {
        Path file = Files.write(folder.resolve("net.onnx"), run.model().toByteArray());
        try (Model model = engine.load(file);
                Session session = model.session();
                Result result = session.run(run.inputs())) {
            return result.outputs().entrySet().stream()
                    .map(output -> output.getKey() + output.getValue() + bytes(output.getValue()))
                    .collect(Collectors.joining());
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return "refused: " + refusal.getMessage();
        }
    }

    private static String bytes(Tensor tensor) {
        byte[] bytes = new byte[tensor.bytes().remaining()];
        tensor.bytes().duplicate().get(bytes);
        return Arrays.toString(bytes);
    }

    @Test
    void everyAttributeChangesTheResultOrIsRefused() throws IOException {
        assumeTrue(Files.isDirectory(CASES), "no public models at " + CASES.toAbsolutePath());
        Map<String, List<Case>> cases = new TreeMap<>();
        try (Stream<Path> folders = Files.list(CASES)) {
            for (Path each : folders.sorted().toList()) {
                Case.of(each)
                        .forEach(one -> cases.computeIfAbsent(one.node().getOpType(), any -> new ArrayList<>())
                                .add(one));
            }
        }
        Set<String> ignored = new TreeSet<>();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            for (Map.Entry<String, List<Case>> operator : cases.entrySet()) {
                ignored.addAll(ignored(engine, operator.getKey(), operator.getValue()));
            }
        }
        assertThat(ignored).isEqualTo(new TreeSet<>(WITHOUT_EFFECT));
    }

    private Set<String> ignored(Engine engine, String op, List<Case> cases) throws IOException {
        Map<String, AttributeProto> known = new TreeMap<>();
        Map<String, Set<String>> texts = new HashMap<>();
        for (Case each : cases) {
            each.node().getAttributeList().forEach(attribute -> {
                known.put(attribute.getName(), attribute);
                texts.computeIfAbsent(attribute.getName(), any -> new TreeSet<>(Set.of("none_of_these")))
                        .add(attribute.getS().toStringUtf8());
            });
        }
        Set<String> ignored = new TreeSet<>();
        for (AttributeProto attribute : known.values()) {
            List<AttributeProto> others = others(attribute, texts.getOrDefault(attribute.getName(), Set.of()));
            if (!others.isEmpty() && !changes(engine, cases, others)) {
                ignored.add(op + " " + attribute.getName());
            }
        }
        return ignored;
    }

    private boolean changes(Engine engine, List<Case> cases, List<AttributeProto> others) throws IOException {
        for (Case each : cases) {
            String before = outcome(engine, each);
            for (AttributeProto other : others) {
                if (!before.startsWith("refused")
                        && !outcome(engine, each.with(other)).equals(before)) {
                    return true;
                }
            }
        }
        return false;
    }
}
