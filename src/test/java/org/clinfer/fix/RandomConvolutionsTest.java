package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
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
import org.junit.jupiter.api.Test;

/**
 * Convolutions drawn at random against devices of five families. {@code -Dnetworks=N} draws more, {@code -Dseed=N} others.
 */
class RandomConvolutionsTest {

    static final List<String> PROFILES = List.of("dla-orin", "dpuczdx8g-b4096", "max78000", "rdk-x3", "ethos-u55-256");

    private static Tensor random(Random random, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() - 0.5);
        }
        return tensor;
    }

    private static long from(Random random, long... values) {
        return values[random.nextInt(values.length)];
    }

    static Graph convolution(Random random) {
        long group = from(random, 1, 1, 1, 2, 4);
        long ins = group * from(random, 1, 3, 8);
        long outs = group * from(random, 1, 2, 5);
        long[] kernel = {from(random, 1, 2, 3, 5, 7), from(random, 1, 3, 4, 9)};
        long[] strides = {from(random, 1, 1, 2, 4), from(random, 1, 2, 3)};
        long[] dilation = {from(random, 1, 1, 2, 3), from(random, 1, 1, 2)};
        long[] pads = LongStream.range(0, 4).map(i -> from(random, 0, 1, 2, 4)).toArray();
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, from(random, 1, 1, 2), ins, 25, 29));
        Edge y = ops.conv2d(x, ops.constant("w", random(random, outs, ins / group, kernel[0], kernel[1])))
                .bias(ops.constant("b", random(random, outs)))
                .group(group)
                .strides(strides)
                .dilation(dilation)
                .padding(pads)
                .y();
        return ops.output("y", random.nextBoolean() ? ops.relu(y) : y).build();
    }

    @Test
    void whatIsChangedIsEqualAndOnTheDevice() {
        NetworkChecker checker = NetworkChecker.builtIn();
        Random random = new Random(Integer.getInteger("seed", 1));
        int changed = 0;
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            Fixer fixer = new Fixer(checker, cpu);
            for (int i = 0; i < Integer.getInteger("networks", 15); i++) {
                Graph graph = convolution(random);
                DeviceProfile profile = ProfileCatalog.builtIn().find(PROFILES.get(i % PROFILES.size()));
                try (NetworkFix fix = fixer.fix(graph, Map.of(), profile, Reading.DOCUMENT)) {
                    CheckReport after = checker.check(fix.network(), Map.of(), profile, Reading.DOCUMENT);
                    boolean isNew = !fix.applied().isEmpty();
                    changed += isNew ? 1 : 0;
                    assertThat(after.nodes())
                            .as("%s on %s: %s", graph.nodes(), profile.name(), fix.applied())
                            .allMatch(node -> !isNew || node.verdict() == Verdict.ON_DEVICE);
                    fix.difference()
                            .ifPresent(difference -> assertThat(difference.fault())
                                    .as("%s on %s: %s", graph.nodes(), profile.name(), fix.applied())
                                    .isEmpty());
                    assertThat(fix.dropped()).as("%s", graph.nodes()).isEmpty();
                }
            }
        }
        assertThat(changed).isPositive();
    }
}
