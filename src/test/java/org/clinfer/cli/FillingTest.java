package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs that {@code --input} makes up. */
class FillingTest {

    private static Tensor filled(String text, TensorType wanted) {
        return Filling.parse(text).orElseThrow().tensor(wanted);
    }

    @Test
    void aNumberIsForAllElements() {
        assertThat(filled("16000", TensorType.of(DType.INT64)).getLong(0)).isEqualTo(16000);
        assertThat(filled("9007199254740993", TensorType.of(DType.INT64)).getLong(0))
                .isEqualTo(9007199254740993L);
        assertThat(filled("-2.5e-1", TensorType.of(DType.FLOAT32, 2)).toFloatArray())
                .containsExactly(-0.25f, -0.25f);
        assertThat(filled("2x1:1", new TensorType(DType.INT32, new Shape(List.of(Dim.unknown(), Dim.of(1)))))
                        .toLongArray())
                .containsExactly(1, 1);
        assertThat(filled("zeros", TensorType.of(DType.FLOAT16, 2)).toDoubleArray())
                .containsExactly(0, 0);
        assertThat(filled("1", TensorType.of(DType.BOOL, 3)).toLongArray()).containsExactly(1, 1, 1);
    }

    @Test
    void aNumberThatTheTypeDoesNotHaveIsRefused() {
        assertThatThrownBy(() -> filled("2.5", TensorType.of(DType.INT64))).hasMessage("int64 has no 2.5");
        assertThatThrownBy(() -> filled("300", TensorType.of(DType.UINT8))).hasMessage("uint8 has no 300");
        assertThatThrownBy(() -> filled("9223372036854775808", TensorType.of(DType.INT64)))
                .hasMessage("int64 has no 9223372036854775808");
        assertThatThrownBy(() -> filled("1e39", TensorType.of(DType.FLOAT32))).hasMessage("float32 has no 1e39");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1x4", "x.npy", "1.npy", "random:x", "0x10:", "+1", "1e1000", "--1", "nan", "1,2"})
    void otherTextsAreNone(String text) {
        assertThat(Filling.parse(text)).isEmpty();
    }

    @Test
    void anOpenShapeHasAnExampleThatFits() {
        Shape text = new Shape(List.of(Dim.named("batch"), Dim.unknown()));
        assertThatThrownBy(() -> filled("random", new TensorType(DType.FLOAT32, text)))
                .hasMessageEndingWith("open; write it, as in 1x128:random");
        Shape line = new Shape(List.of(Dim.unknown(), Dim.of(3), Dim.of(48), Dim.unknown()));
        assertThatThrownBy(() -> filled("0", new TensorType(DType.FLOAT32, line)))
                .hasMessageEndingWith("open; write it, as in 1x3x48x224:0");
    }
}
