package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many operators in one launch give what they give one by one, bit for bit, whatever runs beside and whatever fails. */
@RequiresOpenCl
class ChainTest {

    /** Elements of a value; {@code -Dlargest.case} bounds them, for simulators. */
    private static final int[] LENGTHS = IntStream.of(1, 6, 97, 210, 1000, 5040)
            .filter(length -> length <= Integer.getInteger("largest.case", 5040))
            .toArray();

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);

    @TempDir
    private Path folder;

    @BeforeEach
    void describe() throws IOException {
        ChainOperators.describe(folder);
    }

    @AfterEach
    void everythingIsReleased() {
        counting.assertAllReleased();
    }

    private Engine open(ClApi api, int units, boolean chain) {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withOperators(List.of(folder))
                .withFusion(false)
                .withChain(chain);
        Engine engine = Engine.open(options, () -> OpenCl.over(DeviceAnswers.processor(units, api)));
        assertThat(engine.deviceNote()).contains(System.getProperty("require.device", ""));
        return engine;
    }

    private static List<byte[]> outputs(Session session, Tensor x) {
        try (Result result = session.run(Map.of("x", x))) {
            List<byte[]> outputs = new ArrayList<>();
            for (Tensor tensor : result.outputs().values()) {
                byte[] bytes = new byte[tensor.bytes().remaining()];
                tensor.bytes().get(bytes);
                outputs.add(bytes);
            }
            return outputs;
        }
    }

    private static void assertSame(List<byte[]> actual, List<byte[]> expected, String what) {
        assertThat(actual).as(what).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i)).as("%s, output %d", what, i).isEqualTo(expected.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 1024})
    void randomChainsGiveWhatTheirOperatorsGiveOneByOne(int units) {
        LaunchLog log = new LaunchLog(counting.api());
        try (Engine chained = open(log.api(), units, true);
                Engine single = open(counting.api(), units, false)) {
            for (int length : LENGTHS) {
                for (int nodes : new int[] {2, 5, 30}) {
                    long seed = 1000L * units + length + nodes;
                    Graph graph = ChainOperators.random(folder, seed, nodes, length);
                    try (Model one = chained.load(graph);
                            Model other = single.load(graph);
                            Session inChain = one.session();
                            Session oneByOne = other.session()) {
                        for (int run = 0; run < 3; run++) {
                            Tensor x = ChainOperators.numbers(seed + run, length);
                            assertSame(
                                    outputs(inChain, x),
                                    outputs(oneByOne, x),
                                    units + " workers, " + nodes + " nodes of " + length + ", run " + run);
                            List<String> launched = new ArrayList<>(log.take());
                            launched.removeIf("pack"::equals);
                            assertThat(launched).containsExactly("clinfer_chain");
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7})
    void manyRunsGiveTheSame(int units) {
        Graph graph = ChainOperators.random(folder, 5, 12, 1000);
        try (Engine chained = open(counting.api(), units, true);
                Engine single = open(counting.api(), units, false);
                Model one = chained.load(graph);
                Model other = single.load(graph);
                Session inChain = one.session();
                Session oneByOne = other.session()) {
            Tensor first = ChainOperators.numbers(1, 1000);
            Tensor second = ChainOperators.numbers(2, 1000);
            List<byte[]> ofFirst = outputs(oneByOne, first);
            List<byte[]> ofSecond = outputs(oneByOne, second);
            for (int run = 0; run < 100; run++) {
                assertSame(outputs(inChain, first), ofFirst, "run " + 2 * run);
                assertSame(outputs(inChain, second), ofSecond, "run " + (2 * run + 1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void sessionsRunBesideEachOther(int units) {
        Graph graph = ChainOperators.random(folder, 9, 20, 5040);
        Tensor x = ChainOperators.numbers(3, 5040);
        try (Engine chained = open(counting.api(), units, true);
                Engine single = open(counting.api(), units, false);
                Model one = chained.load(graph);
                Model other = single.load(graph);
                Session oneByOne = other.session();
                Session first = one.session();
                Session second = one.session()) {
            List<byte[]> expected = outputs(oneByOne, x);
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (Session session : List.of(first, second)) {
                threads.add(CompletableFuture.runAsync(() -> {
                    for (int run = 0; run < 100; run++) {
                        assertSame(outputs(session, x), expected, "run " + run);
                    }
                }));
            }
            threads.forEach(CompletableFuture::join);
        }
    }

    @Test
    void operatorsThatCannotRunInOneLaunchSeparateChains() {
        Ops ops = Ops.graph("net", List.of(folder));
        Edge value = ops.input("x", TensorType.of(DType.INT32, 210));
        for (String op : List.of("Cells", "Cells", "Abs", "Cells", "Neg", "Cells")) {
            value = ops.op(op, value).y();
        }
        value = ops.reshape(value, -1).y();
        value = ops.op("Cells", ops.op("Cells", value).y()).y();
        Graph graph = ops.output("y", value).build();
        Tensor x = ChainOperators.numbers(4, 210);
        LaunchLog log = new LaunchLog(counting.api());
        try (Engine chained = open(log.api(), 2, true);
                Engine single = open(counting.api(), 2, false);
                Model one = chained.load(graph);
                Model other = single.load(graph);
                Session inChain = one.session();
                Session oneByOne = other.session()) {
            assertSame(outputs(inChain, x), outputs(oneByOne, x), "three chains");
            assertThat(log.take()).containsExactly("clinfer_chain", "unary", "cells", "unary", "clinfer_chain");
            assertThat(inChain.placement().nodes())
                    .isEqualTo(oneByOne.placement().nodes());
        }
    }

    @Test
    void everyOperatorIsTimedByItself() {
        Graph graph = ChainOperators.random(folder, 6, 8, 97);
        Tensor x = ChainOperators.numbers(5, 97);
        LaunchLog log = new LaunchLog(counting.api());
        try (Engine chained = open(log.api(), 2, true);
                Engine single = open(counting.api(), 2, false);
                Model one = chained.load(graph);
                Model other = single.load(graph);
                Session inChain = one.session();
                Session oneByOne = other.session()) {
            List<byte[]> before = outputs(inChain, x);
            log.take();
            assertThat(inChain.profile(Map.of("x", x)).entries())
                    .extracting(RunProfile.Entry::node)
                    .containsExactlyElementsOf(oneByOne.profile(Map.of("x", x)).entries().stream()
                            .map(RunProfile.Entry::node)
                            .toList());
            assertThat(log.take())
                    .as("a run as usual, and one by one")
                    .containsOnlyOnce("clinfer_chain")
                    .hasSizeGreaterThan(2);
            assertSame(outputs(inChain, x), before, "after the profile");
            assertThat(log.take()).containsExactly("clinfer_chain");
        }
    }

    @Test
    void builtInOperatorsGiveTheSameInAChain() {
        Ops ops = Ops.graph("net");
        Edge a = ops.matMul(
                ops.input("x", TensorType.of(DType.FLOAT32, 2, 13, 7, 37)),
                ops.constant("square", TestGraphs.numbers(1, 37, 37)));
        Edge b = ops.softmax(a).axis(3).y();
        Edge c = ops.matMul(b, ops.constant("long", TestGraphs.numbers(2, 13, 37, 51)));
        Edge d = ops.logSoftmax(ops.softmax(c).axis(1).y()).axis(2).y();
        Graph graph = ops.output("y", ops.logSoftmax(d).axis(3).y()).build();
        Tensor x = TestGraphs.numbers(8, 2, 13, 7, 37);
        LaunchLog log = new LaunchLog(counting.api());
        try (Engine chained = open(log.api(), 3, true);
                Engine single = open(counting.api(), 3, false);
                Model one = chained.load(graph);
                Model other = single.load(graph);
                Session inChain = one.session();
                Session oneByOne = other.session()) {
            assertSame(outputs(inChain, x), outputs(oneByOne, x), "products and distributions");
            assertThat(log.take())
                    .as("constants are packed before")
                    .containsOnlyOnce("clinfer_chain")
                    .endsWith("clinfer_chain");
            assertSame(outputs(inChain, x), outputs(oneByOne, x), "a second run");
            assertThat(log.take()).containsExactly("clinfer_chain");
        }
    }

    @Test
    void anotherDeviceThanAProcessorLaunchesOneByOne() {
        LaunchLog log = new LaunchLog(counting.api());
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withOperators(List.of(folder));
        try (Engine engine =
                        Engine.open(options, () -> OpenCl.over(DeviceAnswers.kind(DeviceFacts.Kind.GPU, log.api())));
                Model model = engine.load(ChainOperators.random(folder, 2, 4, 97));
                Session session = model.session()) {
            outputs(session, ChainOperators.numbers(1, 97));
            assertThat(log.take()).doesNotContain("clinfer_chain");
        }
    }

    /** What becomes of a call's result. */
    private interface Then {
        Object result(String call, Object[] arguments, Object result);
    }

    private static ClApi intercepting(ClApi real, Then then) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    try {
                        return then.result(method.getName(), arguments, method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aProgramThatDoesNotBuildLeavesTheOperatorsOneByOne() {
        Graph graph = ChainOperators.random(folder, 12, 6, 210);
        Tensor x = ChainOperators.numbers(6, 210);
        LaunchLog log = new LaunchLog(counting.api());
        List<String> sources = Collections.synchronizedList(new ArrayList<>());
        Set<Object> chains = ConcurrentHashMap.newKeySet();
        ClApi api = intercepting(log.api(), (call, arguments, result) -> {
            if (call.equals("clCreateProgramWithSource")) {
                String source = (String) arguments[1];
                sources.add(source);
                if (source.contains("clinfer_chain")) {
                    chains.add(result);
                } else {
                    chains.remove(result); // a driver gives the handle of a released program again
                }
            }
            boolean isChain = call.equals("clBuildProgram") && chains.contains(arguments[0]);
            return isChain ? ClStatus.CL_BUILD_PROGRAM_FAILURE.code() : result;
        });
        try (Engine failing = open(api, 2, true);
                Engine single = open(counting.api(), 2, false);
                Model one = failing.load(graph);
                Model other = single.load(graph);
                Session inChain = one.session();
                Session second = one.session();
                Session oneByOne = other.session()) {
            List<byte[]> expected = outputs(oneByOne, x);
            assertSame(outputs(inChain, x), expected, "not chained");
            assertSame(outputs(second, x), expected, "not chained either");
            assertThat(log.take()).doesNotContain("clinfer_chain");
            assertThat(sources.stream().filter(text -> text.contains("clinfer_chain")))
                    .as("attempts to build the chain")
                    .hasSize(1);
            assertThat(inChain.placement().nodes())
                    .isEqualTo(oneByOne.placement().nodes());
        }
    }

    /** A device in the host's memory has its values without transfers. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyCallFailsOnce(boolean sharesHost) {
        Graph graph = ChainOperators.random(folder, 14, 5, 97);
        Tensor x = ChainOperators.numbers(8, 97);
        CountingClApi sound = CountingClApi.over(ClBinding.LWJGL);
        List<byte[]> expected = new ArrayList<>();
        twoRuns(sound, sharesHost, graph, x, expected);
        List<String> calls = new ArrayList<>(List.of(
                "clCreateBuffer",
                "clCreateSubBuffer",
                "clBuildProgram",
                "clCreateKernel",
                "clGetKernelInfo",
                "clSetKernelArgBuffer",
                "clSetKernelArgLocal",
                "clSetKernelArgInt",
                "clCreateCommandQueue",
                "clEnqueueFillBuffer",
                "clEnqueueNDRangeKernel",
                "clFinish"));
        if (!sharesHost) {
            calls.addAll(List.of("clEnqueueReadBuffer", "clEnqueueWriteBuffer"));
        }
        for (String call : calls) {
            assertThat(sound.calls(call)).as(call).isPositive();
            for (int nth = 1; nth <= sound.calls(call); nth++) {
                CountingClApi failing = CountingClApi.over(ClBinding.LWJGL);
                failing.fail(call, nth, ClStatus.CL_OUT_OF_RESOURCES);
                twoRuns(failing, sharesHost, graph, x, expected);
                failing.assertAllReleased();
            }
        }
        sound.assertAllReleased();
    }

    private void twoRuns(CountingClApi api, boolean sharesHost, Graph graph, Tensor x, List<byte[]> expected) {
        ClApi device = sharesHost ? api.api() : DeviceAnswers.separateMemory(api.api());
        try (Engine engine = open(device, 2, true);
                Model model = engine.load(graph);
                Session session = model.session()) {
            for (int run = 0; run < 2; run++) {
                try {
                    List<byte[]> actual = outputs(session, x);
                    if (expected.isEmpty()) {
                        expected.addAll(actual);
                    }
                    assertSame(actual, expected, "run " + run);
                } catch (ClException e) {
                    assertThat(e).hasMessageContaining("CL_OUT_OF_RESOURCES");
                }
            }
        }
    }

    @Test
    void aChainNeedsNoMoreMemoryThanItsTableAndCounters() {
        Graph graph = ChainOperators.random(folder, 15, 30, 5040);
        long[] bytes = new long[2];
        for (int chain = 0; chain < 2; chain++) {
            int at = chain;
            ClApi api = intercepting(counting.api(), (call, arguments, result) -> {
                bytes[at] += call.equals("clCreateBuffer") ? (Long) arguments[2] : 0;
                return result;
            });
            try (Engine engine = open(api, 2, chain == 1);
                    Model model = engine.load(graph);
                    Session session = model.session();
                    Session second = model.session()) {
                outputs(session, ChainOperators.numbers(9, 5040));
                outputs(second, ChainOperators.numbers(9, 5040));
            }
        }
        // tables, counters and the alignment of small constants
        assertThat(bytes[1] - bytes[0]).isLessThan(64 * 1024);
    }
}
