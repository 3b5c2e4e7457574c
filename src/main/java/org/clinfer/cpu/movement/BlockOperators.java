package org.clinfer.cpu.movement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Operators that copy whole blocks along one axis: Concat, Split, Gather, and the plain copies of views. */
final class BlockOperators {

    /** Cells of a block of the whole up to which blocks are copied a column at a time. */
    private static final int NARROW = 16;

    private BlockOperators() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("Concat", CpuOperator.of(CpuWork.MOVEMENT, new Move(BlockOperators::concat)));
        all.put("Split", CpuOperator.of(CpuWork.MOVEMENT, new Move(BlockOperators::split)));
        all.put("Gather", CpuOperator.of(CpuWork.MOVEMENT, new Gather()));
        for (String optype : List.of("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout", "BitCast")) {
            all.put(optype, CpuOperator.of(CpuWork.MOVEMENT, new Copy()));
        }
        return all;
    }

    /** A copy of cells of whole bytes. */
    private record Move(Consumer<CpuCall> body) implements CpuOperator {
        @Override
        public void run(CpuCall call) {
            body.accept(call);
        }
    }

    /** The same bytes under another shape or type; takes every type. */
    private static final class Copy implements CpuOperator {
        @Override
        public void run(CpuCall call) {
            call.output().bytes().put(call.input(0).bytes());
        }
    }

    private static void concat(CpuCall call) {
        int axis = Math.toIntExact(call.parameters().integer("joined"));
        List<Tensor> parts = new ArrayList<>();
        for (int i = 0; i < call.inputs().size(); i++) {
            parts.add(call.input(i));
        }
        interleave(call, call.output(), parts, axis, true);
    }

    private static void split(CpuCall call) {
        int axis = Math.toIntExact(call.parameters().integer("cut"));
        interleave(call, call.input(0), call.outputs(), axis, false);
    }

    /** Copies between a whole and its parts along {@code axis}: into the whole if {@code join}, else out of it. */
    private static void interleave(CpuCall call, Tensor whole, List<Tensor> parts, int axis, boolean join) {
        int outer = product(whole.shape(), 0, axis);
        int wholeBlock = product(whole.shape(), axis, whole.shape().rank());
        int[] blocks = new int[parts.size()];
        int[] offsets = new int[parts.size()];
        for (int part = 0, offset = 0; part < blocks.length; part++) {
            Shape shape = parts.get(part).shape();
            blocks[part] = product(shape, axis, shape.rank());
            offsets[part] = offset;
            offset += blocks[part];
        }
        List<CellCopy> copies = parts.stream()
                .map(part -> join ? CellCopy.of(part, whole) : CellCopy.of(whole, part))
                .toList();
        if (wholeBlock <= NARROW && wholeBlock < outer) {
            call.parallel().forRange(outer, Chunks.grain(wholeBlock), (first, end) -> {
                for (int part = 0; part < blocks.length; part++) {
                    copyColumns(copies.get(part), blocks[part], wholeBlock, offsets[part], first, end, join);
                }
            });
            return;
        }
        int grain = Chunks.grain(wholeBlock / Math.max(1, blocks.length));
        call.parallel().forRange(Math.multiplyExact(outer, blocks.length), grain, (first, end) -> {
            for (int i = first; i < end; i++) {
                int part = i % blocks.length;
                int inPart = i / blocks.length * blocks[part];
                int inWhole = i / blocks.length * wholeBlock + offsets[part];
                copies.get(part).copy(join ? inPart : inWhole, 1, join ? inWhole : inPart, blocks[part]);
            }
        });
    }

    /** Copies one part of the blocks {@code from … to - 1}, cell by cell of a block. */
    private static void copyColumns(
            CellCopy cells, int partBlock, int wholeBlock, int offset, int from, int to, boolean join) {
        Chunks.forEach(from, to, (start, count) -> {
            for (int cell = 0; cell < partBlock; cell++) {
                int inPart = start * partBlock + cell;
                int inWhole = start * wholeBlock + offset + cell;
                if (join) {
                    cells.copy(inPart, partBlock, inWhole, wholeBlock, count);
                } else {
                    cells.copy(inWhole, wholeBlock, inPart, partBlock, count);
                }
            }
        });
    }

    private static int product(Shape shape, int from, int to) {
        long product = 1;
        for (int axis = from; axis < to; axis++) {
            product *= shape.size(axis);
        }
        return Math.toIntExact(product);
    }

    /** Blocks chosen by indices, negative ones counting from the end of the axis. */
    private static final class Gather implements CpuOperator {
        @Override
        public void run(CpuCall call) {
            Shape shape = call.input(0).shape();
            int axis = Math.toIntExact(call.parameters().integer("along"));
            int size = Math.toIntExact(shape.size(axis));
            int[] places = places(call.input(1), size);
            int inner = product(shape, axis + 1, shape.rank());
            int outer = product(shape, 0, axis);
            CellCopy cells = CellCopy.of(call.input(0), call.output());
            int blocks = Math.multiplyExact(outer, places.length);
            call.parallel().forRange(blocks, Chunks.grain(inner), (first, end) -> {
                for (int block = first; block < end; block++) {
                    int source = block / places.length * size + places[block % places.length];
                    cells.copy(source * inner, 1, block * inner, inner);
                }
            });
        }

        private static int[] places(Tensor indices, int size) {
            long[] given = indices.toLongArray();
            int[] places = new int[given.length];
            for (int i = 0; i < given.length; i++) {
                if (given[i] < -size || given[i] >= size) {
                    throw new DataException("Gather: index " + given[i] + " at position " + i + " is outside of "
                            + -size + " ... " + (size - 1));
                }
                places[i] = (int) (given[i] < 0 ? given[i] + size : given[i]);
            }
            return places;
        }
    }
}
