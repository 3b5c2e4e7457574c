package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtException.OrtErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.ConformanceEngine;
import org.clinfer.conformance.Agreement.Precision;
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

    /** ONNX Runtime approximates these: the error is a part of the largest element, not of each. */
    private static final Set<String> APPROXIMATED = Set.of("Elu", "Selu", "Sigmoid");

    /** Detections, of which ONNX has parts alone, with rules of its own. */
    private static final Set<String> OF_DETECTORS = Set.of("DetectionOutput", "Proposal", "PsRoiPool");

    /** ONNX Runtime draws other random numbers, and the comparison writes no operator set as late as that of BitCast. */
    private static final Set<String> NOT_COMPARED = Set.of("Random", "BitCast");

    /** Codes of few bits: the comparison is of float32 and bool, and ONNX Runtime's sums of bytes depend on the processor. */
    private static final Set<String> OF_CODES =
            Set.of("QuantizeLinear", "DequantizeLinear", "QuantizedAdd", "QuantizedConv", "QuantizedMatMul");

    private static final Set<DType> TYPES = Set.of(DType.FLOAT32, DType.BOOL);

    /** Operators that take integers alone, and the types in which they are compared. */
    private static final Set<String> OF_BITS =
            Set.of("BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", "BitShift");

    private static final Set<DType> TYPES_OF_BITS = Set.of(DType.INT8, DType.INT64, DType.UINT8, DType.UINT32);

    /** So many cases of each operator are compared, or all that it has. */
    private static final int COMPARED_NEEDED = 10;

    private final Map<Reason, Set<String>> skipped = new TreeMap<>();
    private final Map<String, Integer> compared = new TreeMap<>();
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
                .filter(run -> (OF_BITS.contains(op) ? TYPES_OF_BITS : TYPES).contains(run.type()))
                .toList();
        Coverage coverage = new Coverage();
        for (CaseRun run : runs) {
            try {
                Optional<String> difference = difference(op, run);
                Optional<Reason> expected = Disagreements.of(run);
                if (expected.isPresent()) {
                    skipped(expected.orElseThrow(), run);
                    if (difference.isEmpty()) {
                        coverage.failed(run + ": agrees, although it stands in " + Disagreements.class.getSimpleName());
                    }
                } else {
                    difference.ifPresent(coverage::failed);
                    coverage.ran();
                }
            } catch (Inexpressible e) {
                skipped(e.reason(), run);
            } catch (RuntimeException e) {
                coverage.failed(run + ": " + e);
            }
        }
        compared.put(op, coverage.runs());
        coverage.verify(op);
        verifyShare(op, runs);
    }

    /** Enough cases of the operator's main type must have been compared: float32, unless it takes bool alone. */
    private void verifyShare(String op, List<CaseRun> runs) {
        DType main = runs.stream().anyMatch(run -> run.type() == DType.FLOAT32) ? DType.FLOAT32 : DType.BOOL;
        List<CaseRun> ofMain = runs.stream().filter(run -> run.type() == main).toList();
        long left = ofMain.stream()
                .filter(run -> skipped.values().stream().noneMatch(names -> names.contains(run.toString())))
                .count();
        assertThat(left).as("%s: cases compared", op).isGreaterThanOrEqualTo(Math.min(COMPARED_NEEDED, ofMain.size()));
    }

    private void skipped(Reason reason, CaseRun run) {
        skipped.computeIfAbsent(reason, first -> new TreeSet<>()).add(run.toString());
    }

    /** What ONNX Runtime refuses or finds otherwise, or empty. */
    private Optional<String> difference(String op, CaseRun run) {
        OnnxGraph graph = new OnnxGraph();
        Translation translation = Objects.requireNonNull(TRANSLATIONS.get(op));
        List<String> outputs = translation.translate(new OracleCall(run.call(), graph), graph);
        List<Tensor> oracle;
        try {
            oracle = runtime.run(graph.model(outputs));
        } catch (OrtException e) {
            if (e.getCode() == OrtErrorCode.ORT_NOT_IMPLEMENTED) {
                throw new Inexpressible(Reason.NOT_IMPLEMENTED);
            }
            return Optional.of(run + " refused: " + e);
        }
        List<String> differences = new ArrayList<>();
        Map<String, Tensor> expected = run.expected(Objects.requireNonNull(REFERENCES.get(op)));
        compare(op, expected, oracle).ifPresent(text -> differences.add("definition: " + text));
        cpu.run(
                run.graph(),
                run.inputs(),
                (results, placement) ->
                        compare(op, results, oracle).ifPresent(text -> differences.add("cpu: " + text)));
        return differences.isEmpty() ? Optional.empty() : Optional.of(run + " " + String.join("; ", differences));
    }

    private static Optional<String> compare(String op, Map<String, Tensor> ours, List<Tensor> oracle) {
        Precision precision = APPROXIMATED.contains(op) ? Precision.FUNCTION : Agreement.precision(op);
        for (int i = 0; i < oracle.size(); i++) {
            Tensor mine = Objects.requireNonNull(ours.get("out" + i));
            Optional<String> difference = Agreement.difference(precision, mine, oracle.get(i));
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    @Test
    void everyOperatorWithCasesIsTranslated() {
        Set<String> known = new TreeSet<>(TRANSLATIONS.keySet());
        known.addAll(OF_DETECTORS);
        known.addAll(OF_CODES);
        known.addAll(NOT_COMPARED);
        assertThat(known).isEqualTo(CASES.keySet());
        assertThat(TRANSLATIONS).doesNotContainKeys(OF_DETECTORS.toArray(new String[0]));
    }

    @AfterAll
    void close() {
        int cases = compared.values().stream().mapToInt(count -> count).sum();
        LOG.info("compared with ONNX Runtime: {} cases, {}", cases, compared);
        skipped.forEach((reason, runs) -> LOG.info("not compared, {}: {} {}", reason, runs.size(), runs));
        cpu.close();
        runtime.close();
    }
}
