package org.clinfer.spark;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.clinfer.tensor.DType;

/** The types of Spark that the elements of values have in columns: the smallest that holds all of them. */
@SuppressWarnings("ImmutableEnumChecker") // Spark's types are immutable, and do not say so
enum SparkType {
    BOOLEAN(DataTypes.BooleanType),
    BYTE(DataTypes.ByteType),
    SHORT(DataTypes.ShortType),
    INTEGER(DataTypes.IntegerType),
    /** Also of uint64, whose bits it has. */
    LONG(DataTypes.LongType),
    FLOAT(DataTypes.FloatType),
    DOUBLE(DataTypes.DoubleType);

    private final DataType type;

    SparkType(DataType type) {
        this.type = type;
    }

    DataType type() {
        return type;
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
}
