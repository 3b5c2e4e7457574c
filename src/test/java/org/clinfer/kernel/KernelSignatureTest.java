package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.clinfer.kernel.KernelSignature.Kind;
import org.clinfer.kernel.KernelSignature.Parameter;
import org.junit.jupiter.api.Test;

/** Parameters as they are written in OpenCL C. */
class KernelSignatureTest {

    private static Parameter only(String declaration) {
        KernelSignature signature = KernelSignature.of("kernel void f(" + declaration + ") {}", "f");
        assertThat(signature.parameters()).hasSize(1);
        return signature.parameters().get(0);
    }

    @Test
    void readsBuffers() {
        Parameter x = new Parameter("x", Kind.BUFFER, "float");
        assertThat(only("global float *x")).isEqualTo(x);
        assertThat(only("__global const float* restrict x")).isEqualTo(x);
        assertThat(only("const __global float * __restrict x")).isEqualTo(x);
        assertThat(only("volatile global float*x")).isEqualTo(x);
        assertThat(only("constant float4 *weights")).isEqualTo(new Parameter("weights", Kind.BUFFER, "float4"));
    }

    @Test
    void readsScalarsAndVectors() {
        assertThat(only("int n")).isEqualTo(new Parameter("n", Kind.SCALAR, "int"));
        assertThat(only("const ulong n")).isEqualTo(new Parameter("n", Kind.SCALAR, "ulong"));
        assertThat(only("private int8 dims")).isEqualTo(new Parameter("dims", Kind.SCALAR, "int8"));
        assertThat(only("float3\n  v")).isEqualTo(new Parameter("v", Kind.SCALAR, "float3"));
    }

    @Test
    void readsLocalMemory() {
        assertThat(only("local float *tile")).isEqualTo(new Parameter("tile", Kind.LOCAL, "float"));
        assertThat(only("__local TYPE *tile")).isEqualTo(new Parameter("tile", Kind.LOCAL, "TYPE"));
    }

    @Test
    void takesMacrosForTypes() {
        assertThat(only("global const TYPE *x")).isEqualTo(new Parameter("x", Kind.BUFFER, "TYPE"));
        assertThat(only("INDEX n")).isEqualTo(new Parameter("n", Kind.SCALAR, "INDEX"));
    }

    @Test
    void findsTheEntryAmongOthers() {
        String source = """
                // kernel void scale(int wrong)
                /* kernel void scale(int wrong,
                   int too) */
                float scale(float x) { return x; }
                void kernel_scale(int wrong) {}
                kernel void scaled(int wrong) {}
                __kernel __attribute__((reqd_work_group_size(8, 1, 1)))
                void scale(global float *x, // the numbers, all of them
                           /* by how much, exactly */ float factor,
                           long count)
                { scale(1.0f); }
                kernel void none(void_t v) {}
                kernel void empty() {}
                """;
        assertThat(KernelSignature.of(source, "scale").parameters())
                .containsExactly(
                        new Parameter("x", Kind.BUFFER, "float"),
                        new Parameter("factor", Kind.SCALAR, "float"),
                        new Parameter("count", Kind.SCALAR, "long"));
        assertThat(KernelSignature.of(source, "empty").parameters()).isEmpty();
        assertThat(KernelSignature.of(source, "scale").entry()).isEqualTo("scale");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> KernelSignature.of("void f(int n) {} kernel void g(int n) {}", "f"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the kernel source has no entry point 'f'");
        assertThatThrownBy(() -> KernelSignature.of("// kernel void f(int n) {}", "f"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KernelSignature.of("kernel void f(int n", "f"))
                .hasMessage("the parameters of entry point 'f' do not end");
        assertThatThrownBy(() -> KernelSignature.of("kernel void f(global float *) {}", "f"))
                .hasMessage("parameter 'global float *' of entry point 'f' has no type or no name");
    }
}
