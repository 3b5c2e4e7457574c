package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.ConformanceEngine;
import org.clinfer.Placement;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The shapes of CANN's own tests. Deconvolution takes those of its attributes; what its kernel takes beyond them, four
 * pads and an output up to a stride larger than the exact one, is Conv2dTranspose. Conv2dTranspose computes all.
 */
class UpstreamDeconvolutionTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();
    private static final String DECONVOLUTION = "Deconvolution";
    private static final String TRANSPOSE = "Conv2dTranspose";

    /** More than this, and one image of the batch is computed. */
    private static final long MAX_MULTIPLY_ADDS = 1L << 26;

    private static Graph graph(String op, Map<String, TensorType> inputs, Map<String, Attribute> parameters) {
        GraphBuilder builder = new GraphBuilder(op, new SourceRef("upstream", ""));
        inputs.forEach(builder::input);
        return builder.node(op, List.copyOf(inputs.keySet()), List.of("y"), parameters)
                .output("y")
                .build();
    }

    /** The type of the output, or the verdict and everything that is wrong. */
    private static String answer(UpstreamRow row, String op, DType dtype, Map<String, Attribute> parameters) {
        Map<String, TensorType> inputs = row.inputs(dtype, row.x()[0]);
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph(op, inputs, parameters), inputs), CATALOG, (node, values) -> Optional.empty());
        if (checked.findings().isEmpty()) {
            return String.valueOf(checked.types().get("y"));
        }
        return checked.findings().stream()
                .map(found -> found.verdict() + " " + found.finding().message())
                .collect(Collectors.joining("; "));
    }

    private static TensorType outputType(String op, DType dtype, long... dims) {
        return TensorType.of(op.equals(DECONVOLUTION) && dtype == DType.INT8 ? DType.INT32 : dtype, dims);
    }

    @Test
    void theTableIsWhole() {
        List<UpstreamRow> rows = UpstreamRow.all();
        assertThat(rows).hasSize(27);
        assertThat(rows.stream().filter(UpstreamRow::isLegal)).hasSize(23);
        assertThat(rows.stream().filter(UpstreamRow::kernel)).hasSize(4);
        assertThat(rows.stream().filter(row -> row.types().contains(DType.INT8)))
                .hasSize(3);
        assertThat(rows.stream().filter(row -> !row.kernel())).allMatch(UpstreamRow::isSymmetric);
    }

    @Test
    void deconvolutionInfersTheOutputs() {
        for (UpstreamRow row : UpstreamRow.all()) {
            for (DType dtype : row.types()) {
                for (boolean lists : new boolean[] {true, false}) {
                    if (row.isLegal() && !row.kernel()) {
                        assertThat(answer(row, DECONVOLUTION, dtype, row.deconvolution(lists)))
                                .as(row.toString())
                                .isEqualTo(outputType(DECONVOLUTION, dtype, row.y())
                                        .toString());
                    }
                }
            }
        }
    }

    /** What the caller of the kernel says of the output, an operator that infers it does not know. */
    @Test
    void deconvolutionInfersTheExactOutputWhereAnotherIsTold() {
        for (UpstreamRow row : UpstreamRow.all()) {
            if (row.kernel() && row.isSymmetric()) {
                long[] exact = row.y().clone();
                for (int axis = 2; axis < 4; axis++) {
                    exact[axis] = (row.x()[axis] - 1) * row.stride()[axis - 2] + row.filter()[axis];
                }
                assertThat(exact).isNotEqualTo(row.y());
                assertThat(answer(row, DECONVOLUTION, DType.FLOAT16, row.deconvolution(true)))
                        .as(row.toString())
                        .isEqualTo(TensorType.of(DType.FLOAT16, exact).toString());
            }
        }
    }

    @Test
    void conv2dTransposeInfersTheOutputs() {
        for (UpstreamRow row : UpstreamRow.all()) {
            if (row.isLegal()) {
                for (DType dtype : row.types()) {
                    assertThat(answer(row, TRANSPOSE, dtype, row.transpose()))
                            .as(row.toString())
                            .isEqualTo(TensorType.of(dtype, row.y()).toString());
                }
            }
        }
    }

    @Test
    void whatUpstreamRefusesIsRefusedForItsReason() {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (UpstreamRow row : UpstreamRow.all()) {
            if (!row.isLegal()) {
                String op = row.kernel() ? TRANSPOSE : DECONVOLUTION;
                Map<String, Attribute> parameters = row.kernel() ? row.transpose() : row.deconvolution(true);
                reasons.put(row.expected(), answer(row, op, row.types().get(0), parameters));
            }
        }
        assertThat(reasons.keySet()).containsExactly("shape", "pads", "channels", "stride");
        assertThat(reasons.values()).allMatch(reason -> reason.startsWith(Verdict.INVALID.toString()));
        assertThat(reasons.get("shape")).contains("output_shape");
        assertThat(reasons.get("pads")).contains("padding");
        assertThat(reasons.get("channels")).contains("channels");
        assertThat(reasons.get("stride")).contains("stride");
    }

    @Test
    void legalRowsAreRightOnTheCpu() {
        try (ConformanceEngine cpu = ConformanceEngine.cpu()) {
            assertThat(differences(cpu, Placement.Target.CPU)).isEmpty();
        }
    }

    @RequiresOpenCl
    @ParameterizedTest
    @EnumSource(ClBinding.class)
    void legalRowsAreRightOnOpenCl(ClBinding binding) {
        try (ConformanceEngine device = ConformanceEngine.device(binding)) {
            assertThat(differences(device, Placement.Target.DEVICE)).isEmpty();
        }
    }

    private static List<String> differences(ConformanceEngine engine, Placement.Target target) {
        List<String> differences = new ArrayList<>();
        for (UpstreamRow row : UpstreamRow.all()) {
            for (DType dtype : row.isLegal() ? row.types() : List.<DType>of()) {
                for (String op : operators(row, dtype)) {
                    difference(engine, target, row, dtype, op)
                            .ifPresent(text -> differences.add(row + " " + dtype + " " + op + ": " + text));
                }
            }
        }
        return differences;
    }

    /** Conv2dTranspose of int8 saturates, which is another operator's business. */
    private static List<String> operators(UpstreamRow row, DType dtype) {
        return Stream.of(DECONVOLUTION, TRANSPOSE)
                .filter(op -> op.equals(DECONVOLUTION) ? !row.kernel() : dtype.isFloating())
                .toList();
    }

    private static Optional<String> difference(
            ConformanceEngine engine, Placement.Target target, UpstreamRow row, DType dtype, String op) {
        Problem whole = row.problem();
        Problem problem = whole.multiplyAdds() > MAX_MULTIPLY_ADDS ? whole.withBatch(1) : whole;
        Operands operands = Operands.random(problem, dtype, row.bias());
        Map<String, TensorType> types = row.inputs(dtype, problem.batch());
        Graph graph = graph(op, types, parameters(row, op, dtype, problem));
        List<String> found = new ArrayList<>();
        engine.run(graph, tensors(types, operands), (outputs, placement) -> {
            Tensor y = Objects.requireNonNull(outputs.get("y"));
            TensorType type = outputType(op, dtype, Form.NCX_OIX.outputDims(problem));
            if (!y.type().equals(type)) {
                found.add("is " + y.type() + ", expected " + type);
            } else if (placement.stream().anyMatch(entry -> entry.target() != target)) {
                found.add("not where it should run: " + placement);
            } else {
                Expected.of(problem, operands)
                        .difference(Operands.elements(y), Rounding.of(y.dtype()))
                        .ifPresent(found::add);
            }
        });
        return found.stream().findFirst();
    }

    private static Map<String, Attribute> parameters(UpstreamRow row, String op, DType dtype, Problem problem) {
        if (op.equals(DECONVOLUTION)) {
            return row.deconvolution(dtype == DType.FLOAT16);
        }
        Map<String, Attribute> parameters = row.transpose();
        parameters.put("output_shape", Attribute.ofInts(Form.NCX_OIX.outputDims(problem)));
        return parameters;
    }

    private static Map<String, Tensor> tensors(Map<String, TensorType> types, Operands operands) {
        Map<String, double[]> values = Map.of("x", operands.input(), "w", operands.weights(), "b", operands.bias());
        Map<String, Tensor> tensors = new HashMap<>();
        types.forEach(
                (name, type) -> tensors.put(name, Operands.tensor(Objects.requireNonNull(values.get(name)), type)));
        return tensors;
    }
}
