package org.clinfer.serve;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.clinfer.tensor.DType;
import org.clinfer.text.Printable;

/** Names of element types in the protocol. Source: its section on tensor data types; BF16 is Triton's. */
public final class Datatype {

    private static final Map<DType, String> NAMES = new EnumMap<>(Map.ofEntries(
            Map.entry(DType.BOOL, "BOOL"),
            Map.entry(DType.UINT8, "UINT8"),
            Map.entry(DType.UINT16, "UINT16"),
            Map.entry(DType.UINT32, "UINT32"),
            Map.entry(DType.UINT64, "UINT64"),
            Map.entry(DType.INT8, "INT8"),
            Map.entry(DType.INT16, "INT16"),
            Map.entry(DType.INT32, "INT32"),
            Map.entry(DType.INT64, "INT64"),
            Map.entry(DType.FLOAT16, "FP16"),
            Map.entry(DType.BFLOAT16, "BF16"),
            Map.entry(DType.FLOAT32, "FP32"),
            Map.entry(DType.FLOAT64, "FP64")));

    private static final Map<String, DType> TYPES =
            NAMES.keySet().stream().collect(Collectors.toMap(NAMES::get, Function.identity()));

    private Datatype() {}

    /** The type of a name of the protocol. */
    public static Optional<DType> parse(String name) {
        return Optional.ofNullable(TYPES.get(name));
    }

    /** The reason why a name is refused that the protocol does not have. */
    public static String unknown(String name) {
        return "the datatype '" + Printable.shortened(name) + "' is none that is served, which are "
                + NAMES.values().stream().sorted().collect(Collectors.joining(", "));
    }

    /** The protocol's name of a type; of those that it does not have, Clinfer's in capitals. */
    public static String name(DType type) {
        return NAMES.getOrDefault(type, type.name());
    }

    /** {@return true if tensors of the type can be sent} */
    public static boolean isSent(DType type) {
        return NAMES.containsKey(type);
    }
}
