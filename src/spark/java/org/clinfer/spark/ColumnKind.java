package org.clinfer.spark;

/** The ways in which a column has the elements of an input. */
enum ColumnKind {
    /** A number or boolean, arrays of them, arrays of such arrays, or a vector. */
    NUMBERS,
    /** The bytes of a picture file, a struct of Spark's image schema, or else numbers. */
    PICTURE,
    /** The bytes of the elements themselves, little-endian, or else as {@link #PICTURE}. */
    RAW
}
