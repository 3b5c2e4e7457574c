package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tensors from and to arrays and buffers of Java. */
class JavaArraysTest {

    static Stream<Arguments> arrays() {
        return Stream.of(
                Arguments.of(new byte[][] {{1, -2}, {3, 4}}, DType.INT8),
                Arguments.of(new short[][] {{1, -2}, {3, 4}}, DType.INT16),
                Arguments.of(new int[][] {{1, -2}, {3, 4}}, DType.INT32),
                Arguments.of(new long[][] {{1, -2}, {3, 4}}, DType.INT64),
                Arguments.of(new float[][] {{1, -2}, {3, 4}}, DType.FLOAT32),
                Arguments.of(new double[][] {{1, -2}, {3, 4}}, DType.FLOAT64),
                Arguments.of(new boolean[][] {{true, false}, {false, true}}, DType.BOOL));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void nestedArraysComeBackAsTheyWere(Object nested, DType dtype) {
        Tensor tensor = Tensor.ofArray(nested);
        assertThat(tensor.type()).isEqualTo(TensorType.of(dtype, 2, 2));
        assertThat(tensor.toArray()).isEqualTo(nested);
    }

    @Test
    void aPictureOfFourAxesIsRowMajor() {
        float[][][][] picture = new float[1][3][2][4];
        picture[0][2][1][3] = 7;
        picture[0][1][0][2] = 5;
        Tensor tensor = Tensor.ofArray(picture);
        assertThat(tensor.shape()).isEqualTo(Shape.of(1, 3, 2, 4));
        assertThat(tensor.getDouble(23)).isEqualTo(7);
        assertThat(tensor.getDouble(10)).isEqualTo(5);
        assertThat(((float[][][][]) tensor.toArray())[0][2][1][3]).isEqualTo(7);
    }

    @Test
    void flatArraysOfEveryTypeHaveTheirOwnTypeAndComeBack() {
        assertThat(Tensor.of(new byte[] {1, -1}, 2).toByteArray()).containsExactly(1, -1);
        assertThat(Tensor.of(new short[] {1, -1}, 2).toShortArray()).containsExactly((short) 1, (short) -1);
        assertThat(Tensor.of(new int[] {1, -1}, 2, 1).toIntArray()).containsExactly(1, -1);
        assertThat(Tensor.of(new double[] {0.1, -1}, 2).toDoubleArray()).containsExactly(0.1, -1);
        assertThat(Tensor.of(new boolean[] {true, false}, 2).toBooleanArray()).containsExactly(true, false);
        assertThat(Tensor.of(new int[] {1, -1}, 2, 1).type()).isEqualTo(TensorType.of(DType.INT32, 2, 1));
        assertThat(Tensor.of(new double[] {1}, 1).dtype()).isEqualTo(DType.FLOAT64);
    }

    @Test
    void arraysOfTheSameWidthHaveTheBitsOfTypesWithoutSign() {
        assertThat(Tensor.of(DType.UINT8, new byte[] {-1, 2}, 2).toLongArray()).containsExactly(255, 2);
        assertThat(Tensor.of(DType.UINT16, new short[] {-1, 2}, 2).toLongArray())
                .containsExactly(65535, 2);
        assertThat(Tensor.of(DType.UINT32, new int[] {-1, 2}, 2).toLongArray()).containsExactly(4294967295L, 2);
        assertThat(Tensor.of(DType.UINT64, new long[] {-1, 2}, 2).getDouble(0)).isEqualTo(0x1p64);
        assertThat((short[]) Tensor.of(DType.UINT8, new byte[] {-1, 2}, 2).toArray())
                .containsExactly((short) 255, (short) 2);
        assertThat((int[]) Tensor.of(DType.UINT16, new short[] {-1}, 1).toArray())
                .containsExactly(65535);
        assertThat((long[]) Tensor.of(DType.UINT32, new int[] {-1}, 1).toArray())
                .containsExactly(4294967295L);
    }

    @Test
    void otherArraysAreConverted() {
        assertThat(Tensor.of(DType.UINT8, new int[] {255, 7}, 2).toLongArray()).containsExactly(255, 7);
        assertThat(Tensor.of(DType.UINT8, new float[] {300, -7}, 2).toLongArray())
                .containsExactly(255, 0);
        // a width that is the same, but another kind
        assertThat(Tensor.of(DType.FLOAT32, new int[] {3, -7}, 2).toFloatArray())
                .containsExactly(3, -7);
        assertThat(Tensor.of(DType.INT32, new float[] {3.9f, -7.9f}, 2).toIntArray())
                .containsExactly(3, -7);
        assertThat(Tensor.of(DType.FLOAT16, new short[] {3, -7}, 2).toFloatArray())
                .containsExactly(3, -7);
        assertThat(Tensor.of(DType.BOOL, new byte[] {3, 0}, 2).bytes().get(0)).isEqualTo((byte) 1);
        assertThat(Tensor.of(DType.INT8, new boolean[] {true, false}, 2).toByteArray())
                .containsExactly(1, 0);
    }

    /** 2049 lies between two float16 numbers, 257 between two of bfloat16; ties go to even. */
    @Test
    void floatsOfSixteenBitsAreRoundedToEven() {
        assertThat(Tensor.of(DType.FLOAT16, new float[] {2049, 2051}, 2).toFloatArray())
                .containsExactly(2048, 2052);
        assertThat(Tensor.of(DType.BFLOAT16, new float[] {257, 259}, 1, 2).toFloatArray())
                .containsExactly(256, 260);
        float[][] nested = {{2049}, {2051}};
        assertThat((float[][]) Tensor.of(DType.FLOAT16, nested, 2, 1).toArray())
                .isDeepEqualTo(new float[][] {{2048}, {2052}});
    }

    @Test
    void raggedArraysAreRefusedWithThePlace() {
        float[][][] ragged = {{{1, 2}, {3, 4}}, {{5, 6}, {7}}};
        assertThatThrownBy(() -> Tensor.ofArray(ragged))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the arrays are ragged: the one at [1][1] has 1 elements, those before it 2");
        assertThatThrownBy(() -> Tensor.ofArray(new float[][] {{1}, null})).hasMessage("the array at [1] is null");
        assertThatThrownBy(() -> Tensor.ofArray(new float[][] {null, {1}})).hasMessage("the array at [0] is null");
        assertThatThrownBy(() -> Tensor.ofArray(new float[0][2])).hasMessageContaining("leaves their sizes open");
    }

    @Test
    void whatIsNoArrayOfNumbersIsRefused() {
        assertThatThrownBy(() -> Tensor.ofArray("text")).hasMessageContaining("a String is no array of byte, short");
        assertThatThrownBy(() -> Tensor.ofArray(new Float[] {1f})).hasMessageContaining("a Float[] is no array");
        assertThatThrownBy(() -> Tensor.ofArray(new char[] {'a'})).hasMessageContaining("a char[] is no array");
    }

    @Test
    void arraysHaveTheElementsOfTheShape() {
        assertThatThrownBy(() -> Tensor.of(new int[] {1, 2, 3}, 2, 2))
                .hasMessageContaining("has 4 elements, but 3 were given");
        assertThatThrownBy(() -> Tensor.of(DType.FLOAT32, new float[2][3], 3, 2))
                .hasMessage("the arrays have the sizes 2x3, but the shape is 3x2");
    }

    @Test
    void aDirectLittleEndianBufferIsTheMemoryOfTheTensor() {
        ByteBuffer memory = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);
        Tensor tensor = Tensor.of(TensorType.of(DType.FLOAT32, 2), memory);
        memory.putFloat(4, 2.5f);
        assertThat(tensor.toFloatArray()).containsExactly(0, 2.5f);
    }

    /** What {@code get} methods of a buffer give are the elements, in whichever order it has them. */
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"INT16", "INT32", "FLOAT64"})
    void otherBuffersAreCopied(DType dtype) {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            for (boolean direct : new boolean[] {true, false}) {
                int bytes = 2 * dtype.bits() / 8;
                ByteBuffer memory =
                        (direct ? ByteBuffer.allocateDirect(bytes + 1) : ByteBuffer.allocate(bytes + 1)).order(order);
                memory.position(1);
                switch (dtype) {
                    case INT16 -> memory.putShort((short) 300).putShort((short) -7);
                    case INT32 -> memory.putInt(300).putInt(-7);
                    default -> memory.putDouble(300).putDouble(-7);
                }
                memory.position(1);
                Tensor tensor = Tensor.of(TensorType.of(dtype, 2), memory);
                assertThat(tensor.toDoubleArray()).containsExactly(300, -7);
                assertThat(memory.position()).isEqualTo(1);
            }
        }
    }

    @Test
    void buffersOfElementsKeepTheirBits() {
        ShortBuffer half = ShortBuffer.wrap(new short[] {0x3c00, (short) 0xc000});
        assertThat(Tensor.of(TensorType.of(DType.FLOAT16, 2), half).toFloatArray())
                .containsExactly(1, -2);
        FloatBuffer floats = FloatBuffer.wrap(new float[] {9, 1.5f}).position(1);
        assertThat(Tensor.of(TensorType.of(DType.FLOAT32, 1), floats).toFloatArray())
                .containsExactly(1.5f);
        assertThat(floats.position()).isEqualTo(1);
    }

    @Test
    void buffersThatDoNotFitAreRefused() {
        TensorType type = TensorType.of(DType.FLOAT32, 2);
        assertThatThrownBy(() -> Tensor.of(type, ByteBuffer.allocate(7)))
                .hasMessageContaining("has 8 bytes, but the buffer has 7");
        assertThatThrownBy(() -> Tensor.of(type, FloatBuffer.allocate(3)))
                .hasMessageContaining("has 2 elements, but the buffer has 3");
        assertThatThrownBy(() -> Tensor.of(type, ShortBuffer.allocate(4)))
                .hasMessageContaining("the buffer has elements of 16 bits, but 2:float32 has 32");
        assertThatThrownBy(() -> Tensor.of(TensorType.of(DType.INT16, 2), CharBuffer.allocate(2)))
                .hasMessageContaining("characters");
    }

    @Test
    void scalarsHaveEveryTypeAndAreNoArrays() {
        assertThat(Tensor.scalar(DType.FLOAT16, 2049).toFloatArray()).containsExactly(2048);
        assertThat(Tensor.scalar(DType.BOOL, 1).type()).isEqualTo(TensorType.of(DType.BOOL));
        assertThatThrownBy(() -> Tensor.scalar(1f).toArray()).isInstanceOf(IllegalStateException.class);
    }
}
