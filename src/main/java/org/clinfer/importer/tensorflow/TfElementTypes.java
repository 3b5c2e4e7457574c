package org.clinfer.importer.tensorflow;

import java.util.Locale;
import java.util.Optional;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.tensor.DType;

/** TensorFlow's element types and those of them that Clinfer has. */
final class TfElementTypes {

    private TfElementTypes() {}

    /** The same type, or empty if Clinfer does not have it. */
    static Optional<DType> find(DataType type) {
        return switch (type) {
            case DT_FLOAT -> Optional.of(DType.FLOAT32);
            case DT_DOUBLE -> Optional.of(DType.FLOAT64);
            case DT_HALF -> Optional.of(DType.FLOAT16);
            case DT_BFLOAT16 -> Optional.of(DType.BFLOAT16);
            case DT_INT64 -> Optional.of(DType.INT64);
            case DT_INT32 -> Optional.of(DType.INT32);
            case DT_INT16 -> Optional.of(DType.INT16);
            case DT_INT8 -> Optional.of(DType.INT8);
            case DT_UINT8 -> Optional.of(DType.UINT8);
            case DT_UINT16 -> Optional.of(DType.UINT16);
            case DT_UINT32 -> Optional.of(DType.UINT32);
            case DT_UINT64 -> Optional.of(DType.UINT64);
            case DT_BOOL -> Optional.of(DType.BOOL);
            default -> Optional.empty();
        };
    }

    /**
     * The same type.
     *
     * @throws UnsupportedException if Clinfer does not have it
     */
    static DType require(DataType type, SourceRef source) {
        return find(type)
                .orElseThrow(() -> new UnsupportedException(
                        source,
                        "data type " + name(type),
                        "it has the data type " + name(type) + ", which Clinfer does not have"));
    }

    private static String name(DataType type) {
        return type.name().substring("DT_".length()).toLowerCase(Locale.ROOT);
    }
}
