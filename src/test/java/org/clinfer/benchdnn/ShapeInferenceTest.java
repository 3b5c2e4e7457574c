package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The output sizes of every public problem as the checker infers them, on types alone. */
class ShapeInferenceTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    @BeforeEach
    void lists() {
        ProblemLists.assume();
    }

    private static List<Form> forms(Problem problem) {
        return problem.transposed() ? List.of(Form.NCX_OIX) : List.of(Form.values());
    }

    private static CheckedGraph check(ProblemGraph of) {
        Graph graph = of.graph(true, Map.of());
        CheckRequest request = new CheckRequest(graph, of.types(true));
        return Checker.check(request, CATALOG, (node, inputs) -> Optional.empty());
    }

    /** What the checker says of a problem: the type of its output, or everything that is wrong with it. */
    private static String answer(ProblemGraph of) {
        CheckedGraph checked = check(of);
        if (!checked.findings().isEmpty()) {
            return checked.findings().stream()
                    .map(found -> found.verdict() + " " + found.finding().message())
                    .collect(Collectors.joining("; "));
        }
        return String.valueOf(checked.types().get("y"));
    }

    /** An axis of 2^32 + 15 elements is beyond what Clinfer takes, and refused as such in every form; all else is inferred. */
    private static void assertOnlyTheLongestAxisIsRefused(List<String> deviations, int forms) {
        assertThat(deviations)
                .hasSize(forms)
                .allMatch(
                        text -> text.contains("w4294967311") && text.matches("(?s).*must be shorter than 2\\^3[01].*"));
    }

    private static List<String> deviations(Stream<Problem> problems) {
        List<String> deviations = new ArrayList<>();
        problems.forEach(problem -> {
            for (Form form : forms(problem)) {
                ProblemGraph of = new ProblemGraph(problem, form, DType.FLOAT32);
                String answer = answer(of);
                if (!answer.equals(of.outputType().toString())) {
                    deviations.add(problem + " " + form + ": " + answer);
                }
            }
        });
        return deviations;
    }

    @Test
    void outputsOfRawProblems() {
        List<Problem> problems = ProblemLists.raw().stream()
                .flatMap(list -> list.problems().stream())
                .toList();
        assertThat(problems).hasSize(4053);
        assertOnlyTheLongestAxisIsRefused(deviations(problems.stream()), 4);
    }

    /** As training needs them: from the output's shape to the input's. */
    @Test
    void outputsOfReversedProblems() {
        Stream<Problem> reversed = ProblemLists.raw().stream()
                .filter(list -> !list.transposed())
                .flatMap(list -> list.problems().stream())
                .map(Problem::reversed);
        assertOnlyTheLongestAxisIsRefused(deviations(reversed), 1);
    }

    @Test
    void outputsOfDeepBench() {
        List<Problem> problems = ProblemLists.deepBench();
        assertThat(problems).hasSize(163);
        assertThat(deviations(problems.stream())).isEmpty();
    }

    @Test
    void outputsOfNormalisedRows() {
        List<Problem> problems = ProblemLists.normalised().values().stream()
                .flatMap(List::stream)
                .map(NormalisedRow::problem)
                .filter(Problem::isConsistent)
                .toList();
        assertThat(problems).hasSize(4053 - 79);
        assertOnlyTheLongestAxisIsRefused(deviations(problems.stream()), 4);
    }

    /** A row that leaves out a stride or more has a larger output by the definition, and no padding that would shrink it. */
    @Test
    void inconsistentRowsHaveALargerOutput() {
        Map<String, Integer> larger = new TreeMap<>();
        ProblemLists.normalised().values().stream()
                .flatMap(List::stream)
                .map(NormalisedRow::problem)
                .filter(problem -> !problem.isConsistent())
                .forEach(problem -> {
                    for (Form form : forms(problem)) {
                        ProblemGraph asItIs = new ProblemGraph(problem, form, DType.FLOAT32);
                        ProblemGraph whole = new ProblemGraph(whole(problem), form, DType.FLOAT32);
                        assertThat(whole.outputType()).as(problem.toString()).isNotEqualTo(asItIs.outputType());
                        assertThat(answer(asItIs))
                                .as(problem.toString())
                                .isEqualTo(whole.outputType().toString());
                    }
                    larger.merge(problem.list(), 1, Integer::sum);
                });
        assertThat(larger)
                .containsExactly(
                        Map.entry("ci_gpu", 3), Map.entry("dilated", 3), Map.entry("src-transpose_padding", 73));
    }

    /** The problem with the outputs that its other sizes give. */
    private static Problem whole(Problem problem) {
        List<Axis> axes = problem.axes().stream()
                .map(axis -> {
                    long left = Math.max(-axis.padEnd(false), 0);
                    return new Axis(
                            axis.input(),
                            axis.output() + left / axis.stride(),
                            axis.kernel(),
                            axis.stride(),
                            axis.padBegin(),
                            axis.dilation());
                })
                .toList();
        return new Problem(
                false,
                problem.list(),
                problem.name(),
                problem.batch(),
                problem.groups(),
                problem.inChannels(),
                problem.outChannels(),
                axes);
    }

    /** Every data type has the same shapes, and the output has the type of the input. */
    @Test
    void everyTypeHasTheseShapes() {
        List<String> deviations = new ArrayList<>();
        for (Problem problem : ProblemLists.deepBench().subList(0, 20)) {
            for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64, DType.INT8)) {
                for (Problem way : List.of(problem, problem.reversed())) {
                    ProblemGraph of = new ProblemGraph(way, Form.NCX_OIX, dtype);
                    TensorType expected = of.outputType();
                    if (!answer(of).equals(expected.toString())) {
                        deviations.add(way + " " + dtype + ": " + answer(of));
                    }
                }
            }
        }
        assertThat(deviations).isEmpty();
    }
}
