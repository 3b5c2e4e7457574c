package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.MatrixUnits;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Ops;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Which devices have matrix units that programs may use, and what happens where a compiler refuses them. */
@RequiresOpenCl
class MatrixUnitsTest {

    private static final Logger TRIALS = (Logger) LoggerFactory.getLogger("org.clinfer.run.MatrixUnitTrial");

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void listen() {
        log.start();
        TRIALS.setLevel(Level.INFO);
        TRIALS.addAppender(log);
    }

    @AfterEach
    void release() {
        TRIALS.detachAppender(log);
        TRIALS.setLevel(null);
        counting.assertAllReleased();
    }

    private static Tensor whole(int seed, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT16, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, (double) ((i * seed + i / 7) % 9 - 4));
        }
        return tensor;
    }

    private static Graph network() {
        Ops ops = Ops.graph("net");
        return ops.output(
                        "y",
                        ops.matMul(
                                ops.input("a", TensorType.of(DType.FLOAT16, 24, 40)),
                                ops.input("b", TensorType.of(DType.FLOAT16, 40, 32))))
                .build();
    }

    /** What an engine found of the device, and the variant that its product, which is right, ran with. */
    private record Outcome(MatrixUnits units, String variant) {}

    private Outcome run(UnaryOperator<ClApi> device) {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withCache(CacheFolder.at(folder));
        Tensor a = whole(5, 24, 40);
        Tensor b = whole(3, 40, 32);
        try (Engine engine = Engine.open(options, () -> OpenCl.over(device.apply(counting.api())));
                Model model = engine.load(network());
                Session session = model.session();
                Result result = session.run(Map.of("a", a, "b", b))) {
            Tensor y = result.get("y");
            for (int row = 0; row < 24; row++) {
                for (int column = 0; column < 32; column++) {
                    double sum = 0;
                    for (int term = 0; term < 40; term++) {
                        sum += a.getDouble(row * 40L + term) * b.getDouble(term * 32L + column);
                    }
                    assertThat(y.getDouble(row * 32L + column)).isEqualTo(sum);
                }
            }
            DeviceFacts facts = engine.device().orElseThrow();
            return new Outcome(
                    facts.matrixUnits(), session.placement().nodes().get(0).variant());
        }
    }

    private List<String> messages() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void programsUseThemWhereTheTrialBuilds() {
        assertThat(run(DeviceAnswers::emulatedUnits)).isEqualTo(new Outcome(MatrixUnits.EMULATED, "units"));
        assertThat(messages()).isEmpty();
    }

    @Test
    void programOfTheTrialRunsWhereItsBuildSaysTooLittle() {
        assertThat(run(DeviceAnswers::emulatedWgmma)).isEqualTo(new Outcome(MatrixUnits.EMULATED_WGMMA, "units"));
        assertThat(messages()).isEmpty();
    }

    @Test
    void wrongSumsOfTheTrialChangeNothingElse() {
        assertThat(run(api -> DeviceAnswers.firstReadIsWrong(DeviceAnswers.emulatedWgmma(api))))
                .isEqualTo(new Outcome(MatrixUnits.NONE, "groups"));
        assertThat(messages()).singleElement().asString().contains("are not used");
    }

    @Test
    void trialIsMadeOncePerDriver() {
        run(DeviceAnswers::emulatedUnits);
        int first = counting.calls("clBuildProgram");
        assertThat(run(DeviceAnswers::emulatedUnits).units()).isEqualTo(MatrixUnits.EMULATED);

        // the program of the product is built again, the trial is not
        assertThat(counting.calls("clBuildProgram") - first).isEqualTo(first - 1);
    }

    @Test
    void refusedInstructionsChangeNothingElse() {
        counting.fail("clBuildProgram", 1, ClStatus.CL_BUILD_PROGRAM_FAILURE);
        assertThat(run(api -> DeviceAnswers.nvidia(8, api))).isEqualTo(new Outcome(MatrixUnits.NONE, "groups"));
        assertThat(messages()).singleElement().asString().contains("does not compile their instructions");

        // and nobody asks this driver again
        assertThat(run(api -> DeviceAnswers.nvidia(8, api)).units()).isEqualTo(MatrixUnits.NONE);
        assertThat(messages()).hasSize(1);
    }

    @Test
    void secondWayIsTriedWhereTheFirstIsRefused() {
        counting.fail("clBuildProgram", 1, ClStatus.CL_BUILD_PROGRAM_FAILURE);
        int before = counting.calls("clBuildProgram");
        assertThat(run(DeviceAnswers::intel).units()).isEqualTo(MatrixUnits.NONE);

        // the instructions of sub-groups of 16, of 8, which this driver really lacks (with PoCL's header and without),
        // and
        // the program of the product
        assertThat(counting.calls("clBuildProgram") - before).isBetween(3, 4);
        assertThat(messages()).hasSize(1);
    }

    @Test
    void olderInstructionsAreTriedWhereNewerOnesAreRefused() {
        counting.failFrom("clBuildProgram", 1, ClStatus.CL_BUILD_PROGRAM_FAILURE);
        AtomicInteger trials = new AtomicInteger();
        try (Engine engine = Engine.open(
                EngineOptions.defaults()
                        .withDevice(new DeviceChoice.FirstOpenCl())
                        .withCache(CacheFolder.at(folder)),
                () -> OpenCl.over(DeviceAnswers.nvidia(9, counting.api())))) {
            trials.set(counting.calls("clBuildProgram"));
            assertThat(engine.device().orElseThrow().matrixUnits()).isEqualTo(MatrixUnits.NONE);
        }
        assertThat(trials).hasValue(2);
    }

    @Test
    void failureOfTheDeviceIsNoRefusal() {
        counting.fail("clCreateProgramWithSource", 1, ClStatus.CL_OUT_OF_HOST_MEMORY);
        assertThat(run(DeviceAnswers::emulatedUnits)).isEqualTo(new Outcome(MatrixUnits.NONE, "groups"));
        assertThat(run(DeviceAnswers::emulatedUnits)).isEqualTo(new Outcome(MatrixUnits.EMULATED, "units"));
    }

    @Test
    void olderDevicesAreNotTried() {
        assertThat(run(api -> DeviceAnswers.nvidia(7, api))).isEqualTo(new Outcome(MatrixUnits.NONE, "groups"));
        assertThat(run(DeviceAnswers::withoutCapability)).isEqualTo(new Outcome(MatrixUnits.NONE, "groups"));
        assertThat(messages()).isEmpty();
    }
}
