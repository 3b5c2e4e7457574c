package org.clinfer.importer.json;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** The names that safetensors files have for data types. Types that they do not have, most of
 * which share bytes, stand in a row of bytes. */
final class SafetensorsType {

    /** Bytes, which also hold rows of what has no name. */
    static final String BYTES = "U8";

    private static final Map<DType, String> NAMES = new EnumMap<>(Map.ofEntries(
            Map.entry(DType.INT8, "I8"),
            Map.entry(DType.INT16, "I16"),
            Map.entry(DType.INT32, "I32"),
            Map.entry(DType.INT64, "I64"),
            Map.entry(DType.UINT8, BYTES),
            Map.entry(DType.UINT16, "U16"),
            Map.entry(DType.UINT32, "U32"),
            Map.entry(DType.UINT64, "U64"),
            Map.entry(DType.FLOAT8E4M3FN, "F8_E4M3"),
            Map.entry(DType.FLOAT8E5M2, "F8_E5M2"),
            Map.entry(DType.FLOAT16, "F16"),
            Map.entry(DType.BFLOAT16, "BF16"),
            Map.entry(DType.FLOAT32, "F32"),
            Map.entry(DType.FLOAT64, "F64"),
            Map.entry(DType.BOOL, "BOOL")));

    private SafetensorsType() {}

    /** {@return whether elements of {@code type} stand in a row of bytes because the format has no name for them} */
    static boolean isInBytes(DType type) {
        return !NAMES.containsKey(type);
    }

    /** The name of the type in which elements of {@code type} are stored. */
    static String stored(DType type) {
        return NAMES.getOrDefault(type, BYTES);
    }

    /** The shape in which a tensor is stored. */
    static Shape stored(TensorType type) {
        return isInBytes(type.dtype()) ? Shape.of(type.bytes()) : type.shape();
    }

    /** The type of this name, or empty if Clinfer does not have it. */
    static Optional<DType> find(String name) {
        return NAMES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
