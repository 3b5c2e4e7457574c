package org.clinfer.importer.json;

import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The tensors of Const operators: elements in the document, or the name of a tensor in a file beside it. */
final class JsonConstants {

    private static final String DATA = "data";
    private static final String FILE = "from_file";
    private static final String TENSOR = "tensor";

    private final WeightFiles files;

    JsonConstants(WeightFiles files) {
        this.files = files;
    }

    /** The tensor of a Const. */
    Tensor read(OpEntry op) {
        Placeholders.requireParams(op, Set.of("dtype", "dims", DATA, FILE, TENSOR));
        TensorType type = Placeholders.type(op, false);
        if (op.params().containsKey(DATA) == op.params().containsKey(FILE)) {
            throw new GraphException(op.source(), "Const needs either '" + DATA + "' or '" + FILE + "'");
        }
        if (type.bytes() > Tensor.MAX_BYTES) {
            throw new GraphException(
                    op.source(),
                    "its type " + type + " needs " + type.bytes() + " bytes, more than one tensor can hold");
        }
        if (op.params().containsKey(FILE)) {
            String name = op.params().containsKey(TENSOR) ? text(op, TENSOR) : Placeholders.output(op);
            return files.read(text(op, FILE), name, type, op.source());
        }
        if (op.params().containsKey(TENSOR)) {
            throw new GraphException(op.source(), "'" + TENSOR + "' goes with '" + FILE + "'");
        }
        return inline(op, type, Placeholders.required(op, DATA));
    }

    private static String text(OpEntry op, String param) {
        Written written = Placeholders.required(op, param);
        if (!written.isString()) {
            throw Placeholders.wrong(op, param, "expected a string, found " + written.shown(), written);
        }
        return written.text(0);
    }

    private static Tensor inline(OpEntry op, TensorType type, Written data) {
        if (!data.isList() || data.size() != type.shape().elements()) {
            throw Placeholders.wrong(
                    op,
                    DATA,
                    "its type " + type + " needs a list of " + type.shape().elements() + ", found " + data.shown(),
                    data);
        }
        Tensor tensor = Tensor.allocate(type);
        for (int i = 0; i < data.size(); i++) {
            boolean fits = type.dtype().isFloating() ? putReal(tensor, i, data) : putWhole(tensor, i, data);
            if (!fits) {
                throw Placeholders.wrong(
                        op, DATA, "element " + i + ", " + data.shown(i) + ", is no " + type.dtype(), data);
            }
        }
        return tensor;
    }

    private static boolean putWhole(Tensor tensor, int index, Written data) {
        String text = data.text(index);
        if (tensor.dtype() == DType.BOOL) {
            tensor.setLong(index, text.equals("true") ? 1 : 0);
            return data.kind(index) == Written.Kind.BOOL;
        }
        if (data.kind(index) != Written.Kind.INTEGER) {
            return false;
        }
        try {
            long value = tensor.dtype() == DType.UINT64 ? Long.parseUnsignedLong(text) : Long.parseLong(text);
            tensor.setLong(index, value);
            return tensor.getLong(index) == value;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }

    private static boolean putReal(Tensor tensor, int index, Written data) {
        String text = data.text(index);
        switch (data.kind(index)) {
            case BOOL -> {
                return false;
            }
            case STRING -> {
                Optional<Long> bits = NumberText.bits(text, tensor.dtype());
                bits.ifPresent(each -> NumberText.put(tensor, index, each));
                return bits.isPresent();
            }
            case INTEGER, REAL -> {
                double value = tensor.dtype() == DType.FLOAT32 ? Float.parseFloat(text) : Double.parseDouble(text);
                tensor.setDouble(index, value);
                return Double.isFinite(tensor.getDouble(index));
            }
        }
        throw new IllegalStateException("no such kind");
    }
}
