package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;

/** ONNX's numbered element types and those of them that Clinfer has. */
public final class OnnxElementTypes {

    /** Names by the format's number. */
    private static final List<String> NAMES = List.of(
            "undefined",
            "float32",
            "uint8",
            "int8",
            "uint16",
            "int16",
            "int32",
            "int64",
            "string",
            "bool",
            "float16",
            "float64",
            "uint32",
            "uint64",
            "complex64",
            "complex128",
            "bfloat16",
            "float8e4m3fn",
            "float8e4m3fnuz",
            "float8e5m2",
            "float8e5m2fnuz",
            "uint4",
            "int4",
            "float4e2m1",
            "float8e8m0",
            "uint2",
            "int2");

    private OnnxElementTypes() {}

    /** The type of this number, or empty if Clinfer does not have it. */
    static Optional<DType> find(int number) {
        return DType.of(name(number));
    }

    /**
     * The type of this number.
     *
     * @throws UnsupportedException if it is a type Clinfer does not have
     * @throws GraphException if it is no type at all
     */
    static DType require(int number, SourceRef source, String what) {
        if (number == 0) {
            throw new GraphException(source, what + " has no element type");
        }
        return find(number)
                .orElseThrow(() -> new UnsupportedException(
                        source,
                        "data type " + name(number),
                        what + " has the data type " + name(number) + ", which Clinfer does not have"));
    }

    /**
     * The number of a type.
     *
     * @throws IllegalArgumentException if ONNX does not have it
     */
    public static int number(DType type) {
        int number = NAMES.indexOf(type.label());
        if (number < 0) {
            throw new IllegalArgumentException("ONNX has no data type " + type);
        }
        return number;
    }

    /** The number of a type as operator set 1 wrote it, for example {@code FLOAT16}; 0 if there is none. */
    static int numberOfText(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        String label = switch (lower) {
            case "float" -> "float32";
            case "double" -> "float64";
            default -> lower;
        };
        return Math.max(NAMES.indexOf(label), 0);
    }

    private static String name(int number) {
        return number >= 0 && number < NAMES.size() ? NAMES.get(number) : "number " + number;
    }
}
