package org.clinfer.importer.json;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.DType;

/** The names that safetensors files have for data types. */
final class SafetensorsType {

    private static final Map<DType, String> NAMES = new EnumMap<>(Map.of(
            DType.INT8, "I8",
            DType.INT16, "I16",
            DType.INT32, "I32",
            DType.INT64, "I64",
            DType.FLOAT16, "F16",
            DType.BFLOAT16, "BF16",
            DType.FLOAT32, "F32",
            DType.FLOAT64, "F64",
            DType.BOOL, "BOOL"));

    private SafetensorsType() {}

    /** The type of this name, or empty if Clinfer does not have it. */
    static Optional<DType> find(String name) {
        return NAMES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The name of a type; empty for single bits, which the format does not have. */
    static Optional<String> name(DType type) {
        return Optional.ofNullable(NAMES.get(type));
    }
}
