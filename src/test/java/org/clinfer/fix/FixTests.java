package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** Networks that devices refuse, and what is made of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FixTests {

    final NetworkChecker checker = NetworkChecker.builtIn();
    final Engine cpu = engine();

    private static Engine engine() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @AfterAll
    void close() {
        cpu.close();
    }

    static DeviceProfile profile(String name) {
        return ProfileCatalog.builtIn().find(name);
    }

    static Tensor random(long seed, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() - 0.5);
        }
        return tensor;
    }

    static Graph graph(BiFunction<Ops, Edge, Edge> body, long... x) {
        Ops ops = Ops.graph("net");
        return ops.output("y", body.apply(ops, ops.input("x", TensorType.of(DType.FLOAT32, x))))
                .build();
    }

    NetworkFix fix(Graph graph, String profile) {
        return new Fixer(checker, cpu).fix(graph, Map.of(), profile(profile), Reading.DOCUMENT);
    }

    CheckReport check(Graph graph, String profile) {
        return checker.check(graph, Map.of(), profile(profile), Reading.DOCUMENT);
    }

    /** The steps that took a network from a no to a yes. */
    List<List<String>> steps(Graph graph, String profile) {
        assertThat(check(graph, profile).nodes()).anyMatch(node -> node.verdict() != Verdict.ON_DEVICE);
        try (NetworkFix fix = fix(graph, profile)) {
            assertThat(check(fix.network(), profile).nodes()).allMatch(node -> node.verdict() == Verdict.ON_DEVICE);
            assertThat(fix.difference()).isPresent();
            assertThat(fix.difference().orElseThrow().fault()).isEmpty();
            assertThat(fix.network().inputs()).isEqualTo(graph.inputs());
            assertThat(fix.network().outputs()).isEqualTo(graph.outputs());
            return fix.applied().stream().map(NetworkFix.Applied::steps).toList();
        }
    }

    static Edge conv(Ops ops, Edge x, long outs, long kernel, long stride, long dilation, long pad) {
        long ins = x.type().orElseThrow().shape().size(1);
        return ops.conv2d(x, ops.constant("w" + ins, random(1, outs, ins, kernel, kernel)))
                .strides(stride, stride)
                .dilation(dilation, dilation)
                .padding(pad, pad, pad, pad)
                .y();
    }
}
