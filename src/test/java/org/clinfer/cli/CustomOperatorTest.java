package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Placement;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of operators without Java, from the command line and from Java; and folders that are none. */
final class CustomOperatorTest extends HostileInput {

    private static final Path EXAMPLE = Path.of("examples/custom-operator");
    private static final Path MODEL = EXAMPLE.resolve("model/model.json");
    private static final Path INPUT = EXAMPLE.resolve("model/input_0.npy");

    private static Ran with(Object... args) {
        return clinfer(Stream.concat(Stream.of(args), Stream.of("--operators", EXAMPLE))
                .toArray());
    }

    private static void assertFine(Ran ran) {
        assertThat(ran.code()).as(ran.toString()).isZero();
    }

    private static String line(Ran ran, String start) {
        return ran.out().stream()
                .filter(line -> line.strip().startsWith(start))
                .findFirst()
                .orElse("no line '" + start + "' in " + ran);
    }

    @Test
    void isVerifiedOnTheCpu() {
        Ran ran = with("verify", EXAMPLE, "--device", "cpu");
        assertThat(ran.out()).containsExactly("PASS custom-operator/model", "1 passed, 0 failed, 0 unsupported");
        assertFine(ran);
    }

    @Test
    @RequiresOpenCl
    void isVerifiedOnTheDevice() {
        assertThat(with("verify", EXAMPLE, "--device", "opencl").out()).contains("PASS custom-operator/model");
        Ran run = with("run", MODEL, "--device", "opencl", "--input", INPUT, "--placement");
        assertFine(run);
        assertThat(line(run, "shrink")).matches("shrink +HardShrink +device +float32 +flat");
        assertThat(line(run, "tanh_exp/tanh")).matches("tanh_exp/tanh +Tanh +device +float32 +runs");
        assertThat(line(with("check", MODEL, "--device", "opencl", "--explain"), "on-device"))
                .matches("on-device +shrink +HardShrink +.* flat");
    }

    @Test
    void isRunAndCheckedOnTheCpu() throws IOException {
        Ran run = with("run", MODEL, "--device", "cpu", "--input", INPUT, "--placement", "-o", folder.resolve("out"));
        assertFine(run);
        assertThat(line(run, "shrink")).matches("shrink +HardShrink +cpu *.*");
        Tensor expected = NpyFile.read(EXAMPLE.resolve("model/output_0.npy"));
        Tensor actual = NpyFile.read(folder.resolve("out/y.npy"));
        for (int i = 0; i < 24; i++) {
            assertThat(actual.getDouble(i)).isEqualTo(expected.getDouble(i), org.assertj.core.data.Offset.offset(1e-6));
        }
        Ran check = with("check", MODEL, "--device", "cpu", "--fail-on", "unsupported,unknown");
        assertFine(check);
        assertThat(check.out()).anyMatch(line -> line.contains("HardShrink"));
    }

    @Test
    void isListedAndDescribed() {
        Ran table = with("ops");
        assertFine(table);
        assertThat(line(table, "HardShrink ")).matches("HardShrink +(- +){8}(both +){3}fp64 +- +x where .*");
        assertThat(line(table, "TanhExp: ")).endsWith("(composed of Exp, Tanh, Mul)");
        assertThat(table.out()).anyMatch(line -> line.startsWith("Conv2d "));

        Ran shrink = with("ops", "HardShrink");
        assertThat(line(shrink, "threshold")).contains("default 0.5, >= 0");
        assertThat(line(shrink, "flat")).contains("2^31 elements or more");
        assertThat(with("ops", "TanhExp").out()).contains("composed of: Exp, Tanh, Mul");
        assertThat(with("ops", "TanhExp", "--json").out())
                .anyMatch(line -> line.contains("\"composed_of\" : [ \"Exp\""));
        assertThat(clinfer("ops", "HardShrink").code()).isEqualTo(2);
    }

    @Test
    void isConverted() throws IOException {
        Path json = folder.resolve("again.json");
        assertFine(with("convert", MODEL, "-o", json));
        assertFine(with("run", json, "--device", "cpu", "--input", INPUT));
        assertRefused(clinfer("convert", MODEL, "-o", folder.resolve("no.json")), "shrink", "HardShrink");
    }

    @Test
    void withoutTheFolderTheOperatorIsNamed() throws IOException {
        assertRefused(clinfer("run", MODEL, "--device", "cpu", "--input", INPUT), "shrink", "HardShrink");
        assertThat(clinfer("verify", EXAMPLE, "--device", "cpu").out())
                .contains("UNSUPPORTED custom-operator/model: operator HardShrink, operator TanhExp");
    }

    private static Graph graph(DType dtype) {
        return new GraphBuilder("net", new SourceRef("test", ""))
                .input("x", TensorType.of(dtype, 5))
                .node("HardShrink", List.of("x"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void everyFloatingTypeIsComputedAlikeEverywhere(DType dtype) {
        for (DeviceChoice device : List.of(new DeviceChoice.Cpu(), new DeviceChoice.Auto())) {
            EngineOptions options = EngineOptions.defaults().withDevice(device).withOperators(List.of(EXAMPLE));
            try (Tensor x = Tensor.allocate(dtype, 5);
                    Engine engine = Engine.open(options);
                    Model model = engine.load(graph(dtype));
                    Session session = model.session()) {
                double[] values = {-0.75, -0.5, Double.NaN, 0.5, 1.25};
                for (int i = 0; i < values.length; i++) {
                    x.setDouble(i, values[i]);
                }
                try (Result result = session.run(Map.of("x", x))) {
                    List<Double> found = new ArrayList<>();
                    for (int i = 0; i < values.length; i++) {
                        found.add(result.get("y").getDouble(i));
                    }
                    assertThat(found).as(device.toString()).containsExactly(-0.75, 0.0, Double.NaN, 0.0, 1.25);
                }
                boolean fits = engine.device()
                        .filter(facts -> dtype != DType.FLOAT64 || facts.has("cl_khr_fp64"))
                        .isPresent();
                Placement.Entry node = session.placement().nodes().get(0);
                assertThat(node.variant()).isEqualTo(fits ? "flat" : "");
            }
        }
    }

    @Test
    void modelsOfAFileMayUseTheFolderFromJava() {
        EngineOptions options =
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withOperators(List.of(EXAMPLE));
        try (Engine engine = Engine.open(options);
                Model model = engine.load(MODEL)) {
            assertThat(model.graph().nodes())
                    .extracting(org.clinfer.graph.Node::op)
                    .containsExactly("HardShrink", "TanhExp");
        }
    }

    @Test
    void nodesOfOnnxMayBeUsersOperators() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("m.onnx"), "HardShrink");
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "random:1"), "operator HardShrink");
        Ran ran = with("run", model, "--device", "cpu", "--input", "random:1", "--placement");
        assertFine(ran);
        assertThat(line(ran, "HardShrink_0")).contains("cpu");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "verify", "check", "ops", "convert"})
    void aFolderThatIsNoneEndsEveryCommandWithOneLine(String command) throws IOException {
        List<Object> args = new ArrayList<>(
                switch (command) {
                    case "run" -> List.of("run", MODEL, "--device", "cpu", "--input", INPUT);
                    case "verify" -> List.of("verify", EXAMPLE, "--device", "cpu");
                    case "check" -> List.of("check", MODEL, "--device", "cpu");
                    case "ops" -> List.of("ops");
                    default -> List.of("convert", MODEL, "-o", folder.resolve("net.json"));
                });
        args.add("--operators");
        assertRefused(added(args, folder.resolve("none")), "none: no such folder of operators");
        assertRefused(added(args, EXAMPLE.resolve("tanh_exp.json")), "tanh_exp.json: not a folder of operators");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertRefused(added(args, empty), "empty: there is no description of an operator (.json) in this folder");
        Path bad = Files.createDirectory(folder.resolve("bad"));
        Files.writeString(bad.resolve("op.json"), "{\"ops\": [\n{\"optype\": 3}]}");
        assertRefused(added(args, bad), "op.json: ops[0]");
        Files.writeString(bad.resolve("op.json"), "{\"ops\": [\n]");
        assertRefused(added(args, bad), "op.json: line 2");
        args.add(EXAMPLE);
        args.add("--operators");
        Ran twice = added(args, EXAMPLE);
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).hasSize(3).first(STRING).isEqualTo("clinfer: 2 mistakes in descriptions of operators:");
        assertThat(twice.err().get(1)).contains("operator HardShrink is described already in");
        assertThat(twice.err().get(2)).contains("operator TanhExp is described already in");
    }

    @Test
    void thereMayBeSeveralFolders() throws IOException {
        Path mish = Files.createDirectory(folder.resolve("mish"));
        Files.copy(EXAMPLE.resolve("tanh_exp.json"), mish.resolve("tanh_exp.json"));
        Path shrink = Files.createDirectory(folder.resolve("shrink"));
        for (String name : List.of("hard_shrink.json", "hard_shrink.cl")) {
            Files.copy(EXAMPLE.resolve(name), shrink.resolve(name));
        }
        Ran ran = clinfer("verify", EXAMPLE, "--operators", mish, "--operators", shrink);
        assertThat(ran.out()).contains("PASS custom-operator/model");
        assertThat(clinfer("ops", "TanhExp", "--operators", shrink, "--operators", mish)
                        .code())
                .isZero();
        assertThat(clinfer("verify", EXAMPLE, "--operators", mish).out())
                .contains("UNSUPPORTED custom-operator/model: operator HardShrink");
    }

    /** The messages that docs/descriptions.md shows. */
    @Test
    void mistakesAreToldAsDocumented() throws IOException {
        String documented = Files.readString(Path.of("docs/descriptions.md")).replaceAll("\\s+", " ");
        Path copy = Files.createDirectory(folder.resolve("copy"));
        String description = Files.readString(EXAMPLE.resolve("hard_shrink.json"));
        Files.writeString(copy.resolve("hard_shrink.json"), description.replace("\"float\"", "\"real\""));
        String wrongType =
                "hard_shrink.json: ops[0].params[0].realtype: expected one of int, float, double, found 'real'";
        assertThat(documented).contains("`" + wrongType + "`");
        assertRefused(clinfer("ops", "--operators", copy), wrongType);

        Path model = folder.resolve("model.json");
        Files.writeString(model, Files.readString(MODEL).replace("0.75", "-1"));
        String wrongUse = "HardShrink 'shrink': threshold: expected >= 0, found -1.0";
        assertThat(documented).contains("`" + wrongUse + "`");
        assertRefused(with("run", model, "--device", "cpu", "--input", "zeros"), wrongUse);
    }

    @Test
    void aKernelThatIsNotAsDescribedEndsTheCommandWithOneLine() throws IOException {
        Path copy = Files.createDirectory(folder.resolve("copy"));
        Files.copy(EXAMPLE.resolve("hard_shrink.json"), copy.resolve("hard_shrink.json"));
        List<Object> args = List.of("check", MODEL, "--device", "cpu", "--operators");
        String label = copy.resolve("hard_shrink.json") + ": ";
        assertRefused(added(args, copy), label + "HardShrink_flat: there is no kernel file 'hard_shrink.cl'");

        String kernel = Files.readString(EXAMPLE.resolve("hard_shrink.cl"));
        Path file = copy.resolve("hard_shrink.cl");
        Files.writeString(file, kernel.replace("void hard_shrink", "void soft_shrink"));
        assertRefused(added(args, copy), label + "HardShrink_flat: ", "hard_shrink");
        Files.writeString(file, kernel.replace("REAL threshold", "REAL limit"));
        assertRefused(
                added(args, copy), label + "variant HardShrink_flat binds nothing to parameter 'limit' of hard_shrink");
        Files.writeString(file, kernel.replace(", const REAL threshold", ""));
        assertRefused(added(args, copy), label, "binds [x, y, len, threshold], but hard_shrink takes [x, y, len]");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertRefused(added(args, copy), label + "HardShrink_flat: ", "hard_shrink.cl");
    }

    private static Ran added(List<Object> args, Path folder) {
        return clinfer(Stream.concat(args.stream(), Stream.of(folder)).toArray());
    }
}
