package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.opencl.Binding;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel variant against the CPU implementation, on the cases of {@code test-data/cases}. */
@RequiresOpenCl
@TestInstance(Lifecycle.PER_CLASS)
class KernelParityTest {

    private CountingClApi counting;
    private Engine cpu;
    private Engine device;

    @BeforeAll
    void open() {
        counting = CountingClApi.over(Binding.LWJGL);
        cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
        device = openDevice();
        assertThat(device.deviceNote()).contains(System.getProperty("require.device", ""));
    }

    /** With {@code -Dunpoisoned=true} fresh memory stays as it is, so that a simulator can tell who reads it. */
    private Engine openDevice() {
        ClApi api = SeparateBuffersClApi.over(counting.api(), !Boolean.getBoolean("unpoisoned"));
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()), () -> OpenCl.over(api));
    }

    @AfterAll
    void everythingIsReleased() {
        device.close();
        cpu.close();
        counting.assertAllReleased();
    }

    /** All cases, or with {@code -Dlargest.case=N} those with at most N input elements: a simulator is slow. */
    static Stream<OperatorCase> cases() {
        long largest = Long.getLong("largest.case", Long.MAX_VALUE);
        return OperatorCase.all().stream().filter(operatorCase -> operatorCase.inputElements() <= largest);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithTheCpu(OperatorCase operatorCase) {
        Map<String, Tensor> inputs = operatorCase.tensors();
        Map<String, Tensor> expected = run(cpu, operatorCase, inputs);
        List<String> tried = new ArrayList<>();
        for (KernelVariant variant : device.tools().kernels().variants(operatorCase.op())) {
            runOnly(variant, operatorCase, inputs, expected, tried);
        }
        assertThat(tried).as("variants which accept %s", operatorCase).isNotEmpty();
    }

    private void runOnly(
            KernelVariant variant,
            OperatorCase operatorCase,
            Map<String, Tensor> inputs,
            Map<String, Tensor> expected,
            List<String> tried) {
        try (Model model = device.load(operatorCase.graph());
                Session session = model.session()) {
            device.tools().kernels().variants(operatorCase.op()).stream()
                    .filter(other -> !other.equals(variant))
                    .forEach(other -> session.avoid(other.optype(), "not tested now"));
            try (Result result = session.run(inputs)) {
                Placement.Entry entry = session.placement().nodes().get(0);
                if (entry.target() == Placement.Target.CPU) {
                    return;
                }
                tried.add(variant.name());
                expected.forEach((name, tensor) -> Agreement.check(
                        operatorCase.op(), operatorCase + " " + variant.name() + " " + name, result.get(name), tensor));
            }
        }
    }

    private static Map<String, Tensor> run(Engine engine, OperatorCase operatorCase, Map<String, Tensor> inputs) {
        try (Model model = engine.load(operatorCase.graph());
                Session session = model.session()) {
            return session.run(inputs).outputs();
        }
    }

    @Test
    void everyOperatorWithAKernelHasACase() {
        TreeSet<String> ops = new TreeSet<>();
        OperatorCase.all().forEach(operatorCase -> ops.add(operatorCase.op()));
        TreeSet<String> missing = new TreeSet<>();
        OpCatalog.builtIn().operators().forEach(op -> {
            if (!OpCatalog.builtIn().variants(op.optype()).isEmpty() && !ops.contains(op.optype())) {
                missing.add(op.optype());
            }
        });
        assertThat(missing).isEmpty();
    }
}
