package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory, element access and lifetime of tensors; conversions are in {@link ConversionTest}. */
class TensorTest {

    @ParameterizedTest
    @EnumSource
    void keepsElementsApart(DType dtype) {
        int least = dtype == DType.FLOAT8E8M0 ? 1 : 0; // the powers of 2 have no 0
        Tensor tensor = Tensor.allocate(dtype, 3, 7);
        for (int i = 0; i < 21; i++) {
            assertThat(tensor.getLong(i)).isZero();
        }
        for (int i = 0; i < 21; i++) {
            tensor.setLong(i, least + i * 5 % 7 % 2);
        }
        for (int i = 0; i < 21; i++) {
            assertThat(tensor.getLong(i)).as("%s[%d]", dtype, i).isEqualTo(least + i * 5 % 7 % 2);
            assertThat(tensor.getDouble(i)).isEqualTo(least + i * 5 % 7 % 2);
        }
        tensor.setDouble(20, least + 1);
        tensor.setDouble(20, least);
        assertThat(tensor.getLong(20)).isEqualTo(least);
        assertThat(tensor.getLong(19)).isEqualTo(least + 19 * 5 % 7 % 2);
    }

    @ParameterizedTest
    @EnumSource
    void storesAllElementsAsOneByOne(DType dtype) {
        double[] values = {0, 1, 0.3, 1e10, -1.5, 1};
        Tensor oneByOne = Tensor.allocate(dtype, 2, 3);
        for (int i = 0; i < values.length; i++) {
            oneByOne.setDouble(i, values[i]);
        }
        Tensor all = Tensor.allocate(dtype, 2, 3);
        all.setDoubles(values);
        assertThat(all.bytes()).isEqualTo(oneByOne.bytes());
        double[] each = new double[values.length];
        for (int i = 0; i < each.length; i++) {
            each[i] = oneByOne.getDouble(i);
        }
        assertThat(all.toDoubleArray()).isEqualTo(each);
        assertThatThrownBy(() -> all.setDoubles(new double[5])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isJoinedOfPartsThatFit() {
        Tensor row = Tensor.of(new float[] {1, 2}, 1, 2);
        assertThat(Tensor.joined(TensorType.of(DType.FLOAT32, 2, 2), List.of(row, row))
                        .toFloatArray())
                .containsExactly(1, 2, 1, 2);
        List<Tensor> others = List.of(row, Tensor.of(new int[] {1, 2}, 1, 2));
        for (List<Tensor> parts : List.of(List.of(row), List.of(row, row, row), others)) {
            assertThatThrownBy(() -> Tensor.joined(TensorType.of(DType.FLOAT32, 2, 2), parts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("2x2:float32 is not made of ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnIndexThatIsNotItsOwn(DType dtype) {
        Tensor tensor = Tensor.allocate(dtype, 5);
        for (long index : new long[] {-1, 5, 1L << 29, 1L << 30, 1L << 32, Long.MAX_VALUE}) {
            List<Consumer<Tensor>> accesses = List.of(
                    t -> t.getLong(index),
                    t -> t.getDouble(index),
                    t -> t.setLong(index, 1),
                    t -> t.setDouble(index, 1));
            for (Consumer<Tensor> access : accesses) {
                assertThatThrownBy(() -> access.accept(tensor))
                        .as("%s[%d]", dtype, index)
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
        assertThat(tensor.toLongArray()).containsOnly(0);
    }

    @Test
    void isLittleEndian() {
        assertThat(Tensor.of(new long[] {0x0102030405060708L}, 1).bytes().get(0))
                .isEqualTo((byte) 8);
        assertThat(Tensor.scalar(1f).bytes().get(3)).isEqualTo((byte) 0x3f);
        Tensor shorts = Tensor.allocate(DType.INT16, 2);
        shorts.setLong(1, 0x1234);
        assertThat(shorts.bytes()).isEqualTo(ByteBuffer.wrap(new byte[] {0, 0, 0x34, 0x12}));
    }

    @Test
    void packsBitsWithTheMostSignificantFirst() {
        Tensor bits = Tensor.allocate(DType.U1, 2, 5);
        for (int set : new int[] {0, 3, 7, 9}) {
            bits.setLong(set, 1);
        }
        assertThat(bits.bytes()).isEqualTo(ByteBuffer.wrap(new byte[] {(byte) 0b1001_0001, 0b0100_0000}));
        assertThat(bits.toLongArray()).containsExactly(1, 0, 0, 1, 0, 0, 0, 1, 0, 1);
    }

    @Test
    void keepsTheLowBitsOfLongsAndSaturatesDoubles() {
        Tensor tensor = Tensor.allocate(DType.INT8, 1);
        tensor.setLong(0, 300);
        assertThat(tensor.getLong(0)).isEqualTo(44);
        tensor.setDouble(0, 300);
        assertThat(tensor.getLong(0)).isEqualTo(127);
        tensor.setDouble(0, -1e30);
        assertThat(tensor.getLong(0)).isEqualTo(-128);
        tensor.setDouble(0, -1.9);
        assertThat(tensor.getLong(0)).isEqualTo(-1);
        tensor.setDouble(0, Double.NaN);
        assertThat(tensor.getLong(0)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void mayBeEmpty(DType dtype) {
        Tensor empty = Tensor.allocate(dtype, 3, 0, 2);
        assertThat(empty.elements()).isZero();
        assertThat(empty.bytes().remaining()).isZero();
        assertThat(empty.toFloatArray()).isEmpty();
        assertThat(empty.to(DType.FLOAT64).elements()).isZero();
        assertThat(empty.copy().type()).isEqualTo(empty.type());
        assertThatThrownBy(() -> empty.getLong(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesMoreThanOneBufferHolds() {
        assertThatThrownBy(() -> Tensor.allocate(DType.FLOAT32, 2_500_000_000L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2500000000:float32 needs 10000000000 bytes, more than the 2147483519 of one tensor");
        assertThatThrownBy(() -> Tensor.allocate(DType.FLOAT64, 1L << 61))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("2305843009213693952:float64 is too large: ");
        assertThatThrownBy(() -> Tensor.allocate(DType.INT8, 1L << 40, 1L << 40))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overflows 64 bits");
    }

    @Test
    void refusesBuffersThatDoNotFit() {
        TensorType type = TensorType.of(DType.FLOAT32, 3);
        assertThatThrownBy(() -> Tensor.wrap(type, ByteBuffer.allocate(12)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a tensor needs a direct buffer");
        for (int bytes : new int[] {11, 13}) {
            assertThatThrownBy(() -> Tensor.wrap(type, ByteBuffer.allocateDirect(bytes)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("3:float32 needs 12 bytes, but the buffer has " + bytes);
        }
    }

    @Test
    void wrapsFromThePositionOfABuffer() {
        ByteBuffer memory = ByteBuffer.allocateDirect(24);
        Tensor tensor =
                Tensor.wrap(TensorType.of(DType.INT32, 3), memory.position(8).limit(20));
        tensor.setLong(0, 7);
        tensor.setLong(2, 9);
        assertThat(memory.get(8)).isEqualTo((byte) 7);
        assertThat(memory.get(16)).isEqualTo((byte) 9);
    }

    @Test
    void refusesTheWrongNumberOfElements() {
        assertThatThrownBy(() -> Tensor.of(new float[] {1, 2}, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3:float32 has 3 elements, but 2 were given");
        assertThatThrownBy(() -> Tensor.of(new long[4], 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesViewsOfAnotherType() {
        assertThatThrownBy(() -> Tensor.scalar(1L).floats())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the tensor is scalar:int64, not float32");
        assertThatThrownBy(() -> Tensor.scalar(1f).longs()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void canBeReadOnlyUntilItIsClosed() {
        Tensor tensor = Tensor.of(new float[] {1, 2, 3, 4}, 4);
        Tensor view = tensor.reshaped(Shape.of(2, 2));
        Tensor copy = tensor.copy();
        tensor.close();
        tensor.close();
        List<Consumer<Tensor>> accesses = List.of(
                Tensor::bytes,
                Tensor::floats,
                t -> t.getDouble(0),
                t -> t.getLong(0),
                t -> t.setLong(0, 1),
                t -> t.setDouble(0, 1),
                Tensor::toFloatArray,
                Tensor::toLongArray,
                t -> t.to(DType.INT8),
                t -> t.reshaped(Shape.of(4)),
                Tensor::copy);
        for (Consumer<Tensor> access : accesses) {
            assertThatThrownBy(() -> access.accept(tensor))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the tensor 4:float32 is closed");
        }
        assertThat(tensor).hasToString("4:float32 (closed)");
        assertThat(view.toFloatArray()).containsExactly(1, 2, 3, 4);
        assertThat(copy.toFloatArray()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void reshapesOverTheSameMemoryAndCopiesIntoItsOwn() {
        Tensor tensor = Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, 6);
        Tensor view = tensor.reshaped(Shape.of(2, 3));
        Tensor copy = tensor.copy();
        tensor.setLong(0, 9);
        assertThat(view.shape()).isEqualTo(Shape.of(2, 3));
        assertThat(view.getLong(0)).isEqualTo(9);
        assertThat(copy.getLong(0)).isEqualTo(1);
        assertThatThrownBy(() -> tensor.reshaped(Shape.of(5))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void countsTheSameMemoryOnce() {
        Tensor tensor = Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, 6);
        Tensor view = tensor.reshaped(Shape.of(2, 3));
        Tensor later = Tensor.deferred(TensorType.of(DType.FLOAT32, 4), target -> {});
        assertThat(Tensor.bytes(List.of(tensor, view, view.reshaped(Shape.of(3, 2)))))
                .isEqualTo(48);
        assertThat(Tensor.bytes(List.of(view, tensor.copy()))).isEqualTo(96);
        assertThat(Tensor.bytes(List.of(later, later.reshaped(Shape.of(2, 2)), tensor)))
                .isEqualTo(64);
        assertThat(Tensor.bytes(List.of())).isZero();
    }

    @Test
    void showsFewElementsAndOnlyTheTypeOfMany() {
        assertThat(Tensor.of(new float[] {1, 2.5f}, 2)).hasToString("2:float32 [1.0, 2.5]");
        assertThat(Tensor.scalar(7L)).hasToString("scalar:int64 [7]");
        assertThat(Tensor.allocate(DType.FLOAT32, 9)).hasToString("9:float32");
    }

    @Test
    void computesDeferredElementsWhenTheyAreLookedAt() {
        AtomicInteger computed = new AtomicInteger();
        Tensor deferred = Tensor.deferred(TensorType.of(DType.FLOAT32, 3), target -> {
            computed.incrementAndGet();
            target.putFloat(1).putFloat(2).putFloat(3);
        });
        Tensor column = deferred.reshaped(Shape.of(3, 1));
        ByteBuffer taken = Tensor.alignedMemory(12).order(ByteOrder.LITTLE_ENDIAN);

        deferred.writeTo(taken);
        column.writeTo(taken);
        assertThat(taken.getFloat(8)).isEqualTo(3);
        assertThat(computed).hasValue(2);
        assertThat(deferred.isStored()).isFalse();

        assertThat(column.toFloatArray()).containsExactly(1, 2, 3);
        assertThat(deferred.getDouble(1)).isEqualTo(2);
        assertThat(computed).hasValue(3);
        assertThat(deferred.isStored()).isTrue();
        deferred.writeTo(taken);
        assertThat(computed).hasValue(3);

        column.close();
        assertThat(deferred.toFloatArray()).containsExactly(1, 2, 3);
        deferred.close();
        assertThatThrownBy(deferred::bytes).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> deferred.writeTo(taken)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Tensor.scalar(1f).writeTo(taken)).isInstanceOf(IllegalArgumentException.class);
    }
}
