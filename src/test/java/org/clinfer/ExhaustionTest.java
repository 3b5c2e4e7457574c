package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Java's memory ends at one OpenCL call after the other, of opening, a first and a later run, profiling and closing:
 * nothing is left over, the error reaches the caller as itself, and the next run in the same session is right.
 * {@code -Dexhaustion.every=1} takes every call, {@code -Dexhaustion.first=N} begins with the N-th.
 */
@RequiresOpenCl
class ExhaustionTest {

    private static final int EVERY = Integer.getInteger("exhaustion.every", 37);
    private static final int FIRST = Integer.getInteger("exhaustion.first", 1);
    private static final Tensor X = TestGraphs.numbers(3, 6, 24);
    private static Tensor expected = Tensor.scalar(0f);

    @BeforeAll
    static void computeOnTheCpu() {
        expected = TestGraphs.productsOf(X);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void atEveryCall(boolean made, boolean chain) {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withChain(chain);
        CountingClApi sound = CountingClApi.over(ClBinding.LWJGL);
        assertThat(errors(options, sound)).isEmpty();
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        int reached = 0;
        for (int nth = FIRST; nth <= sound.calls(); nth += EVERY) {
            CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
            counting.exhaust(nth, made);
            try {
                reached += errors(options, counting).size();
                // a run that waits longer may ask an event more often, so that another one has fewer calls
                tried += counting.calls() >= nth ? 1 : 0;
                counting.assertAllReleased();
            } catch (RuntimeException | AssertionError defect) {
                wrong.add("call " + nth + ": " + defect);
            }
        }
        assertThat(wrong).isEmpty();
        System.out.println("exhaustion: " + reached + " errors in " + tried + " calls of " + sound.calls());
        assertThat(tried).isPositive();
        // the others are errors of a release, which are logged
        assertThat(reached).isGreaterThan(tried / 3);
    }

    /** What reached the caller; a run after an error is right. */
    private static List<Error> errors(EngineOptions options, CountingClApi counting) {
        List<Error> errors = new ArrayList<>();
        try (Engine engine = Engine.open(options, () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            for (int run = 0; run < 2; run++) {
                attempt(errors, () -> runOnce(session));
            }
            attempt(errors, () -> session.profile(Map.of("x", X)));
        } catch (OutOfMemoryError error) {
            errors.add(error);
        }
        assertThat(errors).hasSizeLessThanOrEqualTo(1);
        return errors;
    }

    private static void attempt(List<Error> errors, Runnable use) {
        try {
            use.run();
        } catch (OutOfMemoryError error) {
            errors.add(error);
            use.run();
        }
    }

    private static void runOnce(Session session) {
        try (Result result = session.run(Map.of("x", X))) {
            assertThat(TensorComparison.difference(expected, result.get("y"), Tolerance.DEFAULT))
                    .isEmpty();
        }
    }
}
