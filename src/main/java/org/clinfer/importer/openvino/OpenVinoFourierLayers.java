package org.clinfer.importer.openvino;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.importer.FourierMatrices;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Fourier transforms along axes, one after the other; complex numbers have a last axis of two parts. */
final class OpenVinoFourierLayers {

    private static final long MOST_ELEMENTS = 1L << 24;
    private static final long LONGEST = 1 << 20;

    private final OpenVinoLayerCall call;
    private final int rank;
    private final long[] axes;
    private final long[] sizes;

    /** @param isComplex whether the input has the parts of complex numbers along its last axis */
    private OpenVinoFourierLayers(OpenVinoLayerCall call, boolean isComplex) {
        call.requireInputs(2, 3);
        this.call = call;
        Value x = call.input(0);
        this.rank = isComplex ? x.rank() - 1 : x.rank();
        if (isComplex && (rank < 1 || x.sizeOr0(rank) != 2)) {
            throw call.malformed("its input " + x.shape() + " has no last axis of two parts");
        }
        this.axes = call.axes(call.integers(1, "axes"), rank);
        Set<Long> different = new HashSet<>();
        if (axes.length == 0 || !Arrays.stream(axes).allMatch(different::add)) {
            throw call.malformed("its axes are " + Arrays.toString(axes));
        }
        this.sizes = call.inputCount() == 3 ? call.integers(2, "sizes") : new long[axes.length];
        if (call.inputCount() < 3) {
            Arrays.fill(sizes, -1);
        }
        if (sizes.length != axes.length) {
            throw call.malformed("there are " + sizes.length + " sizes for " + axes.length + " axes");
        }
    }

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("DFT", call -> new OpenVinoFourierLayers(call, true).complex(1));
        all.one("IDFT", call -> new OpenVinoFourierLayers(call, true).complex(-1));
        all.one("RDFT", call -> new OpenVinoFourierLayers(call, false).ofReal());
        all.one("IRDFT", call -> new OpenVinoFourierLayers(call, true).toReal());
    }

    private Value complex(int sign) {
        Value y = call.input(0);
        for (int i = 0; i < axes.length; i++) {
            y = whole(y, i, sign);
        }
        return call.last("Identity", y);
    }

    /** The frequencies of the last axis first, of which half will do, then those of the others. */
    private Value ofReal() {
        int last = axes.length - 1;
        int length = length(call.input(0), last, -1);
        Value x = behind(begin(call.input(0), last, length), last, false);
        int count = given(x, rank - 1);
        Value turns =
                matrix("half", count, 2L * (length / 2 + 1), length, () -> FourierMatrices.half(type(), count, length));
        Value y = behind(split(call.add("MatMul", x, turns)), last, true);
        for (int i = 0; i < last; i++) {
            y = whole(y, i, 1);
        }
        return call.last("Identity", y);
    }

    private Value toReal() {
        int last = axes.length - 1;
        Value x = call.input(0);
        for (int i = 0; i < last; i++) {
            x = whole(x, i, -1);
        }
        int length = length(x, last, 2L * (given(x, (int) axes[last]) - 1));
        Value half = behind(begin(x, last, length / 2 + 1), last, true);
        int count = given(half, rank - 1);
        Value turns = matrix("real", 2L * count, length, length, () -> FourierMatrices.fromHalf(type(), count, length));
        return call.last("Identity", behind(call.add("MatMul", joined(half), turns), last, false));
    }

    private Value whole(Value x, int number, int sign) {
        int length = length(x, number, -1);
        Value lines = behind(begin(x, number, length), number, true);
        int count = given(lines, rank - 1);
        Value turns = matrix(
                sign > 0 ? "forth" : "back",
                2L * count,
                2L * length,
                length,
                () -> FourierMatrices.whole(type(), count, length, sign));
        return behind(split(call.add("MatMul", joined(lines), turns)), number, true);
    }

    private DType type() {
        return call.input(0).type().dtype();
    }

    private int given(Value x, int axis) {
        long size = call.size(x, axis, "elements");
        if (size > LONGEST) {
            throw call.unsupportedUse("an axis of " + size);
        }
        return (int) size;
    }

    /** @param otherwise the length where none is given; -1 for that of the axis */
    private int length(Value x, int number, long otherwise) {
        long usual = otherwise < 0 ? given(x, (int) axes[number]) : otherwise;
        long length = sizes[number] == -1 ? usual : sizes[number];
        if (length < 1 || length > LONGEST) {
            throw call.unsupportedUse("a size of " + length);
        }
        return (int) length;
    }

    /** The elements that count; zeros that are put behind change nothing. */
    private Value begin(Value x, int number, long most) {
        if (given(x, (int) axes[number]) <= most) {
            return x;
        }
        Params part = new Params()
                .put("starts", new long[] {0})
                .put("ends", new long[] {most})
                .put("axes", new long[] {axes[number]});
        return call.add("Slice", List.of(x), part);
    }

    /** With an axis as the last one, before that of the parts, which is where it was. */
    private Value behind(Value x, int number, boolean parts) {
        int axis = (int) axes[number];
        if (axis == rank - 1) {
            return x;
        }
        long[] order = new long[parts ? rank + 1 : rank];
        Arrays.setAll(order, each -> each);
        order[axis] = rank - 1L;
        order[rank - 1] = axis;
        return call.transposed(x, order);
    }

    private Value matrix(String kind, long rows, long columns, int length, Supplier<Tensor> matrix) {
        if (rows > MOST_ELEMENTS / columns) {
            throw call.unsupportedUse("a matrix of " + rows + " x " + columns);
        }
        return call.shared(kind + "_" + type() + "_" + rows + "_of_" + length, matrix);
    }

    /** The numbers of a line with their parts as one axis. */
    private Value joined(Value x) {
        long[] shape = new long[rank];
        shape[rank - 1] = 2L * given(x, rank - 1);
        return call.add("Reshape", List.of(x), new Params().put("shape", shape));
    }

    private Value split(Value x) {
        long[] shape = new long[rank + 1];
        shape[rank - 1] = given(x, rank - 1) / 2;
        shape[rank] = 2;
        return call.add("Reshape", List.of(x), new Params().put("shape", shape));
    }
}
