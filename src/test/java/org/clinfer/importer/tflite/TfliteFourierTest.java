package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fourier transforms and the parts of their complex numbers, against sums. */
class TfliteFourierTest {

    @TempDir
    Path folder;

    private static TfliteNet transform(String part, int rows, int columns, int[] lengths, int[] sizes) {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2, rows, columns);
        int length = net.vector("length", lengths);
        int complex = net.value("complex", "complex64", sizes);
        int y = net.value("y", "float32", sizes);
        return net.op("RFFT2D", complex, "", x, length).op(part, y, "", complex).output(y);
    }

    @Test
    void reshapesComplexNumbers() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2, 1, 4);
        int complex = net.value("complex", "complex64", 2, 1, 3);
        int rows = net.value("rows", "complex64", 2, 3);
        int y = net.value("y", "float32", 2, 3);
        net.op("RFFT2D", complex, "", x, net.vector("length", 1, 4))
                .op("RESHAPE", rows, "", complex, net.vector("shape", 2, 3))
                .op("REAL", y, "", rows)
                .output(y);
        Tensor result = net.one(folder, Map.of("x", Tensor.of(new float[] {1, 2, 3, 4, 5, 0, 0, 1}, 2, 1, 4)));
        assertThat(result.shape()).isEqualTo(Shape.of(2, 3));
        assertThat(result.toFloatArray()).containsExactly(new float[] {10, -2, -2, 6, 5, 4}, within(1e-5f));
    }

    @ParameterizedTest
    @CsvSource({"REAL,4,6,4,6", "IMAG,3,5,3,5", "COMPLEX_ABS,4,6,4,8", "REAL,5,6,3,4", "IMAG,1,7,1,7", "IMAG,2,3,4,5"})
    void transforms(String part, int rows, int columns, int height, int width) throws IOException {
        int count = width / 2 + 1;
        TfliteNet net = transform(part, rows, columns, new int[] {height, width}, new int[] {2, height, count});
        Tensor x = Tensor.allocate(DType.FLOAT32, 2, rows, columns);
        for (int i = 0; i < x.elements(); i++) {
            x.setDouble(i, Math.sin(i * i) + i % 3);
        }
        Tensor y = net.one(folder, Map.of("x", x));
        assertThat(y.shape()).isEqualTo(Shape.of(2, height, count));
        for (int i = 0; i < y.elements(); i++) {
            int column = i % count;
            int row = i / count % height;
            double real = 0;
            double imaginary = 0;
            for (int r = 0; r < Math.min(rows, height); r++) {
                for (int c = 0; c < Math.min(columns, width); c++) {
                    double turn = -2 * Math.PI * ((double) row * r / height + (double) column * c / width);
                    double value = x.getDouble((i / count / height * rows + r) * (long) columns + c);
                    real += value * Math.cos(turn);
                    imaginary += value * Math.sin(turn);
                }
            }
            double wanted = part.equals("REAL") ? real : part.equals("IMAG") ? imaginary : Math.hypot(real, imaginary);
            assertThat(y.getDouble(i)).isCloseTo(wanted, within(1e-4));
        }
    }

    @Test
    void otherOperatorsTakeNoComplexNumbers() {
        TfliteNet net = transform("NEG", 4, 6, new int[] {4, 6}, new int[] {2, 4, 4});
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("layer NEG with data type complex64 is not supported");
    }

    @Test
    void complexResultsAreRefused() {
        TfliteNet net = transform("REAL", 4, 6, new int[] {4, 6}, new int[] {2, 4, 4});
        net.output(2);
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("layer RFFT2D with data type complex64 is not supported");
    }
}
