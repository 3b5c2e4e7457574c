package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Function;
import org.clinfer.ConformanceEngine;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How exact transformed convolutions are, which are chosen, and that they are not where exact sums are asked for. */
class WinogradTest {

    private static final String SHAPES = """
            mb1_ic16oc16_ih56kh3ph1n"few_channels",        winograd4
            mb1_ic64oc64_ih56kh3ph1n"resnet_50_a",         winograd4
            mb1_ic128oc128_ih28kh3ph1n"resnet_50_b",       winograd4
            mb1_ic256oc256_ih14kh3ph1n"resnet_50_c",       winograd2
            mb1_ic512oc512_ih7kh3ph1n"resnet_50_d",        winograd2
            mb4_ic64oc33_ih7kh3ph1n"batch_of_small_maps",  winograd4
            mb1_ic1024oc24_ih14kh3ph1n"long_sums",         winograd4
            mb1_ic31oc17_ih10kh3ph0n"eight_rows",          winograd2
            mb2_ic24oc40_ih13iw91kh3kw3ph1pw1n"wide",           winograd4""";

    private static final String SHAPES_OF_GROUPS = """
            mb1_ic64oc64_ih32kh3ph1n"plain",               winograd4_groups
            mb1_ic512oc64_ih32kh3ph1n"long_sums",          winograd4_groups
            mb1_ic190oc128_ih8iw31kh3kw3ph1pw1n"small",    winograd2_groups""";

    @RequiresOpenCl
    @ParameterizedTest
    @CsvSource(textBlock = SHAPES, quoteCharacter = '`')
    void isAsExactAsSaid(String descriptor, String variant) {
        ProblemRun.Output output = run(descriptor, Rounding.of(DType.FLOAT32).by(variant), ConformanceEngine::device);
        assertThat(output.node().variant()).endsWith(variant);
    }

    /** On a device that says it is a GPU of two units: what pays depends on their number. */
    @RequiresOpenCl
    @ParameterizedTest
    @CsvSource(textBlock = SHAPES_OF_GROUPS, quoteCharacter = '`')
    void isAsExactInGroups(String descriptor, String variant) {
        try (ConformanceEngine engine = ConformanceEngine.gpu(2, ClBinding.LWJGL)) {
            ProblemRun.Output output =
                    run(descriptor, Rounding.of(DType.FLOAT32).by(variant), engine);
            assertThat(output.node().variant()).endsWith(variant);
        }
    }

    @RequiresOpenCl
    @ParameterizedTest
    @CsvSource(textBlock = SHAPES, quoteCharacter = '`')
    void isNotUsedWhereExactSumsAreAskedFor(String descriptor, String variant) {
        ProblemRun.Output output = run(descriptor, Rounding.of(DType.FLOAT32), ConformanceEngine::exactDevice);
        assertThat(output.node().variant()).doesNotContain("winograd");
        assertThat(output.node().reasons()).anyMatch(reason -> reason.contains("exact sums are asked for"));
    }

    private static ProblemRun.Output run(
            String descriptor, Rounding rounding, Function<ClBinding, ConformanceEngine> opener) {
        try (ConformanceEngine engine = opener.apply(ClBinding.LWJGL)) {
            assumeTrue(engine.isProcessor());
            return run(descriptor, rounding, engine);
        }
    }

    private static ProblemRun.Output run(String descriptor, Rounding rounding, ConformanceEngine engine) {
        Problem problem = Descriptor.parse(descriptor, false, "");
        Operands operands = Operands.random(problem, DType.FLOAT32, true);
        ProblemRun.Output output = new ProblemRun(problem, Form.NCX_OIX, DType.FLOAT32, operands, true).on(engine);
        assertThat(Expected.of(problem, operands).difference(output.values(), rounding))
                .isEmpty();
        return output;
    }
}
