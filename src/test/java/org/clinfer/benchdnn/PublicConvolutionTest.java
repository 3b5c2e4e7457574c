package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.clinfer.ConformanceEngine;
import org.clinfer.Placement;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Public convolution problems computed on the CPU and on OpenCL: each result against the definition, and both with each
 * other. Every problem runs in float32 with its channels first; some also with the channels last, in another type, or
 * through the other binding.
 */
@TestInstance(Lifecycle.PER_CLASS)
class PublicConvolutionTest {

    private static final Logger LOG = LoggerFactory.getLogger(PublicConvolutionTest.class);

    /** Multiply-adds at most for what has no fast kernel everywhere: other types, channels last. */
    private static final long SLOW_MULTIPLY_ADDS = 1L << 26;

    /** The usual other form three times as often as the mixed ones. */
    private static final List<Form> OTHER_FORMS =
            List.of(Form.NXC_XIO, Form.NXC_OIX, Form.NXC_XIO, Form.NCX_XIO, Form.NXC_XIO);

    private static final List<DType> OTHER_TYPES = List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64);

    private static final Map<String, Map<Integer, Problem>> BY_GROUP = byGroup();

    private final Tally tally = new Tally();
    private final ConformanceEngine cpu = ConformanceEngine.cpu();
    private final Map<ClBinding, ConformanceEngine> devices = new EnumMap<>(ClBinding.class);

    @BeforeAll
    void open() {
        ProblemLists.assume();
        for (ClBinding binding : ClBinding.values()) {
            ClLoad load = OpenCl.open(binding);
            if (load instanceof ClLoad.Available) {
                devices.put(binding, ConformanceEngine.device(binding));
            } else if (Boolean.getBoolean("require.opencl")) {
                throw new AssertionError("require.opencl is set, but " + ((ClLoad.Missing) load).reason());
            } else {
                LOG.warn("only the CPU is tested, not {}: {}", binding, ((ClLoad.Missing) load).reason());
            }
        }
    }

    @AfterAll
    void close() {
        cpu.close();
        devices.values().forEach(ConformanceEngine::close);
        LOG.info("public convolutions: {}", tally);
    }

    /** The chosen problems by kind, and the place of each among all. */
    private static Map<String, Map<Integer, Problem>> byGroup() {
        Map<String, Map<Integer, Problem>> groups = new TreeMap<>();
        List<Problem> chosen = ProblemLists.areThere() ? Selection.of(ProblemLists.all()) : List.of();
        for (int i = 0; i < chosen.size(); i++) {
            Problem problem = chosen.get(i);
            groups.computeIfAbsent(Stratum.of(problem).group(), key -> new TreeMap<>())
                    .put(i, problem);
        }
        return groups;
    }

    static Set<String> groups() {
        return BY_GROUP.keySet();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("groups")
    void agreesWithTheDefinitionEverywhere(String group) {
        List<String> failed = new ArrayList<>();
        Objects.requireNonNull(BY_GROUP.get(group)).forEach((number, problem) -> {
            for (Way way : ways(number, problem)) {
                try {
                    differences(problem, way).forEach(text -> failed.add(problem + " " + way.dtype() + " " + text));
                } catch (RuntimeException | AssertionError e) {
                    failed.add(problem + " " + way + ": " + e);
                }
            }
        });
        assertThat(failed).isEmpty();
    }

    /** How a problem is run in one type. */
    private record Way(DType dtype, boolean bias, boolean constant, List<Form> forms, List<ClBinding> bindings) {}

    private static List<Way> ways(int number, Problem problem) {
        boolean bias = number % 2 == 0;
        boolean constant = number % 5 != 0;
        boolean slow = problem.multiplyAdds() > SLOW_MULTIPLY_ADDS;
        boolean last = !slow && !problem.transposed();
        List<ClBinding> bindings = number % 4 == 0 ? List.of(ClBinding.values()) : List.of(ClBinding.LWJGL);
        Form other = last ? OTHER_FORMS.get(number % OTHER_FORMS.size()) : Form.NCX_OIX;
        List<Form> forms = last && number % 3 == 0 ? List.of(Form.NCX_OIX, other) : List.of(Form.NCX_OIX);
        Way usual = new Way(DType.FLOAT32, bias, constant, forms, bindings);
        if (slow || number % 4 != 1) {
            return List.of(usual);
        }
        DType dtype = OTHER_TYPES.get(number / 4 % OTHER_TYPES.size());
        Form form = number % 8 == 1 ? other : Form.NCX_OIX;
        return List.of(usual, new Way(dtype, bias, constant, List.of(form), List.of(ClBinding.LWJGL)));
    }

    /** Runs a problem in one type and lists what differs. */
    private List<String> differences(Problem problem, Way way) {
        Operands operands = Operands.random(problem, way.dtype(), way.bias());
        Expected expected = Expected.of(problem, operands);
        if (way.dtype() == DType.FLOAT32) {
            tally.problem(problem, expected.isWhole());
        }
        List<String> differences = new ArrayList<>();
        for (Form form : way.forms()) {
            ProblemRun run = new ProblemRun(problem, form, way.dtype(), operands, way.constant());
            differences(run, expected, way).forEach(text -> differences.add(form + " " + text));
            tally.run(way.dtype() + " " + form);
        }
        return differences;
    }

    private List<String> differences(ProblemRun run, Expected expected, Way way) {
        Rounding rounding = Rounding.of(way.dtype());
        List<String> differences = new ArrayList<>();
        double[] onCpu = run.on(cpu).values();
        expected.difference(onCpu, rounding).ifPresent(text -> differences.add("CPU: " + text));
        for (ClBinding binding : way.bindings()) {
            ConformanceEngine device = devices.get(binding);
            if (device == null) {
                continue;
            }
            ProblemRun.Output output = run.on(device);
            String by = binding + " " + output.node().variant();
            if (output.node().target() != Placement.Target.DEVICE) {
                differences.add(
                        binding + " left it to the CPU: " + output.node().reasons());
            }
            Rounding ofVariant = rounding.by(output.node().variant());
            expected.difference(output.values(), ofVariant).ifPresent(text -> differences.add(by + ": " + text));
            expected.difference(output.values(), onCpu, ofVariant)
                    .ifPresent(text -> differences.add(by + " and CPU: " + text));
            tally.run(by);
        }
        return differences;
    }
}
