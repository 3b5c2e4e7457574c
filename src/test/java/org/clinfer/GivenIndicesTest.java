package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Indices that inputs of the network give: the device takes them, and the host tests them before the run. */
@RequiresOpenCl
class GivenIndicesTest {

    private static final int ROWS = 5;
    private static final EngineOptions DEVICE =
            EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()).withTrust(true);

    private static Tensor table(DType dtype) {
        Tensor table = Tensor.allocate(dtype, ROWS, 2);
        for (int i = 0; i < table.elements(); i++) {
            table.setDouble(i, 10 + i);
        }
        return table;
    }

    private static GraphBuilder ids() {
        return TestGraphs.builder().input("ids", DType.INT64, 3).constant("table", table(DType.FLOAT32));
    }

    private static Graph rows(DType data, DType indices) {
        return TestGraphs.builder()
                .input("ids", indices, 3)
                .constant("table", table(data))
                .node("Gather", List.of("table", "ids"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    /** The ids as a column, as often as asked for, and then chosen with. */
    private static Graph moved() {
        return ids().constant("axes", Tensor.of(new long[] {1}, 1))
                .constant("shape", Tensor.of(new long[] {3, 2}, 2))
                .node("Unsqueeze", List.of("ids", "axes"), List.of("column"), Map.of())
                .node("Expand", List.of("column", "shape"), List.of("wide"), Map.of())
                .node("GatherElements", List.of("table", "wide"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    private static Graph computed() {
        return ids().constant("one", Tensor.scalar(1L))
                .node("Add", List.of("ids", "one"), List.of("later"), Map.of())
                .node("Gather", List.of("table", "later"), List.of("y"), Map.of())
                .output("y")
                .build();
    }

    private static double[] run(Session session, DType indices, long... ids) {
        Tensor given = Tensor.allocate(indices, ids.length);
        for (int i = 0; i < ids.length; i++) {
            given.setLong(i, ids[i]);
        }
        try (Result result = session.run(Map.of("ids", given))) {
            return result.get("y").toDoubleArray();
        }
    }

    private static Placement.Entry node(Session session, String op) {
        return session.placement().nodes().stream()
                .filter(node -> node.op().equals(op))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(names = {"INT8", "INT32", "INT64", "FLOAT32", "FLOAT64"})
    void rowsOfAllTypesAreChosenOnTheDevice(DType data) {
        for (DType indices : List.of(DType.INT32, DType.INT64)) {
            try (Engine engine = Engine.open(DEVICE.withOnUnsupported(OnUnsupported.FAIL));
                    Model model = engine.load(rows(data, indices));
                    Session session = model.session()) {
                assertThat(run(session, indices, 4, 0, -1)).containsExactly(18, 19, 10, 11, 18, 19);
                assertThat(run(session, indices, 1, 1, -5)).containsExactly(12, 13, 12, 13, 10, 11);
                assertThat(node(session, "Gather").target().name()).isEqualTo("DEVICE");
            }
        }
    }

    /** Kernels are tested on made-up indices, which no input gives. */
    @Test
    void kernelsThatTakeIndicesAreTestedBeforeTheyAreBelieved() {
        try (Engine engine = Engine.open(DEVICE.withTrust(false).withOnUnsupported(OnUnsupported.FAIL));
                Model model = engine.load(rows(DType.FLOAT32, DType.INT64));
                Session session = model.session()) {
            assertThat(run(session, DType.INT64, 4, 0, -1)).containsExactly(18, 19, 10, 11, 18, 19);
            assertThat(node(session, "Gather").target().name()).isEqualTo("DEVICE");
        }
    }

    @Test
    void anIndexOutsideIsRefusedBeforeTheRun() {
        try (Engine engine = Engine.open(DEVICE);
                Model model = engine.load(rows(DType.FLOAT32, DType.INT64));
                Session session = model.session()) {
            for (long wrong : new long[] {5, -6, Long.MAX_VALUE, 1L << 32}) {
                assertThatThrownBy(() -> run(session, DType.INT64, 0, wrong, 1))
                        .isInstanceOf(GraphException.class)
                        .hasMessageContaining(
                                "Gather: index " + wrong + " at position 1 of input 'ids' is outside of -5 ... 4");
            }
            assertThat(run(session, DType.INT64, 2, 2, 2)).containsExactly(14, 15, 14, 15, 14, 15);
        }
    }

    @Test
    void indicesThatAreOnlyMovedAreGivenAsWell() {
        try (Engine engine = Engine.open(DEVICE);
                Model model = engine.load(moved());
                Session session = model.session()) {
            assertThat(run(session, DType.INT64, 4, 0, -1)).containsExactly(18, 19, 10, 11, 18, 19);
            assertThat(node(session, "GatherElements").target().name()).isEqualTo("DEVICE");
            assertThatThrownBy(() -> run(session, DType.INT64, 0, 1, 7))
                    .isInstanceOf(GraphException.class)
                    .hasMessageContaining("GatherElements: index 7 at position 2 of input 'ids'");
        }
    }

    /** The host sees them when it is too late. */
    @Test
    void computedIndicesAreTheCpus() {
        try (Engine engine = Engine.open(DEVICE);
                Model model = engine.load(computed());
                Session session = model.session()) {
            assertThat(run(session, DType.INT64, 3, 0, -2)).containsExactly(18, 19, 12, 13, 18, 19);
            assertThat(node(session, "Gather").target().name()).isEqualTo("CPU");
            assertThat(node(session, "Gather").reasons())
                    .anyMatch(reason -> reason.contains("indices that are computed in the run"));
            assertThatThrownBy(() -> run(session, DType.INT64, 4, 0, 0)).isInstanceOf(GraphException.class);
        }
    }
}
