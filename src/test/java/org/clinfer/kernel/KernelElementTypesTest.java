package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class KernelElementTypesTest {

    private static String resolved(DType dtype, String type, boolean hasDouble) {
        return new KernelElementTypes(dtype.label(), false, hasDouble).resolve(type);
    }

    @Test
    void sumsAreWide() {
        for (DType dtype : DType.values()) {
            String expected = switch (dtype) {
                case FLOAT64 -> "double";
                case UINT64 -> "ulong";
                default -> dtype.isFloating() ? "float" : "long";
            };
            if (dtype != DType.U1) {
                assertThat(resolved(dtype, "WIDE", true)).as(dtype.label()).isEqualTo(expected);
            }
        }
        assertThat(new KernelElementTypes("int8", true, true).resolve("WIDE")).isEqualTo("int");
        assertThat(new KernelElementTypes("int16", true, true).resolve("WIDE")).isEqualTo("long");
    }

    @Test
    void coefficientsAreReal() {
        assertThat(resolved(DType.INT8, "REAL", true)).isEqualTo("double");
        assertThat(resolved(DType.INT8, "REAL", false)).isEqualTo("float");
        assertThat(resolved(DType.FLOAT16, "REAL", true)).isEqualTo("float");
        assertThat(resolved(DType.FLOAT64, "REAL", true)).isEqualTo("double");
    }

    @Test
    void coefficientsOfIntegersAreFloatWithoutDouble() {
        assertThat(new KernelElementTypes("int8", false, false).isCoefficientInFloat("REAL"))
                .isTrue();
        assertThat(new KernelElementTypes("int8", false, true).isCoefficientInFloat("REAL"))
                .isFalse();
        assertThat(new KernelElementTypes("float32", false, false).isCoefficientInFloat("REAL"))
                .isFalse();
        assertThat(new KernelElementTypes("int8", false, false).isCoefficientInFloat("WIDE"))
                .isFalse();
    }

    @Test
    void otherTypesAreThemselves() {
        assertThat(resolved(DType.INT8, "float", true)).isEqualTo("float");
        assertThat(resolved(DType.INT8, "int8", true)).isEqualTo("int8");
    }
}
