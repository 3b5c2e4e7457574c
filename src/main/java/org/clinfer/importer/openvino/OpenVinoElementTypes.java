package org.clinfer.importer.openvino;

import java.util.Locale;
import java.util.Optional;
import org.clinfer.tensor.DType;

/** The names of data types, those of attributes and those of ports. */
final class OpenVinoElementTypes {

    private OpenVinoElementTypes() {}

    /** The type, or empty where Clinfer has none of this name. */
    static Optional<DType> find(String name) {
        return Optional.ofNullable(
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "f16", "fp16" -> DType.FLOAT16;
                    case "bf16" -> DType.BFLOAT16;
                    case "f32", "fp32" -> DType.FLOAT32;
                    case "f64", "fp64" -> DType.FLOAT64;
                    case "i8" -> DType.INT8;
                    case "i16" -> DType.INT16;
                    case "i32" -> DType.INT32;
                    case "i64" -> DType.INT64;
                    case "u8" -> DType.UINT8;
                    case "u16" -> DType.UINT16;
                    case "u32" -> DType.UINT32;
                    case "u64" -> DType.UINT64;
                    case "boolean", "bool" -> DType.BOOL;
                    case "u1", "bin" -> DType.U1;
                    default -> null;
                });
    }
}
