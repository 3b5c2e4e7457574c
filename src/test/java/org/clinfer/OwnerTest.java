package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators of users whose outputs are pieces of their owners, without a launch: on the device, wherever the piece lies. */
@RequiresOpenCl
class OwnerTest {

    private static final String OPERATORS = """
            {"ops": [
              {"optype": "Piece", "author": "me", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
               "params": [{"arg_name": "begin", "ptype": "LN_PARAM_NUMBER", "realtype": "int", "default": null},
                          {"arg_name": "len", "ptype": "LN_PARAM_NUMBER", "realtype": "int"}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": ["len"], "owner": "x"}],
               "calc_offset": "begin"},
              {"optype": "Piece_there", "author": "me", "arch": "opencl", "inherits": "Piece", "variant": "there"},
              {"optype": "Piece_elements", "author": "me", "arch": "cpu", "inherits": "Piece", "variant": "elements",
               "checks": [{"check": "begin == null"}], "run": [{"tensor": "y", "value": "-1"}]},
              {"optype": "Pieces", "author": "me", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
               "tensors_out": [{"arg_name": "ys", "mtype": "LN_MEM_NONE", "dtype": "x.dtype",
                  "dims": ["x.len / output_count"], "variadic": true, "owner": "x"}],
               "calc_offset": "index * (x.len / output_count)"},
              {"optype": "Pieces_there", "author": "me", "arch": "opencl", "inherits": "Pieces", "variant": "there"}]}
            """;

    private static final int SIZE = 4096;

    @TempDir
    private Path folder;

    @BeforeEach
    void describe() throws IOException {
        Files.writeString(folder.resolve("pieces.json"), OPERATORS);
    }

    private static Tensor counting(DType dtype, int size) {
        Tensor x = Tensor.allocate(dtype, size);
        for (int i = 0; i < size; i++) {
            x.setLong(i, i % 100);
        }
        return x;
    }

    private Ops graph() {
        return Ops.graph("net", List.of(folder));
    }

    private static Edge piece(Ops ops, Edge from, int begin, int length) {
        return ops.op("Piece", from)
                .with("begin", Attribute.of(begin))
                .with("len", Attribute.of(length))
                .y();
    }

    private static Edge input(Ops ops) {
        return ops.input("x", TensorType.of(DType.FLOAT32, SIZE));
    }

    /** Runs the graph twice on x and compares the outputs with elements of x from these on. */
    private void check(Graph graph, Tensor x, int... begins) {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withOperators(List.of(folder));
        try (Engine engine = Engine.open(options);
                Model model = engine.load(graph);
                Session session = model.session()) {
            for (int run = 0; run < 2; run++) {
                try (Result result = session.run(Map.of("x", x))) {
                    for (int output = 0; output < begins.length; output++) {
                        Tensor y = result.get(graph.outputs().get(output));
                        for (int i = 0; i < y.elements(); i++) {
                            assertThat(y.getDouble(i)).as("element " + i).isEqualTo(x.getDouble(begins[output] + i));
                        }
                    }
                }
            }
            assertThat(session.placement().nodes())
                    .filteredOn(node -> node.op().startsWith("Piece"))
                    .extracting(Placement.Entry::variant)
                    .containsOnly("there");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "3, 4", "32, 4", "1024, 1024", "4092, 4", "4095, 1", "1, 4095", "0, 4096", "7, 0"})
    void aPieceOfAComputedValue(int begin, int length) {
        Ops ops = graph();
        Edge piece = piece(ops, ops.relu(input(ops)), begin, length);
        check(ops.output("y", piece).build(), counting(DType.FLOAT32, SIZE), begin);
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "3, 4", "1024, 1024"})
    void aPieceOfAnInput(int begin, int length) {
        Ops ops = graph();
        check(ops.output("y", piece(ops, input(ops), begin, length)).build(), counting(DType.FLOAT32, SIZE), begin);
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "3, 4", "1024, 1024"})
    void aPieceOfAConstant(int begin, int length) {
        Ops ops = graph();
        input(ops);
        Edge constant = ops.constant("c", counting(DType.FLOAT32, SIZE));
        check(ops.output("y", piece(ops, constant, begin, length)).build(), counting(DType.FLOAT32, SIZE), begin);
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "3, 4", "1024, 1024"})
    void aPieceThatIsReadOn(int begin, int length) {
        Ops ops = graph();
        Edge piece = piece(ops, ops.relu(input(ops)), begin, length);
        check(ops.output("z", ops.relu(piece)).build(), counting(DType.FLOAT32, SIZE), begin);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"INT8", "BOOL", "FLOAT16", "INT32", "INT64", "UINT64", "FLOAT64"})
    void aPieceOfAnyType(DType dtype) {
        Tensor x = Tensor.allocate(dtype, SIZE);
        for (int i = 0; i < SIZE; i++) {
            x.setLong(i, i / 3 % 2);
        }
        Ops ops = graph();
        Edge transposed = ops.transpose(ops.input("x", x.type())).perm(0).y();
        check(ops.output("y", piece(ops, transposed, 5, 40)).build(), x, 5);
    }

    @ParameterizedTest
    @CsvSource({"4", "1024", "7"})
    void severalPieces(int length) {
        Ops ops = graph();
        Edge x = ops.relu(ops.input("x", TensorType.of(DType.FLOAT32, 3L * length)));
        List<Edge> pieces = ops.op("Pieces", x).y(3);
        pieces.forEach(piece -> ops.output("y" + pieces.indexOf(piece), piece));
        check(ops.build(), counting(DType.FLOAT32, 3 * length), 0, length, 2 * length);
    }

    @Test
    void withoutAPlaceInItsOwnerAPieceIsNotOfTheDevice() {
        Ops ops = graph();
        ops.output("y", ops.op("Piece", input(ops)).with("len", Attribute.of(4)).y());
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withOperators(List.of(folder));
        try (Engine engine = Engine.open(options);
                Model model = engine.load(ops.build());
                Session session = model.session();
                Result result = session.run(Map.of("x", counting(DType.FLOAT32, SIZE)))) {
            assertThat(result.get("y").toFloatArray()).containsExactly(-1, -1, -1, -1);
            assertThat(session.placement().nodes().get(0).reasons())
                    .containsExactly(
                            "there: y: does not lie in one piece in its owner, and nothing is launched for it");
        }
    }
}
