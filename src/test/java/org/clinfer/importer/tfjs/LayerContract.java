package org.clinfer.importer.tfjs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Placement;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Layers compute what Keras says, on a device or on the CPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LayerContract {

    private static final double TOLERANCE = 2e-5;

    @TempDir
    Path folder;

    private final Engine engine;
    private final boolean onDevice;

    LayerContract(DeviceChoice device) {
        this.engine = Engine.open(EngineOptions.defaults().withDevice(device));
        this.onDevice = !(device instanceof DeviceChoice.Cpu);
    }

    @BeforeAll
    void open() {
        assertThat(engine.device().isPresent()).isEqualTo(onDevice);
    }

    @AfterAll
    void close() {
        engine.close();
    }

    static Volume random(int... dims) {
        Random random = new Random(Arrays.hashCode(dims));
        return Volume.of(dims, at -> (float) random.nextGaussian());
    }

    Volume run(TfjsModel model, Map<String, Volume> inputs) throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        inputs.forEach((name, volume) -> tensors.put(name, volume.tensor()));
        try (Model loaded = engine.load(model.write(folder));
                Session session = loaded.session();
                Result result = session.run(tensors)) {
            if (onDevice) {
                assertThat(session.placement().nodes())
                        .filteredOn(node -> node.target() == Placement.Target.CPU)
                        .isEmpty();
            }
            return Volume.of(result.outputs().values().iterator().next());
        }
    }

    static void assertSame(Volume found, Volume expected) {
        assertThat(found.dims()).isEqualTo(expected.dims());
        double largest = Arrays.stream(expected.values()).map(Math::abs).max().orElse(1);
        for (int i = 0; i < expected.values().length; i++) {
            assertThat(found.values()[i])
                    .as("element " + i)
                    .isCloseTo(expected.values()[i], within(TOLERANCE * Math.max(largest, 1)));
        }
    }

    void check(TfjsModel model, Volume x, Volume expected) throws IOException {
        assertSame(run(model, Map.of("x", x)), expected);
    }

    static TfjsModel taking(Volume x) {
        long[] sizes = Arrays.stream(x.dims()).asLongStream().toArray();
        sizes[0] = -1;
        return new TfjsModel().input("x", sizes);
    }

    static int[] ints(String list) {
        return Arrays.stream(list.split("[x,]", -1)).mapToInt(Integer::parseInt).toArray();
    }

    static Volume weight(TfjsModel model, String name) {
        return Volume.of(model.weight(name));
    }
}
