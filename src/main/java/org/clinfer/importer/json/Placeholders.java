package org.clinfer.importer.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Spelling;

/** OpLib's operators that stand for a graph's inputs, outputs and constants, and the fields Input and Const share. */
final class Placeholders {

    static final String INPUT = "Input";
    static final String OUTPUT = "Output";
    static final String CONST = "Const";

    /** The argument that Output takes. */
    static final String TAKEN = "x";

    /** The argument that Input and Const give. */
    static final String GIVEN = "y";

    private static final int MAX_RANK = 64;

    private Placeholders() {}

    /** The name of the value that an Input or Const gives. */
    static String output(OpEntry op) {
        requireNone(op, op.inputs(), "inputs");
        return only(op, op.outputs(), GIVEN, "output");
    }

    /** The name of the value that an Output takes. */
    static String input(OpEntry op) {
        requireNone(op, op.outputs(), "outputs");
        requireParams(op, Set.of());
        return only(op, op.inputs(), TAKEN, "input");
    }

    private static void requireNone(OpEntry op, List<OpEntry.Arg> args, String side) {
        if (!args.isEmpty()) {
            throw new GraphException(op.source(), op.optype() + " has no " + side);
        }
    }

    private static String only(OpEntry op, List<OpEntry.Arg> args, String arg, String side) {
        if (args.size() != 1 || !args.get(0).arg().equals(arg)) {
            throw new GraphException(op.source(), op.optype() + " needs one " + side + ", '" + arg + "'");
        }
        if (args.get(0).value().isEmpty()) {
            throw new GraphException(op.source(), side + " '" + arg + "' has no name");
        }
        return args.get(0).value();
    }

    static void requireParams(OpEntry op, Set<String> known) {
        for (String param : op.params().keySet()) {
            if (!known.contains(param)) {
                throw new GraphException(op.source(), op.optype() + " has no parameter '" + param + "'");
            }
        }
    }

    private static String unknownType(String written) {
        List<String> labels = Arrays.stream(DType.values()).map(DType::label).toList();
        return "there is no data type '" + written + "'" + Spelling.question(written, labels);
    }

    /** The type of a graph input; its dimensions may be named. */
    static TensorType inputType(OpEntry op) {
        requireParams(op, Set.of("dtype", "dims"));
        return type(op, true);
    }

    /** The parameters {@code dtype} and {@code dims}. */
    static TensorType type(OpEntry op, boolean mayBeNamed) {
        Written dtype = required(op, "dtype");
        if (!dtype.isString()) {
            throw wrong(op, "dtype", "expected a data type, found " + dtype.shown(), dtype);
        }
        DType known = DType.of(dtype.text(0)).orElseThrow(() -> wrong(op, "dtype", unknownType(dtype.text(0)), dtype));
        TensorType type = new TensorType(known, shape(op, mayBeNamed));
        if (!type.fits()) {
            throw new GraphException(op.source(), "its type " + type + " is too large");
        }
        return type;
    }

    private static Shape shape(OpEntry op, boolean mayBeNamed) {
        Written dims = required(op, "dims");
        if (!dims.isList() || dims.size() > MAX_RANK) {
            throw wrong(op, "dims", "expected a list of at most " + MAX_RANK + ", found " + dims.shown(), dims);
        }
        List<Dim> sizes = new ArrayList<>();
        for (int axis = 0; axis < dims.size(); axis++) {
            sizes.add(dim(op, dims, axis, mayBeNamed));
        }
        return new Shape(sizes);
    }

    private static Dim dim(OpEntry op, Written dims, int axis, boolean mayBeNamed) {
        String text = dims.text(axis);
        if (dims.kind(axis) == Written.Kind.STRING && mayBeNamed && !text.isEmpty()) {
            return Dim.named(text);
        }
        if (dims.kind(axis) == Written.Kind.INTEGER) {
            try {
                return Dim.of(Long.parseLong(text));
            } catch (IllegalArgumentException outOfRange) {
                // reported below, with everything else that is no size
            }
        }
        String expected = mayBeNamed ? "sizes >= 0 or names" : "sizes >= 0";
        throw wrong(op, "dims", "expected " + expected + ", found " + dims.shown(axis), dims);
    }

    static Written required(OpEntry op, String param) {
        Written written = op.params().get(param);
        if (written == null) {
            throw new GraphException(op.source(), op.optype() + " needs the parameter '" + param + "'");
        }
        return written;
    }

    static GraphException wrong(OpEntry op, String param, String message, Written at) {
        return new GraphException(op.source(), at.where() + ": " + param + ": " + message);
    }
}
