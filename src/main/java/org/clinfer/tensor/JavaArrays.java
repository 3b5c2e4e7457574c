package org.clinfer.tensor;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tensors from and to arrays and buffers of Java. */
final class JavaArrays {

    private static final String KINDS = "byte, short, int, long, float, double or boolean";

    private JavaArrays() {}

    /** The float32 tensor of a flat array. */
    static Tensor tensor(float[] values, long[] sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        requireElements(tensor.type(), values.length);
        tensor.floats().put(values);
        return tensor;
    }

    /** The int64 tensor of a flat array. */
    static Tensor tensor(long[] values, long[] sizes) {
        Tensor tensor = Tensor.allocate(DType.INT64, sizes);
        requireElements(tensor.type(), values.length);
        tensor.longs().put(values);
        return tensor;
    }

    private static void requireElements(TensorType type, int given) {
        if (given != type.shape().elements() && type.shape().rank() == 0) {
            throw new IllegalArgumentException(
                    given + " values without sizes are no scalar; give the sizes of the tensor,"
                            + " as in Tensor.of(values, " + given + ")");
        }
        requireAll(type, given);
    }

    private static void requireAll(TensorType type, int given) {
        if (given != type.shape().elements()) {
            throw new IllegalArgumentException(
                    type + " has " + type.shape().elements() + " elements, but " + given + " were given");
        }
    }

    /** The tensor of nested arrays, by their own type and lengths. */
    static Tensor tensor(Object nested) {
        DType dtype = dtype(nested);
        return filled(nested, dtype, Shape.of(sizes(nested)));
    }

    /** The tensor of an array that is flat or has the sizes of the shape. */
    static Tensor tensor(Object values, DType dtype, Shape shape) {
        dtype(values);
        if (!isNested(values)) {
            requireAll(new TensorType(dtype, shape), Array.getLength(values));
        } else if (!Shape.of(sizes(values)).equals(shape)) {
            throw new IllegalArgumentException(
                    "the arrays have the sizes " + Shape.of(sizes(values)) + ", but the shape is " + shape);
        }
        return filled(values, dtype, shape);
    }

    private static Tensor filled(Object values, DType dtype, Shape shape) {
        Tensor tensor = Tensor.allocate(new TensorType(dtype, shape));
        new Filling(tensor).put(values, new ArrayList<>(), isNested(values) ? shape.sizes() : new long[0]);
        return tensor;
    }

    /** Puts arrays into a tensor one after the other, and sees that they are as long as they have to be. */
    private static final class Filling {

        private final Tensor tensor;
        private final ByteBuffer memory;
        private int next;

        Filling(Tensor tensor) {
            this.tensor = tensor;
            this.memory = tensor.bytes();
        }

        /**
         * Puts what stands at a place.
         *
         * @param sizes of the whole; empty for an array of any length
         */
        void put(@Nullable Object values, List<Integer> place, long[] sizes) {
            if (values == null) {
                throw new IllegalArgumentException("the array at " + text(place) + " is null");
            }
            int length = Array.getLength(values);
            if (sizes.length > 0 && length != sizes[place.size()]) {
                throw new IllegalArgumentException("the arrays are ragged: the one at " + text(place) + " has " + length
                        + " elements, those before it " + sizes[place.size()]);
            }
            if (!isNested(values)) {
                flat(values, length);
                return;
            }
            for (int i = 0; i < length; i++) {
                place.add(i);
                put(Array.get(values, i), place, sizes);
                place.remove(place.size() - 1);
            }
        }

        private static String text(List<Integer> place) {
            return place.stream().map(index -> "[" + index + "]").collect(Collectors.joining());
        }

        private void flat(Object values, int length) {
            if (tensor.dtype().bits() == bits(values) && isSameKind(values)) {
                bulk(values);
            } else {
                for (int i = 0; i < length; i++) {
                    convert(values, i);
                }
            }
            next += length;
        }

        /** {@return whether the array has the elements as they are stored} */
        private boolean isSameKind(Object values) {
            boolean floats = values instanceof float[] || values instanceof double[];
            return floats ? tensor.dtype().isFloating() : tensor.dtype().isInteger();
        }

        private void bulk(Object values) {
            int width = tensor.dtype().bits() / Byte.SIZE;
            ByteBuffer rest = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(next * width);
            if (values instanceof float[] floats) {
                rest.asFloatBuffer().put(floats);
            } else if (values instanceof double[] doubles) {
                rest.asDoubleBuffer().put(doubles);
            } else if (values instanceof long[] longs) {
                rest.asLongBuffer().put(longs);
            } else if (values instanceof int[] ints) {
                rest.asIntBuffer().put(ints);
            } else if (values instanceof short[] shorts) {
                rest.asShortBuffer().put(shorts);
            } else {
                rest.put((byte[]) values);
            }
        }

        private void convert(Object values, int i) {
            DType dtype = tensor.dtype();
            if (values instanceof float[] || values instanceof double[]) {
                Elements.setDouble(memory, dtype, (long) next + i, Array.getDouble(values, i));
            } else if (values instanceof boolean[] booleans) {
                Elements.setLong(memory, dtype, (long) next + i, booleans[i] ? 1 : 0);
            } else {
                Elements.setLong(memory, dtype, (long) next + i, Array.getLong(values, i));
            }
        }
    }

    /** The tensor of a buffer's remaining elements, over its memory where that can be. */
    static Tensor tensor(TensorType type, Buffer values) {
        if (values instanceof CharBuffer) {
            throw new IllegalArgumentException("a buffer of characters has no elements of a tensor");
        }
        boolean bytes = values instanceof ByteBuffer;
        long given = bytes ? values.remaining() : (long) values.remaining() * bits(values);
        long wanted =
                bytes ? type.bytes() : type.shape().elements() * type.dtype().bits();
        if (!bytes && type.dtype().bits() != bits(values)) {
            throw new IllegalArgumentException("the buffer has elements of " + bits(values) + " bits, but " + type
                    + " has " + type.dtype().bits());
        }
        if (given != wanted) {
            throw new IllegalArgumentException(type + " has "
                    + (bytes
                            ? wanted + " bytes, but the buffer has " + given
                            : type.shape().elements() + " elements, but the buffer has " + values.remaining()));
        }
        boolean swapped = values instanceof ByteBuffer raw
                && raw.order() == ByteOrder.BIG_ENDIAN
                && type.dtype().bits() > Byte.SIZE;
        if (values instanceof ByteBuffer raw && raw.isDirect() && !swapped) {
            return Tensor.wrap(type, raw);
        }
        Tensor tensor = Tensor.allocate(type);
        copy(swapped ? elements((ByteBuffer) values, type.dtype().bits()) : values, tensor.bytes());
        return tensor;
    }

    /** Bytes as elements in their own order. */
    private static Buffer elements(ByteBuffer bytes, int bits) {
        ByteBuffer ordered = bytes.duplicate().order(bytes.order());
        return switch (bits) {
            case Short.SIZE -> ordered.asShortBuffer();
            case Integer.SIZE -> ordered.asIntBuffer();
            default -> ordered.asLongBuffer();
        };
    }

    private static void copy(Buffer values, ByteBuffer memory) {
        if (values instanceof ByteBuffer raw) {
            memory.put(raw.duplicate());
        } else if (values instanceof FloatBuffer floats) {
            memory.asFloatBuffer().put(floats.duplicate());
        } else if (values instanceof DoubleBuffer doubles) {
            memory.asDoubleBuffer().put(doubles.duplicate());
        } else if (values instanceof LongBuffer longs) {
            memory.asLongBuffer().put(longs.duplicate());
        } else if (values instanceof IntBuffer ints) {
            memory.asIntBuffer().put(ints.duplicate());
        } else {
            memory.asShortBuffer().put(((ShortBuffer) values).duplicate());
        }
    }

    /** All elements as a flat array of a Java type. */
    static Object array(Tensor tensor, Class<?> component) {
        int count = Math.toIntExact(tensor.elements());
        Object array = Array.newInstance(component, count);
        for (int i = 0; i < count; i++) {
            set(array, i, tensor, i);
        }
        return array;
    }

    /** All elements as nested arrays. */
    static Object nested(Tensor tensor) {
        if (tensor.shape().rank() == 0) {
            throw new IllegalStateException("the scalar " + tensor.type() + " is no array; getDouble(0) has its value");
        }
        int[] sizes =
                Arrays.stream(tensor.shape().sizes()).mapToInt(Math::toIntExact).toArray();
        Object all = Array.newInstance(component(tensor.dtype()), sizes);
        nest(all, sizes, 0, tensor, 0);
        return all;
    }

    private static long nest(Object array, int[] sizes, int axis, Tensor tensor, long start) {
        long at = start;
        for (int i = 0; i < sizes[axis]; i++) {
            if (axis == sizes.length - 1) {
                set(array, i, tensor, at++);
            } else {
                at = nest(Array.get(array, i), sizes, axis + 1, tensor, at);
            }
        }
        return at;
    }

    private static void set(Object array, int i, Tensor tensor, long at) {
        if (array instanceof float[] floats) {
            floats[i] = (float) tensor.getDouble(at);
        } else if (array instanceof double[] doubles) {
            doubles[i] = tensor.getDouble(at);
        } else if (array instanceof long[] longs) {
            longs[i] = tensor.getLong(at);
        } else if (array instanceof int[] ints) {
            ints[i] = (int) tensor.getLong(at);
        } else if (array instanceof short[] shorts) {
            shorts[i] = (short) tensor.getLong(at);
        } else if (array instanceof byte[] bytes) {
            bytes[i] = (byte) tensor.getLong(at);
        } else {
            ((boolean[]) array)[i] = tensor.getDouble(at) != 0;
        }
    }

    private static Class<?> component(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> double.class;
            case BOOL, U1 -> boolean.class;
            case INT8, INT4, UINT4, INT2, UINT2 -> byte.class;
            case INT16, UINT8 -> short.class;
            case INT32, UINT16 -> int.class;
            case INT64, UINT32, UINT64 -> long.class;
            default -> float.class;
        };
    }

    private static boolean isNested(Object values) {
        return values.getClass().getComponentType().isArray();
    }

    /** The lengths of the first arrays. */
    private static long[] sizes(Object nested) {
        List<Long> sizes = new ArrayList<>();
        Object each = nested;
        while (true) {
            int length = Array.getLength(each);
            sizes.add((long) length);
            if (!isNested(each)) {
                return sizes.stream().mapToLong(size -> size).toArray();
            }
            if (length == 0) {
                throw new IllegalArgumentException("the arrays have no elements, which leaves their sizes open");
            }
            each = Array.get(each, 0);
            if (each == null) {
                throw new IllegalArgumentException("the array at " + "[0]".repeat(sizes.size()) + " is null");
            }
        }
    }

    private static DType dtype(Object values) {
        Class<?> component = values.getClass();
        while (component.isArray()) {
            component = component.getComponentType();
        }
        if (!values.getClass().isArray() || !component.isPrimitive() || component == char.class) {
            throw new IllegalArgumentException("a " + values.getClass().getSimpleName() + " is no array of " + KINDS);
        }
        return switch (component.getName()) {
            case "byte" -> DType.INT8;
            case "short" -> DType.INT16;
            case "int" -> DType.INT32;
            case "long" -> DType.INT64;
            case "float" -> DType.FLOAT32;
            case "double" -> DType.FLOAT64;
            default -> DType.BOOL;
        };
    }

    /** The width of an element of an array or a buffer; 0 for a {@code boolean}, whose width Java does not say. */
    private static int bits(Object values) {
        if (values instanceof double[] || values instanceof DoubleBuffer) {
            return Double.SIZE;
        }
        if (values instanceof long[] || values instanceof LongBuffer) {
            return Long.SIZE;
        }
        if (values instanceof float[] || values instanceof FloatBuffer) {
            return Float.SIZE;
        }
        if (values instanceof int[] || values instanceof IntBuffer) {
            return Integer.SIZE;
        }
        if (values instanceof short[] || values instanceof ShortBuffer) {
            return Short.SIZE;
        }
        return values instanceof byte[] || values instanceof ByteBuffer ? Byte.SIZE : 0;
    }
}
