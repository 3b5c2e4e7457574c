package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtException.OrtErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.ConformanceEngine;
import org.clinfer.conformance.Inexpressible.Reason;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definitions of {@link References} and the CPU operators against ONNX Runtime, in float32 and bool: a reference that
 * misreads its operator would otherwise have nobody to contradict it. {@code -Doperators=A,B} runs some operators alone.
 */
@TestInstance(Lifecycle.PER_CLASS)
class OnnxRuntimeOracleTest {

    private static final Logger LOG = LoggerFactory.getLogger(OnnxRuntimeOracleTest.class);
    private static final OpCatalog CATALOG = OpCatalog.builtIn();
    private static final Map<String, List<OperatorCase>> CASES = OperatorCase.byOperator();
    private static final Map<String, Reference> REFERENCES = References.all();
    private static final Map<String, Translation> TRANSLATIONS = Translations.all();
    private static final Set<DType> TYPES = Set.of(DType.FLOAT32, DType.BOOL);

    /** So many cases of each operator are compared, or all that it has. */
    private static final int COMPARED_NEEDED = 10;

    private final Map<Reason, Set<String>> skipped = new TreeMap<>();
    private int compared;
    private OnnxRuntime runtime;
    private ConformanceEngine cpu;

    @BeforeAll
    void open() throws OrtException {
        runtime = OnnxRuntime.open();
        cpu = ConformanceEngine.cpu();
    }

    static Stream<String> operators() {
        String chosen = System.getProperty("operators", "");
        Set<String> only = Set.of(chosen.split(",", -1));
        return TRANSLATIONS.keySet().stream().filter(op -> chosen.isEmpty() || only.contains(op));
    }

    @ParameterizedTest
    @MethodSource("operators")
    void agrees(String op) {
        OpDescription description = CATALOG.find(op).orElseThrow();
        List<CaseRun> runs = Objects.requireNonNull(CASES.get(op)).stream()
                .flatMap(operatorCase -> CaseRun.of(operatorCase, description).stream())
                .filter(run -> TYPES.contains(run.type()))
                .toList();
        Coverage coverage = new Coverage();
        for (CaseRun run : runs) {
            try {
                compare(op, run, coverage);
                coverage.ran();
            } catch (Inexpressible e) {
                skipped.computeIfAbsent(e.reason(), reason -> new TreeSet<>()).add(run.toString());
            } catch (OrtException | RuntimeException e) {
                coverage.failed(run + ": " + e);
            }
        }
        compared += coverage.runs();
        coverage.verify(op);
        assertThat(coverage.runs()).as("%s: cases compared", op).isGreaterThanOrEqualTo(Math.min(COMPARED_NEEDED, runs.size()));
    }

    private void compare(String op, CaseRun run, Coverage coverage) throws OrtException {
        OnnxGraph graph = new OnnxGraph();
        Translation translation = Objects.requireNonNull(TRANSLATIONS.get(op));
        List<String> outputs = translation.translate(new OracleCall(run.call(), graph), graph);
        List<Tensor> oracle = oracle(graph.model(outputs));
        Map<String, Tensor> expected = run.expected(Objects.requireNonNull(REFERENCES.get(op)));
        compare(op, run + " definition", expected, oracle, coverage);
        cpu.run(
                run.graph(),
                run.inputs(),
                (results, placement) -> compare(op, run + " cpu", results, oracle, coverage));
    }

    private List<Tensor> oracle(byte[] model) throws OrtException {
        try {
            return runtime.run(model);
        } catch (OrtException e) {
            if (e.getCode() == OrtErrorCode.ORT_NOT_IMPLEMENTED) {
                throw new Inexpressible(Reason.NOT_IMPLEMENTED);
            }
            throw e;
        }
    }

    private static void compare(
            String op, String what, Map<String, Tensor> ours, List<Tensor> oracle, Coverage coverage) {
        for (int i = 0; i < oracle.size(); i++) {
            Tensor mine = Objects.requireNonNull(ours.get("out" + i));
            Agreement.difference(op, mine, oracle.get(i))
                    .ifPresent(difference -> coverage.failed(what + ": " + difference));
        }
    }

    @Test
    void everyOperatorWithCasesIsTranslated() {
        assertThat(TRANSLATIONS.keySet()).isEqualTo(CASES.keySet());
    }

    @AfterAll
    void close() {
        LOG.info("compared with ONNX Runtime: {} cases", compared);
        skipped.forEach((reason, cases) -> LOG.info("not compared, {}: {} {}", reason, cases.size(), cases));
        cpu.close();
        runtime.close();
    }
}
