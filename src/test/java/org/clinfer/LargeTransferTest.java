package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.EarlyFinishClApi;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large inputs and results pass through pinned memory in pieces, which threads copy. */
@RequiresOpenCl
@Timeout(120)
class LargeTransferTest {

    /** Floats of a row: 1024 rows are 1 MiB. */
    private static final int WIDTH = 256;

    private static final long MIB = 1 << 20;

    private static EngineOptions device(int threads) {
        return EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withThreads(threads);
    }

    /** @param first of the numbers, which differ from row to row */
    private static Tensor rows(int first, int rows) {
        float[] values = new float[rows * WIDTH];
        for (int i = 0; i < values.length; i++) {
            values[i] = (first + i) % 8191 - 4000.5f;
        }
        return Tensor.of(values, rows, WIDTH);
    }

    private static void assertRectifies(Session session, int first, int rows) {
        Tensor x = rows(first, rows);
        try (Result result = session.run(Map.of("x", x))) {
            assertRectified(result, x);
        }
    }

    private static void assertRectified(Result result, Tensor x) {
        assertThat(Arrays.equals(result.get("y").toFloatArray(), TestGraphs.rectified(x.toFloatArray())))
                .isTrue();
    }

    /** Values of up to 1 MiB are one transfer, others up to four of as much, or as many as take 2 MiB each. */
    @ParameterizedTest
    @CsvSource({
        "1024, 1, 2",
        "1025, 2, 4",
        "2048, 2, 4",
        "3071, 3, 6",
        "5001, 4, 8",
        "10001, 5, 10",
        "65536, 32, 64",
        "66001, 33, 64"
    })
    void aPieceIsOneTransfer(int rows, int pieces, int mib) {
        for (int threads : new int[] {1, 4}) {
            PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
            try (Engine engine = pinned.engine(device(threads));
                    Model model = engine.load(TestGraphs.rectifier(WIDTH));
                    Session session = model.session()) {
                assertRectifies(session, 1, rows);
                int writes = pinned.counting().calls("clEnqueueWriteBuffer");
                int reads = pinned.counting().calls("clEnqueueReadBuffer");
                assertRectifies(session, 2, rows);
                assertThat(pinned.counting().calls("clEnqueueWriteBuffer") - writes)
                        .isEqualTo(pieces);
                assertThat(pinned.counting().calls("clEnqueueReadBuffer") - reads)
                        .isEqualTo(pieces);
                assertThat(pinned.bytes()).containsExactly(mib * MIB);
                assertThat(session.memory().hostValues()).isEqualTo(mib * MIB);
            }
            pinned.counting().assertAllReleased();
        }
    }

    /** A piece leaves its slot to another one only when the device is done with it. */
    @Test
    void aSlowDeviceGetsAndGivesEveryPiece() {
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        try (Engine engine = pinned.engine(device(3), EarlyFinishClApi::over);
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            assertRectifies(session, 1, 70_001);
            assertRectifies(session, 9, 70_001);
        }
        pinned.counting().assertAllReleased();
    }

    /** Inputs small and large, more than have places, of one run. */
    @ParameterizedTest
    @EnumSource(ClBinding.class)
    void manyInputsKeepApart(ClBinding binding) {
        List<Integer> rows = List.of(
                1000, 3000, 1, 1024, 1025, 7, 1000, 1000, 999, 2047, 2049, 1000, 1000, 1000, 1000, 1000, 1000, 1000,
                1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000);
        Ops ops = Ops.graph("net");
        Map<String, Tensor> inputs = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            Edge x = ops.input("x" + i, TensorType.of(DType.FLOAT32, rows.get(i), WIDTH));
            ops.output("y" + i, ops.relu(x));
            inputs.put("x" + i, rows(13 * i, rows.get(i)));
        }
        Graph graph = ops.build();
        PinnedCalls pinned = new PinnedCalls(binding);
        try (Engine engine = pinned.engine(device(4));
                Model model = engine.load(graph);
                Session session = model.session()) {
            for (int run = 0; run < 2; run++) {
                try (Result result = session.run(inputs)) {
                    inputs.forEach((name, x) -> {
                        float[] expected = x.toFloatArray();
                        for (int i = 0; i < expected.length; i++) {
                            expected[i] = Math.max(0, expected[i]);
                        }
                        assertThat(Arrays.equals(
                                        result.get(name.replace('x', 'y')).toFloatArray(), expected))
                                .as(name)
                                .isTrue();
                    });
                }
            }
            assertThat(pinned.bytes()).hasSize(1);
        }
        pinned.counting().assertAllReleased();
    }

    /** Values that cross in the middle of a run: small, large, and larger than pinned memory, on a device that is slow. */
    @ParameterizedTest
    @ValueSource(ints = {100, 5001, 34_001})
    void theHostMayHaveTurnsInTheMiddle(int rows) {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, rows, WIDTH));
        Edge y = x;
        for (int turn = 0; turn < 3; turn++) {
            y = ops.add(ops.neg(ops.add(y, x)), x);
        }
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        try (Engine engine = pinned.engine(device(3), EarlyFinishClApi::over);
                Model model = engine.load(ops.output("y", y).build());
                Session session = model.session()) {
            engine.context().kernels().variants("Neg").forEach(variant -> session.avoid(variant.optype(), "a test"));
            for (int run = 0; run < 2; run++) {
                Tensor input = rows(7 * run, rows);
                float[] expected = input.toFloatArray();
                for (int i = 0; i < expected.length; i++) {
                    expected[i] = -expected[i];
                }
                try (Result result = session.run(Map.of("x", input))) {
                    assertThat(Arrays.equals(result.get("y").toFloatArray(), expected))
                            .isTrue();
                }
                assertThat(session.placement().count(Placement.Target.CPU)).isEqualTo(3);
            }
            assertThat(pinned.bytes()).hasSize(1);
        }
        pinned.counting().assertAllReleased();
    }

    /** Memory that the host has sent may be overwritten at once, although the device takes it later. */
    @ParameterizedTest
    @ValueSource(ints = {100, 5001})
    void theHostUsesItsMemoryAgain(int rows) {
        Ops ops = Ops.graph("net");
        Map<String, Tensor> inputs = new HashMap<>();
        for (int i = 0; i < 4; i++) {
            Edge x = ops.input("x" + i, TensorType.of(DType.FLOAT32, rows, WIDTH));
            ops.output("y" + i, ops.relu(ops.neg(x)));
            inputs.put("x" + i, rows(100 * i, rows));
        }
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        try (Engine engine = pinned.engine(device(3), EarlyFinishClApi::over);
                Model model = engine.load(ops.build());
                Session session = model.session()) {
            engine.context().kernels().variants("Neg").forEach(variant -> session.avoid(variant.optype(), "a test"));
            try (Result result = session.run(inputs)) {
                inputs.forEach((name, x) -> {
                    float[] expected = x.toFloatArray();
                    for (int i = 0; i < expected.length; i++) {
                        expected[i] = Math.max(0, -expected[i]);
                    }
                    assertThat(Arrays.equals(result.get(name.replace('x', 'y')).toFloatArray(), expected))
                            .as(name)
                            .isTrue();
                });
            }
            assertThat(session.placement().count(Placement.Target.CPU)).isEqualTo(4);
        }
        pinned.counting().assertAllReleased();
    }

    /** A transfer that fails where slots are taken again fails the run, which is begun again. */
    @ParameterizedTest
    @ValueSource(strings = {"clEnqueueWriteBuffer", "clEnqueueReadBuffer", "clWaitForEvents", "clReleaseEvent"})
    void aFaultInTheMiddleIsRecoveredFrom(String call) {
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        try (Engine engine = pinned.engine(device(4));
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            assertRectifies(session, 1, 66_001);
            int before = pinned.counting().calls(call);
            pinned.counting().fail(call, 33, ClStatus.CL_OUT_OF_RESOURCES);
            assertRectifies(session, 5, 66_001);
            assertThat(pinned.counting().calls(call) - before).isGreaterThanOrEqualTo(33);
        }
        pinned.counting().assertAllReleased();
    }

    /** Calls fail one by one and several in a row, at every third place of a run that is cut into pieces. */
    @Test
    void everyCallOfARunMayFail() {
        int calls = Integer.MAX_VALUE;
        for (int nth = 1; nth <= calls; nth += 3) {
            PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
            try (Engine engine = pinned.engine(device(3));
                    Model model = engine.load(TestGraphs.rectifier(WIDTH));
                    Session session = model.session()) {
                assertRectifies(session, 1, 9000);
                int before = pinned.counting().calls();
                pinned.counting().failAny(nth, 1 + nth % 4, ClStatus.CL_OUT_OF_RESOURCES.code());
                assertRectifies(session, 3, 9000);
                calls = Math.min(calls, pinned.counting().calls() - before);
                pinned.counting().failNoMore();
                assertRectifies(session, 5, 9000);
            }
            pinned.counting().assertAllReleased();
        }
        assertThat(calls).isGreaterThan(10);
    }

    /** Runs of several sessions share the threads that copy. */
    @Test
    void sessionsTransferAtTheSameTime() {
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        try (Engine engine = pinned.engine(device(3));
                Model model = engine.load(TestGraphs.rectifier(WIDTH))) {
            List<CompletableFuture<Void>> sessions = List.of(1, 2, 3).stream()
                    .map(first -> CompletableFuture.runAsync(() -> {
                        try (Session session = model.session()) {
                            for (int run = 0; run < 3; run++) {
                                assertRectifies(session, 10 * run + first, 5000 + first);
                            }
                        }
                    }))
                    .toList();
            sessions.forEach(CompletableFuture::join);
        }
        pinned.counting().assertAllReleased();
    }
}
