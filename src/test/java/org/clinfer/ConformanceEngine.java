package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.VariantDescription;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.MatrixUnits;
import org.clinfer.graph.Graph;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Runs graphs of one operator on the CPU, by default placement, or with one kernel variant alone. */
public final class ConformanceEngine implements AutoCloseable {

    /** Every node in launches of its own. */
    private static final EngineOptions LAUNCHED = EngineOptions.defaults().withChain(false);

    private final Engine engine;
    private final CountingClApi counting;
    private final Collection<String> refused;

    private ConformanceEngine(Engine engine, CountingClApi counting) {
        this(engine, counting, List.of());
    }

    private ConformanceEngine(Engine engine, CountingClApi counting, Collection<String> refused) {
        this.engine = engine;
        this.counting = counting;
        this.refused = refused;
    }

    /** Everything on the CPU, where sums are not transformed: what others are held against. */
    public static ConformanceEngine cpu() {
        return new ConformanceEngine(
                Engine.open(EngineOptions.defaults()
                        .withDevice(new DeviceChoice.Cpu())
                        .withExact(true)),
                CountingClApi.over(ClBinding.LWJGL));
    }

    /** Everything on the CPU, every node by itself and in the layout of the model. */
    public static ConformanceEngine nodesAlone() {
        return new ConformanceEngine(
                Engine.open(EngineOptions.defaults()
                        .withDevice(new DeviceChoice.Cpu())
                        .withFusion(false)),
                CountingClApi.over(ClBinding.LWJGL));
    }

    /** Everything on the CPU, without vectors. */
    public static ConformanceEngine plainCpu() {
        String before = System.getProperty(CpuPath.PROPERTY, "");
        System.setProperty(CpuPath.PROPERTY, "off");
        try {
            ConformanceEngine plain = cpu();
            assertThat(plain.engine.cpuPath()).isEqualTo("plain");
            return plain;
        } finally {
            System.setProperty(CpuPath.PROPERTY, before);
        }
    }

    /**
     * The first OpenCL device; every tensor is a buffer of its own, and fresh memory is full of NaN. With
     * {@code -Dunpoisoned=true} it stays as it is, so that a simulator can tell who reads it.
     */
    public static ConformanceEngine device(ClBinding binding) {
        return device(binding, LAUNCHED, DeviceAnswers::mostlyBuiltQuickly);
    }

    /** The same, where the device says that it is of this kind: its kernels can be held against their definition anywhere. */
    public static ConformanceEngine ofKind(DeviceFacts.Kind kind, ClBinding binding) {
        CountingClApi counting = CountingClApi.over(binding);
        ClApi separate = kind == DeviceFacts.Kind.CPU
                ? SeparateBuffersClApi.overProcessor(counting.api(), isPoisoned())
                : separate(counting);
        return device(LAUNCHED, DeviceAnswers.kind(kind, built(kind, separate)), counting);
    }

    /** The same, where the device says that it is a processor with registers of so many floats. */
    public static ConformanceEngine registers(int lanes, ClBinding binding) {
        return device(binding, LAUNCHED, api -> DeviceAnswers.registers(lanes, DeviceAnswers.mostlyBuiltQuickly(api)));
    }

    /** The same, where the device says that it is a GPU with so many compute units. */
    public static ConformanceEngine gpu(int units, ClBinding binding) {
        return device(binding, LAUNCHED, api -> DeviceAnswers.gpu(units, DeviceAnswers.builtQuickly(api)));
    }

    /** The same, where the device says that it is a GPU as small as a phone's, and keeps to its limits. */
    public static ConformanceEngine smallGpu(ClBinding binding) {
        return limited(LimitedGpu.Limits.SMALL, binding);
    }

    /** The same, where the device says that it is a GPU as large as a data centre's, and keeps to its limits. */
    public static ConformanceEngine largeGpu(ClBinding binding) {
        return limited(LimitedGpu.Limits.LARGE, binding);
    }

    private static ConformanceEngine limited(LimitedGpu.Limits limits, ClBinding binding) {
        CountingClApi counting = CountingClApi.over(binding);
        LimitedGpu gpu = new LimitedGpu(DeviceAnswers.builtQuickly(separate(counting)), limits);
        return device(LAUNCHED, gpu.api(), counting, gpu.refused());
    }

    /** The same, where the device says that it is a GPU and emulates matrix units, and factors may be rounded to TF32. */
    public static ConformanceEngine emulatedUnits(ClBinding binding) {
        return device(
                binding,
                LAUNCHED.withPrecision(Precision.TF32),
                api -> DeviceAnswers.emulatedUnits(DeviceAnswers.builtQuickly(api)));
    }

    /** The same with the units of NVIDIA's compute capability 9.0. */
    public static ConformanceEngine emulatedWgmma(ClBinding binding) {
        return device(
                binding,
                LAUNCHED.withPrecision(Precision.TF32),
                api -> DeviceAnswers.emulatedWgmma(DeviceAnswers.builtQuickly(api)));
    }

    /** The same with the device's own matrix units, where it says that it has few compute units. */
    public static ConformanceEngine ownUnits(ClBinding binding) {
        return device(
                binding,
                LAUNCHED.withPrecision(Precision.TF32),
                api -> DeviceAnswers.smallGpu(DeviceAnswers.builtQuickly(api)));
    }

    /** Whether programs reach matrix units of the device. */
    public boolean hasMatrixUnits() {
        return engine.device().orElseThrow().matrixUnits() != MatrixUnits.NONE;
    }

    /** The same, where the device says that it is a GPU and emulates Intel's matrix units with sub-groups of so many items. */
    public static ConformanceEngine emulatedDpas(int lanes, ClBinding binding) {
        return device(binding, LAUNCHED, api -> DeviceAnswers.emulatedDpas(lanes, DeviceAnswers.builtQuickly(api)));
    }

    /** The same, where sums are not transformed. */
    public static ConformanceEngine exactDevice(ClBinding binding) {
        return device(binding, LAUNCHED.withExact(true), DeviceAnswers::mostlyBuiltQuickly);
    }

    /** The first OpenCL device as every network has it, in chains and with tensors inside others; it says of what kind it is. */
    public static ConformanceEngine forNetworks(DeviceFacts.Kind kind, ClBinding binding) {
        CountingClApi counting = CountingClApi.over(binding);
        return device(EngineOptions.defaults(), DeviceAnswers.kind(kind, built(kind, counting.api())), counting);
    }

    private static ConformanceEngine device(ClBinding binding, EngineOptions options, UnaryOperator<ClApi> answers) {
        CountingClApi counting = CountingClApi.over(binding);
        return device(options, answers.apply(separate(counting)), counting);
    }

    /** Every tensor is a buffer of its own. */
    private static ClApi separate(CountingClApi counting) {
        return SeparateBuffersClApi.over(counting.api(), isPoisoned());
    }

    private static boolean isPoisoned() {
        return !Boolean.getBoolean("unpoisoned");
    }

    /** Kernels that are not for processors are all built quickly there. */
    private static ClApi built(DeviceFacts.Kind kind, ClApi api) {
        return kind == DeviceFacts.Kind.CPU ? DeviceAnswers.mostlyBuiltQuickly(api) : DeviceAnswers.builtQuickly(api);
    }

    private static ConformanceEngine device(EngineOptions options, ClApi api, CountingClApi counting) {
        return device(options, api, counting, List.of());
    }

    private static ConformanceEngine device(
            EngineOptions options, ClApi api, CountingClApi counting, Collection<String> refused) {
        Engine engine = Engine.open(options.withDevice(new DeviceChoice.FirstOpenCl()), () -> OpenCl.over(api));
        assertThat(engine.deviceNote()).contains(System.getProperty("require.device", ""));
        return new ConformanceEngine(engine, counting, refused);
    }

    /** Whether the device computes in float64; without, it need not take every type. */
    public boolean hasDoubles() {
        return engine.device().orElseThrow().has("cl_khr_fp64");
    }

    /** Programs that its driver refused, each of which costs a second build where that succeeds. */
    public int refusedBuilds() {
        return counting.calls("clGetProgramBuildInfo");
    }

    /** The floats of a register that its kernels are made for. */
    public int registerLanes() {
        return engine.device().orElseThrow().registerLanes();
    }

    /** Whether the device is a processor, for which some kernels are meant. */
    public boolean isProcessor() {
        return engine.device().orElseThrow().kind() == DeviceFacts.Kind.CPU;
    }

    /** Whether the operator has kernels at all. */
    public boolean hasVariants(String op) {
        return !variants(op).isEmpty();
    }

    private List<KernelVariant> variants(String op) {
        OpCatalog operators = engine.context().operators();
        String computed = operators.lowered(operators.find(op).orElseThrow()).optype();
        return engine.context().kernels().variants(computed);
    }

    private static String described(DeviceFacts.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Runs a graph wherever it is placed and hands on the results and where each node ran. */
    public void run(
            Graph graph, Map<String, Tensor> inputs, BiConsumer<Map<String, Tensor>, List<Placement.Entry>> to) {
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(inputs)) {
            assertThat(session.recoveries()).isEmpty();
            assertThat(engine.context().parallel().scratch().lent())
                    .as("arrays that are not given back, or were not taken")
                    .isZero();
            to.accept(result.outputs(), session.placement().nodes());
        }
    }

    /** Whether the operator is not computed by the kernels of another one. */
    public static boolean hasItsOwnKernels(String op) {
        OpCatalog operators = OpCatalog.builtIn();
        return operators.lowered(operators.find(op).orElseThrow()).optype().equals(op);
    }

    /** Whether the operator has kernels that are meant for this kind of device, or know it. */
    public static boolean hasVariantsFor(DeviceFacts.Kind kind, String op) {
        return variantsFor(kind, op, OpCatalog.builtIn()).findAny().isPresent();
    }

    private static Stream<VariantDescription> variantsFor(DeviceFacts.Kind kind, String op, OpCatalog operators) {
        String described = described(kind);
        String condition = "device.kind == '" + described + "'";
        return operators
                .variants(operators.lowered(operators.find(op).orElseThrow()).optype())
                .stream()
                .filter(variant ->
                        variant.deviceKind().filter(described::equals).isPresent()
                                || variant.privs().stream()
                                        .anyMatch(priv -> priv.value().source().contains(condition)));
    }

    /** The operator's own variants by name, but those that are meant for another kind of device alone. */
    public Set<String> variantsHere(String op) {
        String here = described(engine.device().orElseThrow().kind());
        return engine.context().operators().variants(op).stream()
                .filter(variant -> variant.body() instanceof VariantDescription.Launches)
                .filter(variant -> variant.deviceKind().map(here::equals).orElse(true))
                .map(VariantDescription::variant)
                .collect(Collectors.toSet());
    }

    /** Runs a graph of one node with each kernel variant that takes it, the others being out of bounds. */
    public void runVariants(
            String op, Graph graph, Map<String, Tensor> inputs, BiConsumer<String, Map<String, Tensor>> to) {
        runVariants(op, graph, inputs, variant -> true, to);
    }

    /** The same with the variants that are wanted. */
    public void runVariants(
            String op,
            Graph graph,
            Map<String, Tensor> inputs,
            Predicate<KernelVariant> wanted,
            BiConsumer<String, Map<String, Tensor>> to) {
        DeviceFacts device = engine.device().orElseThrow();
        List<KernelVariant> variants = variants(op);
        runVariants(
                variants.stream()
                        .filter(variant -> variant.isFor(device) && wanted.test(variant))
                        .toList(),
                variants,
                graph,
                inputs,
                to);
    }

    /** The same with the variants that look at the kind of the device, as far as they are wanted, by name. */
    public void runVariantsForItsKind(
            String op,
            Graph graph,
            Map<String, Tensor> inputs,
            Predicate<KernelVariant> wanted,
            BiConsumer<String, Map<String, Tensor>> to) {
        Set<String> chosen = variantsFor(
                        engine.device().orElseThrow().kind(),
                        op,
                        engine.context().operators())
                .map(VariantDescription::optype)
                .collect(Collectors.toSet());
        runVariants(op, graph, inputs, variant -> chosen.contains(variant.optype()) && wanted.test(variant), to);
    }

    private void runVariants(
            List<KernelVariant> chosen,
            List<KernelVariant> variants,
            Graph graph,
            Map<String, Tensor> inputs,
            BiConsumer<String, Map<String, Tensor>> to) {
        try (Model model = engine.load(graph)) {
            Map<String, TensorType> types = new HashMap<>();
            inputs.forEach((name, tensor) -> types.put(name, tensor.type()));
            for (KernelVariant variant : chosen) {
                try (Session session = model.session()) {
                    variants.stream()
                            .filter(other -> !other.equals(variant))
                            .forEach(other -> session.avoid(other.optype(), "not tested now"));
                    if (!runsOn(variant, session.placement(types))) {
                        continue;
                    }
                    try (Result result = session.run(inputs)) {
                        assertThat(session.recoveries()).isEmpty();
                        assertThat(refused)
                                .as("launches beyond the device's limits")
                                .isEmpty();
                        assertThat(runsOn(variant, session.placement())).isTrue();
                        to.accept(variant.name(), result.outputs());
                    }
                }
            }
        }
    }

    private static boolean runsOn(KernelVariant variant, Placement placement) {
        return placement.nodes().stream()
                .anyMatch(entry -> entry.target() == Placement.Target.DEVICE
                        && withoutLayout(entry.variant()).equals(variant.name()));
    }

    /** The name of a variant in a placement, where that of its layout stands in front of it: {@code nChw16c tile}. */
    public static String withoutLayout(String variant) {
        return variant.substring(variant.lastIndexOf(' ') + 1);
    }

    @Override
    public void close() {
        engine.close();
        counting.assertAllReleased();
        assertThat(refused).as("launches beyond the device's limits").isEmpty();
    }
}
