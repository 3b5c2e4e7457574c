package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every OpenCL call fails once in the life of an operator with static_run, run and post_run: nothing is left over. */
@RequiresOpenCl
class UserOperatorFaultTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void describe() throws IOException {
        UserOperatorTest.describe(folder);
    }

    static Stream<String> calls() {
        return Arrays.stream(ClApi.class.getMethods())
                .map(method -> method.getName())
                .distinct()
                .sorted();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void everyCallFailsOnce(String call) {
        CountingClApi sound = CountingClApi.over(ClBinding.LWJGL);
        runTwice(sound);
        sound.assertAllReleased();
        for (int nth = 1; nth <= sound.calls(call); nth++) {
            CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
            counting.fail(call, nth, ClStatus.CL_OUT_OF_RESOURCES);
            runTwice(counting);
            counting.assertAllReleased();
        }
    }

    /** The word that there is no device, an OpenCL exception, or a device; once it is open, right results. */
    private void runTwice(CountingClApi counting) {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withOperators(List.of(folder));
        Engine opened;
        try {
            opened = Engine.open(options, () -> OpenCl.over(counting.api()));
        } catch (DeviceUnavailableException e) {
            assertThat(e).hasMessageContaining("OpenCL");
            return;
        } catch (ClException e) {
            assertThat(e.status()).isEqualTo(ClStatus.CL_OUT_OF_RESOURCES);
            return;
        }
        try (Engine engine = opened;
                Model model = engine.load(UserOperatorTest.scaledSum(DType.FLOAT32, "TWICE"));
                Session session = model.session()) {
            Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
            for (int run = 0; run < 2; run++) {
                UserOperatorTest.check(session, x, 21, 42, 63, 24, 45, 66);
            }
        }
    }
}
