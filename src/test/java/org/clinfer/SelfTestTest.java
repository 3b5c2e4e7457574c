package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Drivers that compute some kernels wrong, and say nothing: results are right all the same. */
@RequiresOpenCl
class SelfTestTest {

    private static final Tensor X = TestGraphs.numbers(3, 6, 24);

    private static final int FAILING_CALLS = 3;

    private static Tensor expected = Tensor.scalar(0f);

    @TempDir
    private Path folder = Path.of("");

    private CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
    private LaunchLog log = new LaunchLog(counting.api());

    @BeforeAll
    static void computeOnTheCpu() {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(network());
                Session session = model.session();
                Result result = session.run(Map.of("x", X))) {
            expected = result.get("y").copy();
        }
    }

    @BeforeEach
    void count() {
        counting = CountingClApi.over(ClBinding.LWJGL);
        log = new LaunchLog(counting.api());
    }

    private static Graph network() {
        Ops ops = Ops.graph("net");
        Edge columns = ops.transpose(ops.sigmoid(ops.input("x", TensorType.of(DType.FLOAT32, 6, 24))))
                .perm(1, 0)
                .y();
        return ops.output("y", ops.softmax(columns).axis(1).y()).build();
    }

    private EngineOptions options() {
        return EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withCache(CacheFolder.at(folder))
                .withTrust(false);
    }

    /** Real calls, but of some kernels, told by their entry points, only the first work-item computes. */
    private ClApi wrong(Predicate<String> entries) {
        return changed((method, arguments, entry) -> {
            if (method.equals("clEnqueueNDRangeKernel") && entries.test(entry)) {
                long[] one = new long[((long[]) arguments[2]).length];
                Arrays.fill(one, 1);
                arguments[2] = one;
                arguments[3] = null;
            }
        });
    }

    /** Real calls, but chains end before their first launch. */
    private ClApi idleChains() {
        return changed((method, arguments, entry) -> {
            if (method.equals("clSetKernelArgInt") && entry.equals("clinfer_chain")) {
                arguments[2] = 0;
            }
        });
    }

    /** Changes the arguments of a call that has a kernel. */
    @FunctionalInterface
    private interface Change {
        void of(String method, Object[] arguments, String entry);
    }

    private ClApi changed(Change change) {
        Map<Long, String> names = new ConcurrentHashMap<>();
        ClApi real = log.api();
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    Object[] given = arguments;
                    if (arguments != null && arguments.length > 2) {
                        given = arguments.clone();
                        boolean isLaunch = method.getName().equals("clEnqueueNDRangeKernel");
                        Object kernel = given[isLaunch ? 1 : 0];
                        String entry = kernel instanceof Long handle ? names.getOrDefault(handle, "") : "";
                        change.of(method.getName(), given, entry);
                    }
                    try {
                        Object result = method.invoke(real, given);
                        if (method.getName().equals("clCreateKernel")) {
                            names.put((Long) result, (String) arguments[1]);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Placement run(EngineOptions options, ClApi api) {
        Placement placement;
        try (Engine engine = Engine.open(options, () -> OpenCl.over(api));
                Model model = engine.load(network());
                Session session = model.session();
                Result result = session.run(Map.of("x", X))) {
            assertThat(TensorComparison.difference(expected, result.get("y"), Tolerance.DEFAULT))
                    .isEmpty();
            placement = session.placement();
        }
        counting.assertAllReleased();
        return placement;
    }

    private static Stream<String> onDevice(Placement placement) {
        return placement.nodes().stream()
                .filter(node -> node.target() == Placement.Target.DEVICE)
                .map(Placement.Entry::op);
    }

    private static Stream<String> reasons(Placement placement) {
        return placement.nodes().stream().flatMap(node -> node.reasons().stream());
    }

    @Test
    void aKernelThatIsWrongIsRetired() {
        Placement placement =
                run(options().withChain(false), wrong(entry -> entry.startsWith("unary") || entry.startsWith("limit")));
        assertThat(onDevice(placement)).contains("Softmax", "Transpose").doesNotContain("Sigmoid");
        assertThat(reasons(placement)).anyMatch(reason -> reason.contains("failed its test"));
    }

    @Test
    void whatIsKnownIsNotTestedAgain() {
        ClApi api = wrong(entry -> entry.startsWith("unary"));
        Placement first = run(options().withChain(false), api);
        int launches = log.take().size();
        Placement second = run(options().withChain(false), api);
        assertThat(onDevice(second)).containsExactlyElementsOf(onDevice(first).toList());
        assertThat(log.take().stream().filter(entry -> entry.startsWith("unary")))
                .isEmpty();
        assertThat(launches).isGreaterThan(2);
    }

    @Test
    void soundKernelsAreTestedOnce() {
        run(options().withChain(false), log.api());
        int first = log.take().size();
        run(options().withChain(false), log.api());
        assertThat(log.take()).hasSizeLessThan(first);
        assertThat(folder.resolve("tested")).isNotEmptyDirectory();
    }

    @Test
    void chainsThatAreWrongAreNotUsed() {
        ClApi chaining = DeviceAnswers.kind(DeviceFacts.Kind.CPU, idleChains());
        Placement placement = run(options(), chaining);
        assertThat(onDevice(placement)).contains("Sigmoid", "Softmax", "Transpose");
        assertThat(log.take()).contains("clinfer_chain");
        run(options(), chaining);
        assertThat(log.take()).isNotEmpty().doesNotContain("clinfer_chain");
    }

    @Test
    void aDeviceThatIsWrongInMostIsNotUsed() {
        Placement placement = run(options().withChain(false), wrong(entry -> true));
        assertThat(onDevice(placement)).isEmpty();
        assertThat(reasons(placement)).anyMatch(reason -> reason.contains("failed"));
    }

    @Test
    void withoutACacheTheEngineRemembers() {
        EngineOptions options = options().withCache(CacheFolder.off()).withChain(false);
        run(options, wrong(entry -> entry.startsWith("unary")));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aTrustedDeviceIsNotTested() {
        try (Engine engine = Engine.open(
                        options().withTrust(true).withChain(false),
                        () -> OpenCl.over(wrong(entry -> entry.startsWith("softmax"))));
                Model model = engine.load(network());
                Session session = model.session();
                Result result = session.run(Map.of("x", X))) {
            assertThat(TensorComparison.difference(expected, result.get("y"), Tolerance.DEFAULT))
                    .isPresent();
        }
        assertThat(folder.resolve("tested")).doesNotExist();
    }

    @Test
    void aDamagedFileIsNoProof() throws Exception {
        run(options().withChain(false), log.api());
        log.take();
        try (Stream<Path> files = Files.list(folder.resolve("tested"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".json")).toList()) {
                Files.writeString(file, "{");
            }
        }
        Placement placement = run(options().withChain(false), wrong(entry -> entry.startsWith("unary")));
        assertThat(onDevice(placement)).doesNotContain("Sigmoid");
    }

    static Stream<String> calls() {
        return SessionFaultTest.calls();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aCallThatFailsInATestChangesNoResult(String call) {
        CountingClApi sound = CountingClApi.over(ClBinding.LWJGL);
        EngineOptions options = options().withCache(CacheFolder.off());
        Engine.open(options, () -> OpenCl.over(sound.api())).close();
        int opening = sound.calls(call);
        for (int nth = 1; nth <= FAILING_CALLS; nth++) {
            counting = CountingClApi.over(ClBinding.LWJGL);
            counting.fail(call, opening + nth, ClStatus.CL_OUT_OF_RESOURCES);
            run(options, counting.api());
        }
    }
}
