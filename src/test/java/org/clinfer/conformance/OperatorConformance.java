package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.ConformanceEngine;
import org.clinfer.Placement;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every operator of the catalogue against its definition, in every data type: on the CPU, there without vectors, with
 * every kernel variant, and as it is placed by default. {@code -Doperators=A,B} runs some operators alone,
 * {@code -Dlargest.case=N} the cases with at most N input elements, {@code -Dcases.each=N} each variant in the N smallest
 * cases that it takes, {@code -Dtypes=int8,bool} some data types: a simulator is slow. {@code -Dshard=I/N} runs every Nth operator from the Ith on, counted from 0. On the device, runs are
 * {@link SharedCases shared}, because drivers take long to build each kernel: {@code -Dtypes.share=1} runs every case in
 * every type.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class OperatorConformance {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorConformance.class);
    static final OpCatalog CATALOG = OpCatalog.builtIn();
    static final Map<String, List<OperatorCase>> CASES = OperatorCase.byOperator();
    static final Map<String, Reference> REFERENCES = References.all();

    /** Kernels of GPUs on any device; with {@code -Dother.kind=CPU} those of processors, on a simulator that is none. */
    private static final DeviceFacts.Kind OTHER_KIND =
            DeviceFacts.Kind.valueOf(System.getProperty("other.kind", DeviceFacts.Kind.GPU.name()));

    /** In how many cases of a type each variant runs at most. */
    private static final int CASES_EACH = Integer.getInteger("cases.each", Integer.MAX_VALUE);

    private static final int CASES_OF_ALTERNATIVES = 5;

    /** A device with other limits has the same kernels, with other tiles and splits. */
    private static final int CASES_OF_LIMITS = 2;

    private static final int CASES_OF_UNIT_TILES = 2;
    private static final int CASES_OF_UNIT_TYPES = 3;

    /** The operators whose kernels for processors have tiles for registers of 16 and of 8 floats. */
    private static final Set<String> WITH_REGISTER_TILES = Set.of(
            "BlockedConv",
            "ConvToBlocks",
            "FusedConv",
            "FusedConvTranspose",
            "Gemm",
            "InnerProduct",
            "MatMul",
            "MatMulNBits");

    /** What the names of variants for matrix units, and of cases for them, begin with. */
    private static final String WITH_UNITS = "units";

    private static final int WIDE_LANES = 16;
    private static final int NARROW_LANES = 8;
    private static final SharedCases SHARED = new SharedCases(CATALOG);

    /** Those with windows to whose kernels other convolutions are lowered. */
    static final Set<String> CONVOLUTIONS =
            Set.of("BlockedConv", "ConvToBlocks", "FusedConv", "FusedConvTranspose", "QuantizedConv");

    /** Operators with windows have more edges than others. */
    static final Set<String> WITH_WINDOWS = Set.of(
            "AvgPool",
            "BinaryConvolution",
            "BlockedConv",
            "BlockedPool",
            "MaxPool",
            "Conv2d",
            "DepthwiseConv2d",
            "FusedConv",
            "FusedConvTranspose",
            "Conv2dTranspose",
            "ConvTranspose",
            "Deconvolution",
            "Convolution",
            "ConvToBlocks",
            "QuantizedConv");

    private final Map<String, List<CaseRun>> runs = new TreeMap<>();
    private final Map<String, Integer> ran = new TreeMap<>();

    /** True if a test class is about an operator: there are several, so that two processes share the work. */
    abstract boolean isAbout(String op);

    Stream<String> operators() {
        String chosen = System.getProperty("operators", "");
        Set<String> only = Set.of(chosen.split(",", -1));
        List<String> all = CASES.keySet().stream()
                .filter(this::isAbout)
                .filter(op -> chosen.isEmpty() || only.contains(op))
                .filter(op -> CATALOG.find(op).isPresent() && REFERENCES.containsKey(op))
                .toList();
        String[] shard = System.getProperty("shard", "0/1").split("/", 2);
        int step = Integer.parseInt(shard[1]);
        return IntStream.iterate(Integer.parseInt(shard[0]), i -> i < all.size(), i -> i + step)
                .mapToObj(all::get);
    }

    /** The runs of an operator, made once: their references take as long as the runs. */
    private List<CaseRun> runs(String op) {
        return runs.computeIfAbsent(op, OperatorConformance::newRuns);
    }

    static List<CaseRun> newRuns(String op) {
        long largest = Long.getLong("largest.case", Long.MAX_VALUE);
        String types = System.getProperty("types", "");
        OpDescription description = CATALOG.find(op).orElseThrow();
        Map<DType, Integer> alike = new EnumMap<>(DType.class);
        return Objects.requireNonNull(CASES.get(op)).stream()
                .filter(operatorCase -> operatorCase.inputElements() <= largest)
                .sorted(Comparator.comparingLong(
                        operatorCase -> CASES_EACH == Integer.MAX_VALUE ? 0 : operatorCase.inputElements()))
                .flatMap(operatorCase -> CaseRun.of(operatorCase, description).stream())
                .filter(run -> run.namesItsType()
                        || alike.merge(run.type(), 1, Integer::sum) <= SharedCases.casesOf(run.type()))
                .filter(run -> types.isEmpty()
                        || List.of(types.split(",", -1)).contains(run.type().label()))
                .toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operators")
    void onTheCpu(String op) {
        try (ConformanceEngine cpu = ConformanceEngine.cpu()) {
            eachRun(
                    op,
                    "cpu",
                    (run, comparison) -> cpu.run(
                            run.graph(), run.inputs(), (outputs, placement) -> comparison.accept("cpu", outputs)));
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operators")
    void onTheCpuInPlainJava(String op) {
        try (ConformanceEngine cpu = ConformanceEngine.plainCpu()) {
            eachRun(
                    op,
                    "plain",
                    (run, comparison) -> cpu.run(
                            run.graph(), run.inputs(), (outputs, placement) -> comparison.accept("plain", outputs)));
        }
    }

    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operators")
    void withEveryVariant(String op) {
        try (ConformanceEngine device = ConformanceEngine.device(ClBinding.LWJGL)) {
            Set<String> tried = new TreeSet<>();
            Map<DType, Map<String, Integer>> cases = new EnumMap<>(DType.class);
            eachRun(op, "variants", (run, comparison) -> {
                Map<String, Integer> before = cases.computeIfAbsent(run.type(), type -> new TreeMap<>());
                if (SHARED.isChosen(op, run) || before.isEmpty()) {
                    device.runVariants(
                            op,
                            run.graph(),
                            run.inputs(),
                            variant -> {
                                int had = before.getOrDefault(variant.name(), 0);
                                return had < CASES_EACH && SharedCases.isChosenOfVariant(variant.name(), run, had);
                            },
                            comparison.andThen((variant, outputs) -> {
                                tried.add(variant);
                                before.merge(variant, 1, Integer::sum);
                            }));
                }
            });
            if (device.hasDoubles()) {
                assertThat(device.refusedBuilds())
                        .as("programs that were refused at first")
                        .isZero();
                Set<String> here = new TreeSet<>(device.variantsHere(op));
                // which depend on what else the device has, and are tried by themselves
                here.removeIf(OperatorConformance::takesUnits);
                assertAllTried(tried, here);
            }
        }
    }

    Stream<String> operatorsWithRegisterTiles() {
        return operators().filter(WITH_REGISTER_TILES::contains);
    }

    /** On a device that says that its registers are of the other width: tiles mean the same on every processor. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsWithRegisterTiles")
    void withTilesForOtherRegisters(String op) {
        int here;
        try (ConformanceEngine device = ConformanceEngine.device(ClBinding.LWJGL)) {
            here = device.registerLanes();
        }
        int lanes = here == WIDE_LANES ? NARROW_LANES : WIDE_LANES;
        try (ConformanceEngine other = ConformanceEngine.registers(lanes, ClBinding.LWJGL)) {
            assertThat(other.registerLanes()).isEqualTo(lanes);
            Map<String, Integer> tried = new TreeMap<>();
            eachRun(
                    op,
                    "registers of " + lanes,
                    (run, comparison) -> other.runVariants(
                            op,
                            run.graph(),
                            run.inputs(),
                            variant -> SharedCases.isChosenOfTiles(run, tried.getOrDefault(variant.name(), 0)),
                            comparison.andThen((variant, outputs) -> tried.merge(variant, 1, Integer::sum))));
            assertThat(tried).as("variants that some case has run with").isNotEmpty();
        }
    }

    /** A kernel variant that no case reaches would be one that no test reaches. */
    private static void assertAllTried(Set<String> tried, Set<String> variants) {
        if (hasAllCases()) {
            assertThat(tried).as("variants that some case has run with").containsAll(variants);
        }
    }

    Stream<String> operatorsOfTheOtherKind() {
        return operators()
                .filter(op -> ConformanceEngine.hasVariantsFor(OTHER_KIND, op))
                .filter(op -> CASES_EACH == Integer.MAX_VALUE || ConformanceEngine.hasItsOwnKernels(op));
    }

    /** On a device that says it is of another kind than it is: memory and work-groups mean the same everywhere. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsOfTheOtherKind")
    void withEveryVariantForAnotherKind(String op) {
        try (ConformanceEngine other = ConformanceEngine.ofKind(OTHER_KIND, ClBinding.LWJGL)) {
            withEveryVariantForItsKind(
                    op,
                    OTHER_KIND.name(),
                    other,
                    (run, before) -> CASES_EACH != Integer.MAX_VALUE
                            || (SHARED.isChosen(op, run) && SHARED.isChosenOfGpus(op, run, before)),
                    OperatorConformance::mostCases);
        }
    }

    Stream<String> operatorsOfGpus() {
        return OTHER_KIND == DeviceFacts.Kind.GPU && CASES_EACH == Integer.MAX_VALUE
                ? operatorsOfTheOtherKind()
                : Stream.empty();
    }

    /** Tiles and splits for few units; work-groups and local memory that a phone has, and no float64. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsOfGpus")
    void onASmallGpu(String op) {
        try (ConformanceEngine small = ConformanceEngine.smallGpu(ClBinding.LWJGL)) {
            withEveryVariantForItsKind(
                    op, "small GPU", small, (run, before) -> isOfLimits(run), variant -> CASES_OF_LIMITS);
        }
    }

    /** Tiles and splits for many units, and work-groups of up to 1024. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsOfGpus")
    void onALargeGpu(String op) {
        try (ConformanceEngine large = ConformanceEngine.largeGpu(ClBinding.LWJGL)) {
            withEveryVariantForItsKind(
                    op, "large GPU", large, (run, before) -> isOfLimits(run), variant -> CASES_OF_LIMITS);
        }
    }

    private void withEveryVariantForItsKind(
            String op,
            String where,
            ConformanceEngine other,
            BiPredicate<CaseRun, Integer> wanted,
            ToIntFunction<KernelVariant> mostCases) {
        Map<String, Integer> cases = new TreeMap<>();
        eachRun(
                op,
                where,
                (run, comparison) -> other.runVariantsForItsKind(
                        op,
                        run.graph(),
                        run.inputs(),
                        variant -> {
                            int before = cases.getOrDefault(run.type() + " " + variant.name(), 0);
                            return before < mostCases.applyAsInt(variant) && wanted.test(run, before);
                        },
                        (variant, outputs) -> {
                            cases.merge(run.type() + " " + variant, 1, Integer::sum);
                            comparison.accept(variant, outputs);
                        }));
        LOG.info("{}: cases of each variant on {}: {}", op, where, cases);
    }

    Stream<String> operatorsWithMatrixUnits() {
        return operators()
                .filter(ConformanceEngine::hasItsOwnKernels)
                .filter(op -> CATALOG.variants(op).stream().anyMatch(variant -> takesUnits(variant.variant())));
    }

    private static boolean takesUnits(String variant) {
        return variant.startsWith(WITH_UNITS);
    }

    /** On a device that emulates matrix units: the cases that are named for them, with a tile of either size. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsWithMatrixUnits")
    void withMatrixUnits(String op) {
        assertUnitsTried(triedWithUnits(op, ConformanceEngine.emulatedUnits(ClBinding.LWJGL)));
    }

    /** The same with units of which four waves of a group use one together. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsWithMatrixUnits")
    void withMatrixUnitsOfGroups(String op) {
        Set<String> tried = triedWithUnits(op, ConformanceEngine.emulatedWgmma(ClBinding.LWJGL));
        assertUnitsTried(tried);
        if (hasAllCases() && "MatMul".equals(op)) {
            assertThat(tried).contains("float16 units_rows", "bfloat16 units_rows", "float32 units_tf32_rows");
        }
    }

    private static void assertUnitsTried(Set<String> tried) {
        if (hasAllCases()) {
            assertThat(tried)
                    .as("variants that some case has run with")
                    .contains(
                            "float16 units",
                            "float16 units_128",
                            "bfloat16 units",
                            "float32 units_tf32",
                            "float32 units_tf32_128");
        }
    }

    private static boolean hasAllCases() {
        return Long.getLong("largest.case") == null
                && System.getProperty("types", "").isEmpty();
    }

    /** The same with the units of Intel's GPUs, of which some have sub-groups of 8 for them and others of 16. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsWithMatrixUnits")
    void withMatrixUnitsOfSubGroups(String op) {
        for (int lanes : new int[] {8, 16}) {
            Set<String> tried = triedWithUnits(op, ConformanceEngine.emulatedDpas(lanes, ClBinding.LWJGL));
            if (hasAllCases()) {
                assertThat(tried).containsExactlyInAnyOrder("float16 units", "bfloat16 units");
            }
        }
    }

    /** None where programs reach no matrix units of the device. */
    Stream<String> operatorsWithItsOwnMatrixUnits() {
        try (ConformanceEngine device = ConformanceEngine.ownUnits(ClBinding.LWJGL)) {
            return device.hasMatrixUnits() ? operatorsWithMatrixUnits() : Stream.empty();
        }
    }

    /** The same with the matrix units that the device has. */
    @RequiresOpenCl
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operatorsWithItsOwnMatrixUnits")
    void withItsOwnMatrixUnits(String op) {
        assertThat(triedWithUnits(op, ConformanceEngine.ownUnits(ClBinding.LWJGL)))
                .contains("float16 units");
    }

    /** The types and variants with matrix units of which cases ran. */
    private Set<String> triedWithUnits(String op, ConformanceEngine device) {
        Map<String, Integer> tried = new TreeMap<>();
        try (ConformanceEngine emulated = device) {
            eachRun(
                    op,
                    "matrix units",
                    (run, comparison) -> emulated.runVariantsForItsKind(
                            op,
                            run.graph(),
                            run.inputs(),
                            variant -> run.toString().contains(" " + WITH_UNITS)
                                    && takesUnits(variant.name())
                                    && tried.getOrDefault(run.type() + " " + variant.name(), 0)
                                            < mostCasesOfUnits(run.type(), variant),
                            comparison.andThen(
                                    (variant, outputs) -> tried.merge(run.type() + " " + variant, 1, Integer::sum))));
        }
        LOG.info("{}: cases of each variant with matrix units: {}", op, tried);
        return tried.keySet();
    }

    /** Programs with emulated units take long to build: float16 runs in all cases, what differs in little in some. */
    private static int mostCasesOfUnits(DType type, KernelVariant variant) {
        return variant.isAlternative()
                ? CASES_OF_UNIT_TILES
                : type == DType.FLOAT16 ? Integer.MAX_VALUE : CASES_OF_UNIT_TYPES;
    }

    /** One type whose sums are of reals and one whose sums are of integers: limits do not depend on more. */
    private static boolean isOfLimits(CaseRun run) {
        return run.type() == DType.FLOAT32 || run.type() == DType.INT8;
    }

    /** An alternative has the kernels of another variant, with tiles that others have, too. */
    private static int mostCases(KernelVariant variant) {
        return variant.isAlternative() ? Math.min(CASES_EACH, CASES_OF_ALTERNATIVES) : CASES_EACH;
    }

    @RequiresOpenCl(ClBinding.JOCL)
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("operators")
    void asPlaced(String op) {
        DeviceCoverage coverage = new DeviceCoverage();
        try (ConformanceEngine device = ConformanceEngine.device(ClBinding.JOCL)) {
            eachRun(op, "placed", (run, comparison) -> {
                if (SHARED.isChosen(op, run) || !coverage.has(run.type())) {
                    device.run(run.graph(), run.inputs(), (outputs, placement) -> {
                        comparison.accept(variant(placement), outputs);
                        coverage.add(run, placement);
                    });
                }
            });
            if (device.hasDoubles() && device.hasVariants(op)) {
                coverage.verify();
            }
        }
    }

    /** The kernel variant that ran the one node of a case, or that it was placed elsewhere. */
    private static String variant(List<Placement.Entry> placement) {
        return placement.size() == 1 && placement.get(0).target() == Placement.Target.DEVICE
                ? ConformanceEngine.withoutLayout(placement.get(0).variant())
                : "placed";
    }

    /** Runs one case, handing each result to the comparison under a name. */
    private interface Runner {
        void run(CaseRun run, BiConsumer<String, Map<String, Tensor>> comparison);
    }

    private void eachRun(String op, String where, Runner runner) {
        Coverage coverage = new Coverage();
        Reference reference = Objects.requireNonNull(REFERENCES.get(op));
        for (CaseRun run : runs(op)) {
            try {
                runner.run(run, (name, outputs) -> {
                    coverage.ran();
                    run.expected(reference)
                            .forEach((output, tensor) -> Agreement.difference(
                                            op, name, Objects.requireNonNull(outputs.get(output)), tensor)
                                    .ifPresent(difference ->
                                            coverage.failed(run + " " + name + ": " + output + " " + difference)));
                });
            } catch (RuntimeException e) {
                coverage.failed(run + " " + where + ": " + e);
            }
        }
        ran.merge(where, coverage.runs(), Integer::sum);
        coverage.verify(op);
    }

    @AfterAll
    void count() {
        LOG.info("conformance runs: {}", ran);
    }
}
