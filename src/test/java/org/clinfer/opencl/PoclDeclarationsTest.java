package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RequiresOpenCl
final class PoclDeclarationsTest extends OpenClFixture {

    private static final String WITH_KNOWN = kernel("convert_int_sat_rte(fma(x[i], 2.0f, sqrt(x[i])))");
    private static final String WITH_UNKNOWN = kernel("ilogb(x[i])");

    PoclDeclarationsTest() {
        super(ClBinding.LWJGL);
    }

    private static String kernel(String value) {
        return "kernel void k(global float *x) {\n    size_t i = get_global_id(0);\n    x[i] = " + value + ";\n}\n";
    }

    @BeforeEach
    void onPocl() {
        assumeTrue(PoclDeclarations.areFor(device.facts()), "only PoCL parses a header for each program");
    }

    @Test
    void aProgramIsBuiltWithTheFunctionsThatItMentions() {
        assertThat(PoclDeclarations.declared(WITH_KNOWN))
                .contains("REALS_(THREE_, fma)", "REALS_(ONE_, sqrt)", "CONVERSION_(convert_int_sat_rte, int, )")
                .doesNotContain("REALS_(ONE_, sin)")
                .endsWith("#line 1\n" + WITH_KNOWN);
        assertThat(firstOf(WITH_KNOWN)).isEqualTo(21);
        assertThat(counting.calls("clBuildProgram")).isEqualTo(1);
    }

    @Test
    void aProgramWithAnotherFunctionIsBuiltWithTheHeader() {
        assertThat(firstOf(WITH_UNKNOWN)).isEqualTo(Math.getExponent(9f));
        assertThat(counting.calls("clBuildProgram")).isEqualTo(2);
    }

    /** The result of a kernel for 9. */
    private float firstOf(String source) {
        try (ClProgram program = context.program("k.cl", source, "");
                ClKernel kernel = program.kernel("k", List.of("x"));
                ClBuffer x = context.bufferOf(floats(9), ClAccess.READ_WRITE)) {
            kernel.arg("x", x);
            queue.launch(kernel, new long[] {1}, null);
            ByteBuffer result = read(x);
            return result.getFloat(0);
        }
    }

    @Test
    void anErrorIsThatOfTheProgramAsItIsWritten() {
        String wrong = "// first line\nkernel void k(global float *x) {\n    x[0] = nonsense;\n}\n";
        assertThatThrownBy(() -> context.program("k.cl", wrong, "-DSIZE=3"))
                .isInstanceOf(ClBuildException.class)
                .hasMessageContaining(":3:")
                .hasMessageContaining("nonsense")
                .hasMessageContaining("options: -DSIZE=3")
                .hasMessageNotContaining(PoclDeclarations.OPTIONS);
    }

    @Test
    void conversionsThatMacrosJoinAreDeclared() {
        assertThat(PoclDeclarations.declared("#define JOINED(type) convert_ ## type ## 4_sat\n" + "JOINED(uchar)"))
                .contains("CONVERSION_(convert_uchar4_sat, uchar, 4)");
    }
}
