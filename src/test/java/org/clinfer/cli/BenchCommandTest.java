package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.clinfer.cli.bench.PeerException;
import org.clinfer.cli.bench.PeerJar;
import org.clinfer.cli.io.JsonText;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The command as people and scripts see it; how long something takes is no part of it. */
class BenchCommandTest {

    private static final String CONVOLUTION = """
            {"ops": [
              {"name": "image", "optype": "Input", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "image"}],
               "params": [{"arg_name": "dtype", "value": "float32"},
                          {"arg_name": "dims", "value": [1, 2, "height", "width"]}]},
              {"name": "k", "optype": "Const", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "k"}],
               "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [4, 2, 1, 1]},
                          {"arg_name": "data", "value": [1, 2, 3, 4, 5, 6, 7, 8]}]},
              {"name": "convolution", "optype": "Conv2d",
               "tensors_in": [{"arg_name": "x", "name": "image"}, {"arg_name": "weights", "name": "k"}],
               "tensors_out": [{"arg_name": "y", "name": "z"}], "params": []},
              {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "z"}], "tensors_out": [],
               "params": []}
            ]}
            """;

    @TempDir
    Path folder;

    private Path relu() throws IOException {
        return TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
    }

    private Path convolution() throws IOException {
        return Files.writeString(folder.resolve("convolution.json"), CONVOLUTION);
    }

    private JsonNode json(Object... args) throws IOException {
        Path file = folder.resolve("bench.json");
        Object[] all = new Object[args.length + 6];
        all[0] = "bench";
        System.arraycopy(args, 0, all, 1, args.length);
        System.arraycopy(new Object[] {"--json", "-o", file, "--warmup", "1"}, 0, all, args.length + 1, 5);
        Ran ran = clinfer(all);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(JsonText.read(file).get("cpu_path").asString()).isEqualTo("vector");
        return JsonText.read(file).get("models");
    }

    /** What the device can do at most, as the last {@link #json} has it; null without one. */
    private JsonNode most(String key) throws IOException {
        return JsonText.read(folder.resolve("bench.json")).get(key);
    }

    @Test
    void theTableHasARowForEachModel() throws IOException {
        Ran ran = clinfer("bench", relu(), relu(), "--device", "cpu", "--runs", "12", "--warmup", "1");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).hasSize(4);
        assertThat(ran.out().get(0)).startsWith("device: ").endsWith("; CPU path: vector; precision: float32");
        assertThat(ran.out().get(1))
                .contains("median ms", "p10 ms", "p90 ms", "GFLOP/s")
                .doesNotContain("peer", "share", "launch");
        assertThat(ran.out().get(2)).contains("relu.onnx").endsWith(" 12");
    }

    @Test
    void jsonNamesWhatWasMeasured() throws IOException {
        JsonNode model = json(convolution(), "--input", "image=1x2x8x8", "--device", "cpu", "--runs", "20")
                .get(0);

        assertThat(model.get("model").asString()).endsWith("convolution.json");
        assertThat(model.get("device").asString()).isEqualTo("cpu");
        assertThat(model.get("runs").asInt()).isEqualTo(20);
        assertThat(model.get("multiply_adds").asLong()).isEqualTo(8 * 8 * 2 * 4);
        double median = model.get("median_ms").asDouble();
        assertThat(median)
                .isBetween(model.get("p10_ms").asDouble(), model.get("p90_ms").asDouble());
        assertThat(model.get("gflops").asDouble()).isEqualTo(2 * 512 / median / 1e6);
        assertThat(model.get("share").isNull()).isTrue();
        assertThat(most("peak_gflops").isNull()).isTrue();
        assertThat(most("copy_gb_per_s").isNull()).isTrue();
        assertThat(model.get("first_result_ms").asDouble()).isPositive();
        assertThat(model.get("peer").isNull()).isTrue();
        assertThat(model.get("ratio_p10").isNull()).isTrue();
        assertThat(model.get("launches").asInt()).isZero();
        assertThat(model.get("us_per_launch").isNull()).isTrue();
    }

    @RequiresOpenCl
    @ParameterizedTest
    @ValueSource(strings = {"lwjgl", "jocl"})
    void runsOnADevice(String binding) throws IOException {
        JsonNode model = json(relu(), "--device", "opencl", "--binding", binding, "--runs", "3", "--by-operator")
                .get(0);

        JsonNode operator = operator(model, "Relu");
        assertThat(operator.get("target").asString()).isEqualTo("device");
        assertThat(operator.get("variant").asString()).isNotEmpty();
        assertThat(operator.get("nodes").asInt()).isEqualTo(1);
        assertThat(operator.get("ms").asDouble()).isPositive();
        assertThat(model.get("device").asString()).isNotEqualTo("cpu");
        assertThat(model.get("runs").asInt()).isEqualTo(3);
        assertThat(model.get("launches").asInt()).isEqualTo(1);
        assertThat(model.get("waits").asInt()).isEqualTo(1);
        assertThat(model.get("us_per_launch").asDouble())
                .isCloseTo(1000 * model.get("median_ms").asDouble(), Offset.offset(1e-6));
        assertThat(model.get("us_per_launch_beyond_kernels").asDouble())
                .isCloseTo(
                        1000
                                * (model.get("run_ms").asDouble()
                                        - model.get("kernels_ms").asDouble()),
                        Offset.offset(1e-6));
    }

    @RequiresOpenCl
    @Test
    void theTableCountsLaunches() throws IOException {
        Ran ran = clinfer(
                "bench",
                convolution(),
                "--input",
                "image=1x2x8x8",
                "--device",
                "opencl",
                "--runs",
                "2",
                "--chain",
                "off",
                "--by-operator");

        assertThat(ran.out().get(2)).contains("launches", "us/launch");
        assertThat(ran.out())
                .anyMatch(line -> line.matches(
                        "  launches [1-9], transfers [0-9]+, waits 1: beyond the kernels [0-9.]+ us a launch"));
    }

    @RequiresOpenCl
    @Test
    void aDeviceIsMeasuredOnce() throws IOException {
        Ran ran = clinfer("bench", relu(), "--device", "opencl", "--runs", "2");
        assertThat(ran.out().get(1)).matches("peak GFLOP/s: [0-9]+ \\(float32\\); copies: [0-9.]+ GB/s; share: .*");
        assertThat(ran.out().get(2)).contains("GFLOP/s", "share");

        JsonNode model = json(convolution(), "--input", "image=1x2x8x8", "--device", "opencl", "--runs", "5")
                .get(0);
        double peak = most("peak_gflops").asDouble();
        assertThat(peak).isPositive();
        assertThat(most("copy_gb_per_s").asDouble()).isPositive();
        assertThat(model.get("share").asDouble()).isEqualTo(model.get("gflops").asDouble() / peak);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void runsWithChainsAndWithout(String chain) throws IOException {
        Ran ran = clinfer("bench", relu(), "--device", "auto", "--runs", "2", "--chain", chain);

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
    }

    private static JsonNode operator(JsonNode model, String name) {
        for (JsonNode operator : model.get("operators")) {
            if (operator.get("operator").asString().equals(name)) {
                return operator;
            }
        }
        throw new AssertionError("no " + name + " in " + model);
    }

    @Test
    void operatorsHaveATableOfTheirOwn() throws IOException {
        Ran ran = clinfer("bench", relu(), "--device", "cpu", "--runs", "2", "--by-operator");

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .anyMatch(line -> line.endsWith("relu.onnx by operator:"))
                .anyMatch(line -> line.matches(" +Relu +cpu +1 +[0-9.]+ +100\\.0 %"));
    }

    @Test
    void aNameWithALineEndStaysOneLine() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("two\nlines.onnx"), "Relu");
        Ran ran = clinfer("bench", model, "--device", "cpu", "--runs", "2", "--by-operator");
        assertThat(ran.out()).anyMatch(line -> line.endsWith("two\\u000alines.onnx by operator:"));
    }

    @Test
    void aSavedRunStandsBesideOnThePage() throws IOException {
        JsonNode model =
                json(relu(), "--device", "cpu", "--runs", "2", "--by-operator").get(0);
        assertThat(model.get("nodes").get(0).get("op").asString()).isEqualTo("Relu");
        Path page = folder.resolve("page.html");
        Object[] command = {"bench", relu(), "--device", "cpu", "--runs", "2", "--html", page};

        Ran beside = with(command, "--beside", folder.resolve("bench.json"));
        assertThat(beside.err()).isEmpty();
        assertThat(beside.code()).isZero();
        assertThat(Files.readString(page)).contains("\"pairs\":[{\"before\":0,\"after\":1,");
        Ran itself = with(command, "--beside", page);
        assertThat(itself.code()).isZero();
        assertThat(Files.readString(page)).contains("\"pairs\":[{\"before\":0,\"after\":1,");
    }

    @Test
    void whatStandsBesideMustBeAMeasurementAndHaveAPage() throws IOException {
        Ran alone = clinfer("bench", relu(), "--device", "cpu", "--beside", "saved.json");
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.err()).singleElement().asString().contains("--beside needs --html");

        Path page = folder.resolve("page.html");
        Ran other = clinfer("bench", relu(), "--device", "cpu", "--html", page, "--beside", convolution());
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err()).singleElement().asString().contains("convolution.json", "it has no models");
        assertThat(page).doesNotExist();
    }

    @Test
    void sessionsAtOnceAreCountedBySeconds() throws IOException {
        JsonNode engines = json(relu(), "--device", "cpu", "--sessions", "3", "--runs", "4")
                .get(0)
                .get("throughput");

        assertThat(engines.size()).isEqualTo(1);
        assertThat(engines.get(0).get("devices").get(0).asString()).isEqualTo("cpu");
        assertThat(engines.get(0).get("runs").asInt()).isEqualTo(3 * 4);
        Ran table = clinfer("bench", relu(), "--device", "cpu", "--sessions", "2", "--runs", "3");
        assertThat(table.out()).hasSize(2);
        assertThat(table.out().get(1)).contains("1: cpu").endsWith(" 6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--sessions=0", "--sessions=2 --by-operator", "--sessions=2 --peer=onnxruntime"})
    void sessionsAtOnceGoAlone(String options) throws IOException {
        Ran ran = clinfer(Stream.concat(Stream.of("bench", relu(), "--device", "cpu"), Stream.of(options.split(" ")))
                .toArray());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().contains("--sessions");
    }

    @Test
    void clientsAtOnceShareAPool() throws IOException {
        JsonNode model = json(relu(), "--device", "cpu", "--threads", "2", "--clients", "1,3", "--runs", "4")
                .get(0);

        assertThat(model.get("runs_in_flight").asInt()).isEqualTo(2);
        assertThat(model.get("largest_difference").isNull()).isTrue();
        JsonNode three = model.get("clients").get(1);
        assertThat(three.get("clients").asInt()).isEqualTo(3);
        assertThat(three.get("requests").asInt()).as("twice three").isEqualTo(6);
        assertThat(three.get("requests_per_s").asDouble()).isPositive();
        assertThat(three.get("p50_ms").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(three.get("p99_ms").asDouble());
        assertThat(three.get("peer_requests_per_s").isNull()).isTrue();
        assertThat(three.get("ratio_p10").isNull()).isTrue();
    }

    @Test
    void aPeerHasTheSameClients() throws IOException {
        Object[] command = {
            "bench",
            relu(),
            "--device",
            "cpu",
            "--threads",
            "3",
            "--clients",
            "2",
            "--runs",
            "4",
            "--peer",
            "onnxruntime"
        };

        Ran equal = with(command, "--peer-jar", FakeOnnxRuntime.write(folder, "0"));
        assertThat(equal.code()).isZero();
        assertThat(equal.out()).hasSize(2);
        assertThat(equal.out().get(0)).contains("peer requests/s", "peer p99 ms", "ratio p10");
        Ran wrong = with(command, "--peer-jar", FakeOnnxRuntime.write(folder, "1"));
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.err()).singleElement().asString().contains("the outputs differ from the peer's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--clients=0", "--clients=2 --by-operator", "--clients=2 --sessions=2"})
    void clientsAtOnceGoAlone(String options) throws IOException {
        Ran ran = clinfer(Stream.concat(Stream.of("bench", relu(), "--device", "cpu"), Stream.of(options.split(" ")))
                .toArray());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().contains("--clients");
    }

    @Test
    void openSizesMustBeGiven() throws IOException {
        Ran ran = clinfer("bench", convolution(), "--device", "cpu");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).hasSize(1);
        assertThat(ran.err().get(0)).contains("image", "--input image=SHAPE");
    }

    @Test
    void oneBrokenModelDoesNotStopTheOthers() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.onnx"), "this is no model");
        Ran ran = clinfer("bench", broken, relu(), "--device", "cpu", "--runs", "2", "--warmup", "0");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().contains("broken.onnx");
        assertThat(ran.out()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--runs=0", "--warmup=-1", "--threads=0", "--runs=many", "--chain=maybe"})
    void badOptionsAreOneLine(String option) throws IOException {
        Ran ran = clinfer("bench", relu(), "--device", "cpu", option);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).hasSize(1);
    }

    @Test
    void aPeerThatIsNotThereIsOneLine() throws IOException {
        Path gone = folder.resolve("gone.jar");
        Ran missing = clinfer("bench", relu(), "--device", "cpu", "--peer", "onnxruntime", "--peer-jar", gone);
        assertThat(missing.code()).isEqualTo(3);
        assertThat(missing.err()).containsExactly("clinfer: ONNX Runtime is not there: " + gone + " is no file");

        Path empty = folder.resolve("empty.jar");
        new JarOutputStream(Files.newOutputStream(empty), new Manifest()).close();
        Ran other = clinfer("bench", relu(), "--device", "cpu", "--peer", "onnxruntime", "--peer-jar", empty);
        assertThat(other.code()).isEqualTo(3);
        assertThat(other.err()).singleElement().asString().contains("empty.jar", "has not what is needed");
        assertThat(other.out()).isEmpty();
    }

    @Test
    void thePeerReadsOnnxAlone() throws IOException {
        Ran ran = clinfer("bench", convolution(), "--device", "cpu", "--peer", "onnxruntime");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().contains("convolution.json", ".onnx");
        assertThat(clinfer("bench", relu(), "--peer", "other").code()).isEqualTo(2);
    }

    @Test
    void outputsOfThePeerAreCompared() throws IOException {
        Object[] command = {"bench", relu(), "--device", "cpu", "--threads", "3", "--runs", "4", "--peer", "onnxruntime"
        };

        Ran equal = with(command, "--peer-jar", FakeOnnxRuntime.write(folder, "0"));
        assertThat(equal.code()).isZero();
        assertThat(equal.err()).isEmpty();
        assertThat(equal.out()).contains("peer: ONNX Runtime 0.fake, 3 threads; ratio: own p10 by the peer's");

        Ran close = with(command, "--peer-jar", FakeOnnxRuntime.write(folder, "1e-5"));
        assertThat(close.code()).isZero();

        Ran different = with(command, "--peer-jar", FakeOnnxRuntime.write(folder, "0.01"));
        assertThat(different.code()).isEqualTo(1);
        assertThat(different.err())
                .singleElement()
                .asString()
                .contains("relu.onnx: the outputs differ", "allowed 1e-03");
        assertThat(different.out()).anyMatch(line -> line.contains("ratio p10"));

        // a peer that differs from itself as much says that the network is as uncertain
        Path jar = FakeOnnxRuntime.write(folder, "0.01", "0.02");
        JsonNode model = json(
                        relu(),
                        "--device",
                        "cpu",
                        "--threads",
                        "3",
                        "--runs",
                        "4",
                        "--peer",
                        "onnxruntime",
                        "--peer-jar",
                        jar)
                .get(0);
        assertThat(model.get("largest_difference").asDouble())
                .isCloseTo(model.get("peer_own_difference").asDouble(), Offset.offset(1e-5));
        Ran further = with(command, "--peer-jar", FakeOnnxRuntime.write(folder, "0.5", "0.49"));
        assertThat(further.code()).isEqualTo(1);
        assertThat(further.err()).singleElement().asString().contains("from itself without optimisations");
        assertThat(Integer.getInteger("fake.open")).isZero();
    }

    @Test
    void aModelThatThePeerRefusesIsOneLine() throws IOException {
        Path refused = TinyOnnx.write(folder.resolve("refused.onnx"), "Relu");
        Object[] command = {
            "bench", refused, "--device", "cpu", "--threads", "3", "--runs", "4", "--peer", "onnxruntime"
        };

        Ran ran = with(command, "--peer-jar", FakeOnnxRuntime.write(folder, "0"));
        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.err()).singleElement().asString().contains("will not load", "refused.onnx");
        assertThat(Integer.getInteger("fake.open")).isZero();
    }

    private static Ran with(Object[] command, Object... more) {
        return clinfer(
                Stream.concat(Arrays.stream(command), Arrays.stream(more)).toArray());
    }

    /** With the library itself, where it is in the local repository. */
    @Test
    void comparesWithOnnxRuntime() throws IOException {
        Path jar = onnxRuntime();
        JsonNode model = json(relu(), "--device", "cpu", "--runs", "20", "--peer", "onnxruntime", "--peer-jar", jar)
                .get(0);

        assertThat(model.get("peer").asString()).isEqualTo("ONNX Runtime");
        assertThat(jar.getFileName().toString())
                .contains(model.get("peer_version").asString());
        assertThat(model.get("largest_difference").asDouble()).isZero();
        assertThat(model.get("peer_median_ms").asDouble())
                .isBetween(
                        model.get("peer_p10_ms").asDouble(),
                        model.get("peer_p90_ms").asDouble());
        assertThat(model.get("peer_first_result_ms").asDouble()).isPositive();
        assertThat(model.get("ratio_p10").asDouble())
                .isEqualTo(model.get("p10_ms").asDouble()
                        / model.get("peer_p10_ms").asDouble());
        assertThat(clinfer("bench", relu(), "--device", "cpu", "--runs", "2", "--peer", "onnxruntime")
                        .out())
                .anyMatch(line -> line.contains("ratio p10"))
                .anyMatch(line -> line.startsWith("peer: ONNX Runtime "));
    }

    private static Path onnxRuntime() {
        try {
            return PeerJar.find(Optional.empty());
        } catch (PeerException missing) {
            assumeTrue(false, missing.getMessage());
            throw missing;
        }
    }
}
