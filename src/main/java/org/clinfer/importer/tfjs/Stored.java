package org.clinfer.importer.tfjs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.StoredBools;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The form in which the elements of a weight are stored.
 *
 * @param dtype their type once read
 * @param bytes of one stored element
 * @param quantized whether the stored ones are unsigned numbers q that mean {@code q * scale + min}
 */
record Stored(DType dtype, int bytes, boolean quantized, double scale, double min) {

    /** Reads {@code dtype} and {@code quantization} of a weight. */
    static Stored read(TfjsFields weight, SourceRef source) {
        String name = weight.text("dtype").orElseThrow(() -> weight.wrong("dtype", "it is missing"));
        DType dtype = switch (name) {
            case "float32" -> DType.FLOAT32;
            case "int32" -> DType.INT32;
            case "bool" -> DType.BOOL;
            default -> throw unsupported("data type", name, source);
        };
        Optional<TfjsFields> quantization = weight.object("quantization");
        if (quantization.isEmpty()) {
            return new Stored(dtype, dtype.bits() / 8, false, 1, 0);
        }
        TfjsFields fields = quantization.get();
        String stored = fields.text("dtype").orElseThrow(() -> fields.wrong("dtype", "it is missing"));
        if (stored.equals("float16") && dtype == DType.FLOAT32) {
            return new Stored(dtype, 2, false, 1, 0);
        }
        if (dtype == DType.BOOL || !(stored.equals("uint8") || stored.equals("uint16"))) {
            throw unsupported("quantization of " + name + " as", stored, source);
        }
        fields.required("scale");
        fields.required("min");
        return new Stored(dtype, stored.equals("uint8") ? 1 : 2, true, fields.real("scale", 1), fields.real("min", 0));
    }

    private static UnsupportedException unsupported(String what, String value, SourceRef source) {
        String feature = what + " " + new Json.Text(value).shown();
        return new UnsupportedException(source, feature, "its " + feature + " is not supported");
    }

    /** The tensor of some stored elements; over the same memory where they are as they should be, and aligned. */
    Tensor tensor(TensorType type, ByteBuffer stored, boolean aligned, SourceRef source) {
        ByteBuffer from = stored.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (dtype == DType.BOOL) {
            StoredBools.require(from, source);
        }
        boolean asIs = !quantized && bytes == dtype.bits() / 8;
        if (asIs && aligned && from.isDirect()) {
            return Tensor.wrap(type, from);
        }
        Tensor tensor = Tensor.allocate(type);
        if (asIs) {
            tensor.bytes().put(from);
            return tensor;
        }
        ByteBuffer to = tensor.bytes();
        long elements = type.shape().elements();
        for (int i = 0; i < elements; i++) {
            decode(from, to, i);
        }
        return tensor;
    }

    private void decode(ByteBuffer from, ByteBuffer to, int index) {
        if (!quantized) {
            to.putFloat(4 * index, HalfFloat.toFloat(from.getShort(2 * index)));
            return;
        }
        int q = bytes == 1 ? from.get(index) & 0xff : from.getShort(2 * index) & 0xffff;
        double value = q * scale + min;
        if (dtype == DType.FLOAT32) {
            to.putFloat(4 * index, (float) value);
        } else {
            to.putInt(4 * index, (int) Math.floor(value + 0.5));
        }
    }
}
