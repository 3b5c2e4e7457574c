package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Matrices with one diagonal of their own, where other elements are a number or those of another matrix; and such diagonals. */
final class TfDiagonalTranslators {

    private static final int MOST_ELEMENTS = 1 << 24;

    private TfDiagonalTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.ofEntries(
                Map.entry("Diag", call -> made(call, 0, 1)),
                Map.entry("DiagPart", call -> part(call, 0, 2)),
                Map.entry("MatrixDiagPart", call -> part(call, 0)),
                Map.entry("MatrixDiagPartV2", call -> part(call, diagonal(call, 1))),
                Map.entry("MatrixDiagPartV3", call -> part(call, diagonal(call, 1))),
                Map.entry("MatrixDiag", call -> made(call, 0)),
                Map.entry("MatrixDiagV2", TfDiagonalTranslators::padded),
                Map.entry("MatrixDiagV3", TfDiagonalTranslators::padded),
                Map.entry("MatrixSetDiag", call -> replaced(call, 0)),
                Map.entry("MatrixSetDiagV2", call -> replaced(call, diagonal(call, 2))),
                Map.entry("MatrixSetDiagV3", call -> replaced(call, diagonal(call, 2))));
    }

    /** The number of the diagonal, above 0 right of the main one; several ones are refused. */
    private static long diagonal(TfCall call, int input) {
        long[] numbers = call.requiredIntegers(input, "diagonal");
        if (numbers.length == 0 || numbers.length > 2 || numbers[0] != numbers[numbers.length - 1]) {
            throw call.unsupportedUse("several diagonals");
        }
        if (numbers[0] < -MOST_ELEMENTS || numbers[0] > MOST_ELEMENTS) {
            throw call.unsupportedUse("diagonal " + numbers[0]);
        }
        return numbers[0];
    }

    private static long size(TfCall call, TfValue value, int fromEnd) {
        int rank = call.rank(value);
        if (rank < fromEnd) {
            throw call.malformed("an input has " + rank + " axes");
        }
        return value.size(rank - fromEnd).orElseThrow(() -> call.unsupportedUse("matrices whose sizes are not known"));
    }

    private static void padded(TfCall call) {
        long k = diagonal(call, 1);
        long square = size(call, call.input(0), 1) + Math.abs(k);
        for (int side = 2; side < 4; side++) {
            long wanted = call.requiredInteger(side, "number of rows or columns");
            if (wanted != -1 && wanted != square) {
                throw call.unsupportedUse("matrices that are not as small as their diagonal allows");
            }
        }
        made(call, k);
    }

    /** The operators without batches take more axes too, which stand for a matrix of two times as many. */
    private static void requireRank(TfCall call, int rank) {
        if (call.rank(call.input(0)) != rank) {
            throw call.unsupportedUse("an input of " + call.rank(call.input(0)) + " axes");
        }
    }

    private static void made(TfCall call, long k, int rank) {
        requireRank(call, rank);
        made(call, k);
    }

    private static void part(TfCall call, long k, int rank) {
        requireRank(call, rank);
        part(call, k);
    }

    /** Elements of the rows one behind the other, as far apart as a row and one more is long. */
    private static void part(TfCall call, long k) {
        TfValue x = call.input(0);
        long rows = size(call, x, 2);
        long columns = size(call, x, 1);
        if (rows > MOST_ELEMENTS || columns > MOST_ELEMENTS) {
            throw call.unsupportedUse("matrices of " + rows + " by " + columns);
        }
        long length = Math.min(rows + Math.min(k, 0), columns - Math.max(k, 0));
        if (length < 1) {
            throw call.malformed("diagonal " + k + " is outside of matrices of " + rows + " by " + columns);
        }
        long start = k < 0 ? -k * columns : k;
        Params diagonal = new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {start + (length - 1) * (columns + 1) + 1})
                .put("axes", new long[] {1})
                .put("steps", new long[] {columns + 1});
        String flat = call.step("Reshape", call.plain(x), call.constant(-1L, rows * columns));
        String elements = call.step("Slice", List.of(flat), diagonal);
        Params front = new Params().put("starts", new long[] {0}).put("ends", new long[] {-2});
        String batches = call.step("Slice", List.of(call.step("Shape", call.plain(x))), front);
        String shape = call.step("Concat", List.of(batches, call.constant(length)), new Params().put("axis", 0L));
        call.give("Reshape", elements, shape);
    }

    private static void made(TfCall call, long k) {
        TfValue values = call.input(0);
        long size = size(call, values, 1) + Math.abs(k);
        String other = call.inputs().size() > 4 ? call.plain(4) : call.scalar(call.dtype(values), 0);
        call.give("Where", mask(call, size, size, k), spread(call, call.plain(values), values, size, size, k), other);
    }

    private static void replaced(TfCall call, long k) {
        TfValue x = call.input(0);
        long rows = size(call, x, 2);
        long columns = size(call, x, 1);
        TfValue values = call.input(1);
        if (size(call, values, 1) != Math.min(rows + Math.min(k, 0), columns - Math.max(k, 0))) {
            throw call.malformed("its diagonal has " + size(call, values, 1) + " elements in matrices of " + rows
                    + " by " + columns);
        }
        String spread = spread(call, call.plain(values), values, rows, columns, k);
        call.give("Where", mask(call, rows, columns, k), spread, call.plain(x));
    }

    /** The elements in the rows of an upper diagonal, or the columns of a lower one. */
    private static String spread(TfCall call, String name, TfValue values, long rows, long columns, long k) {
        int last = call.rank(values) - 1;
        long more = (k < 0 ? columns : rows) - size(call, values, 1);
        String filled = more == 0
                ? name
                : call.step("Pad", List.of(name, call.constant(0, more), "", call.constant((long) last)), new Params());
        Params axis = new Params().put("axis", new long[] {k < 0 ? last : last + 1L});
        return call.step("Unsqueeze", List.of(filled), axis);
    }

    private static String mask(TfCall call, long rows, long columns, long k) {
        if (rows > MOST_ELEMENTS || columns > MOST_ELEMENTS || rows * columns > MOST_ELEMENTS) {
            throw call.unsupportedUse("matrices of " + rows + " by " + columns);
        }
        Tensor mask = Tensor.allocate(DType.BOOL, rows, columns);
        for (long row = Math.max(0, -k); row < rows && row + k < columns; row++) {
            mask.setLong(row * columns + row + k, 1);
        }
        return call.constant("diagonal", mask);
    }
}
