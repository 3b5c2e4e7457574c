package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.NoSuchDeviceException;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Choosing a device, and doing without one. */
class EngineTest {

    private static final EngineOptions OPTIONS = EngineOptions.defaults().withThreads(1);

    private static void runs(Engine engine, Placement.Target target) {
        Tensor x = TestGraphs.numbers(1, 3, 5);
        try (Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session();
                Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
            assertThat(session.placement().count(target)).isEqualTo(3);
        }
    }

    @Test
    void readsDeviceChoices() {
        assertThat(DeviceChoice.parse("auto")).isEqualTo(new DeviceChoice.Auto());
        assertThat(DeviceChoice.parse("cpu")).isEqualTo(new DeviceChoice.Cpu());
        assertThat(DeviceChoice.parse("opencl")).isEqualTo(new DeviceChoice.FirstOpenCl());
        assertThat(DeviceChoice.parse("12")).isEqualTo(new DeviceChoice.Index(12));
        assertThat(DeviceChoice.parse("0,12")).isEqualTo(new DeviceChoice.Several(List.of(0, 12)));
        assertThat(DeviceChoice.parse("all")).isEqualTo(new DeviceChoice.All());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gpu", "CPU", "-1", "1.0", "12345", "99999999999", "0,", ",1", "0,cpu", "0, 1"})
    void refusesOtherDeviceChoices(String text) {
        assertThatThrownBy(() -> DeviceChoice.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device '" + text + "' is none of auto, cpu, opencl, all or device numbers, as 0 or 0,1");
    }

    @Test
    void refusesImpossibleOptions() {
        assertThatThrownBy(() -> OPTIONS.withThreads(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threads must be at least 1 and at most 32767, but is 0");
        assertThatThrownBy(() -> EngineOptions.defaults().withThreads(32768))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threads must be at least 1 and at most 32767, but is 32768");
        assertThatThrownBy(() -> new DeviceChoice.Index(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a device number must be >= 0, but is -1");
        assertThatThrownBy(() -> OPTIONS.withExact(true).withPrecision(Precision.TF32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("exact sums are computed in float32, but the precision is to be tf32");
        assertThatThrownBy(() -> Precision.parse("float8"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("precision 'float8' is none of float32, tf32, float16");
    }

    @Test
    void optionsWithoutAProfileKeepTheRest() {
        EngineOptions options = OPTIONS.withBinding(ClBinding.JOCL)
                .withCache(CacheFolder.off())
                .withFusion(false)
                .withChain(false)
                .withExact(true)
                .withByCost(false);
        DeviceProfile profile = ProfileCatalog.builtIn().find("ascend310");
        EngineOptions lower = options.withExact(false).withPrecision(Precision.TF32);
        assertThat(lower.withProfile(profile, Reading.DOCUMENT).withoutProfile())
                .isEqualTo(lower);
        assertThat(options.withProfile(profile, Reading.DOCUMENT).withoutProfile())
                .isEqualTo(options);
    }

    @Test
    void doesNotLookForOpenClWhenTheCpuIsAskedFor() {
        EngineOptions options = OPTIONS.withDevice(new DeviceChoice.Cpu());
        try (Engine engine = Engine.open(options, () -> {
            throw new AssertionError("OpenCL was looked for");
        })) {
            assertThat(engine.device()).isEmpty();
            assertThat(engine.deviceNote()).isEqualTo("everything runs on the CPU, as asked");
            runs(engine, Placement.Target.CPU);
        }
    }

    @Test
    void runsOnTheCpuAndSaysWhyWhereOpenClIsMissing() {
        ClLoad missing = new ClLoad.Missing("the toaster is unplugged");
        try (Engine engine = Engine.open(OPTIONS, () -> missing)) {
            assertThat(engine.device()).isEmpty();
            assertThat(engine.deviceNote())
                    .isEqualTo("no OpenCL device (the toaster is unplugged); everything runs on the CPU");
            runs(engine, Placement.Target.CPU);
        }
        for (DeviceChoice choice : new DeviceChoice[] {new DeviceChoice.FirstOpenCl(), new DeviceChoice.Index(0)}) {
            assertThatThrownBy(() -> Engine.open(OPTIONS.withDevice(choice), () -> missing))
                    .isInstanceOf(DeviceUnavailableException.class)
                    .hasMessage("no OpenCL device: the toaster is unplugged");
        }
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void takesADevice(ClBinding binding) {
        for (String choice : new String[] {"auto", "opencl", "0"}) {
            EngineOptions options = OPTIONS.withDevice(DeviceChoice.parse(choice))
                    .withBinding(binding)
                    .withByCost(false);
            try (Engine engine = Engine.open(options)) {
                assertThat(engine.device()).isPresent();
                assertThat(engine.deviceNote())
                        .isNotEmpty()
                        .isEqualTo(engine.device().orElseThrow().name());
                runs(engine, Placement.Target.DEVICE);
            }
        }
    }

    @Test
    @RequiresOpenCl
    void saysHowManyDevicesThereAre() {
        assertThatThrownBy(() -> Engine.open(OPTIONS.withDevice(new DeviceChoice.Index(99))))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageMatching("there is no OpenCL device 99; there (is 1|are \\d+), counted from 0");
    }
}
