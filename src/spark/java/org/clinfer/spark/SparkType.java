package org.clinfer.spark;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.UserDefinedType;
import org.clinfer.tensor.DType;

/** The types of Spark that the elements of values have in columns: the smallest that holds all of them. */
@SuppressWarnings("ImmutableEnumChecker") // Spark's types are immutable, and do not say so
enum SparkType {
    BOOLEAN(DataTypes.BooleanType, boolean.class, ArrayData::toBooleanArray),
    BYTE(DataTypes.ByteType, byte.class, ArrayData::toByteArray),
    SHORT(DataTypes.ShortType, short.class, ArrayData::toShortArray),
    INTEGER(DataTypes.IntegerType, int.class, ArrayData::toIntArray),
    /** Also of uint64, whose bits it has. */
    LONG(DataTypes.LongType, long.class, ArrayData::toLongArray),
    FLOAT(DataTypes.FloatType, float.class, ArrayData::toFloatArray),
    DOUBLE(DataTypes.DoubleType, double.class, ArrayData::toDoubleArray);

    private final DataType type;
    private final Class<?> component;
    private final Function<ArrayData, Object> elements;

    SparkType(DataType type, Class<?> component, Function<ArrayData, Object> elements) {
        this.type = type;
        this.component = component;
        this.elements = elements;
    }

    DataType type() {
        return type;
    }

    /** {@return the primitive type of Java that an element has} */
    Class<?> component() {
        return component;
    }

    /** {@return an array of Java's primitives with the elements, of which none is null} */
    Object elements(ArrayData array) {
        return elements.apply(array);
    }

    static SparkType of(DType dtype) {
        if (dtype == DType.BOOL) {
            return BOOLEAN;
        }
        if (dtype.isFloating()) {
            return dtype == DType.FLOAT64 ? DOUBLE : FLOAT;
        }
        int bits = dtype.bits() + (dtype.isUnsigned() ? 1 : 0);
        return bits <= Byte.SIZE ? BYTE : bits <= Short.SIZE ? SHORT : bits <= Integer.SIZE ? INTEGER : LONG;
    }

    /** {@return the one of elements of this type; none of decimals and where the type is not known} */
    static Optional<SparkType> of(DataType element) {
        return Arrays.stream(values()).filter(one -> one.type.equals(element)).findFirst();
    }

    /** {@return the type of vectors} */
    @SuppressWarnings("unchecked") // Spark names the class to itself alone
    static UserDefinedType<Vector> vector() {
        return (UserDefinedType<Vector>) SQLDataTypes.VectorType();
    }
}
