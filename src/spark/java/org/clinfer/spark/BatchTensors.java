package org.clinfer.spark;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.Model;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.image.Preprocessing;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The inputs of a run, made of rows. */
final class BatchTensors {

    private final List<TaskPlan.Feed> feeds;
    private final List<TensorType> types;
    private final List<CellReader> readers;
    private final long fixed;

    BatchTensors(Model model, List<TaskPlan.Feed> feeds, Preprocessing preprocessing) {
        this.feeds = feeds;
        this.types = feeds.stream().map(feed -> type(model, feed.input())).toList();
        this.readers = new ArrayList<>();
        for (int i = 0; i < feeds.size(); i++) {
            readers.add(new CellReader(feeds.get(i), types.get(i), preprocessing));
        }
        Map<String, TensorType> byName = new LinkedHashMap<>();
        for (int i = 0; i < feeds.size(); i++) {
            byName.put(feeds.get(i).input(), types.get(i));
        }
        this.fixed = ModelSignature.fixedRows(byName).orElse(0L);
    }

    private static TensorType type(Model model, String input) {
        for (List<Graph.Input> inputs : List.of(model.inputs(), model.defaults())) {
            for (Graph.Input one : inputs) {
                if (one.name().equals(input)) {
                    return one.type();
                }
            }
        }
        throw new InputException("the model has no input '" + input + "'");
    }

    /** {@return the rows of a run, if the model leaves no choice; 0 if it does} */
    long fixedRows() {
        return fixed;
    }

    /**
     * Reads the elements of a row.
     *
     * @return the shapes that they have in the inputs; rows of equal shapes can share a run
     * @throws RowException if the row cannot be read
     */
    List<LongBuffer> read(RowSlot slot) {
        Cell[] cells = new Cell[feeds.size()];
        List<LongBuffer> shapes = new ArrayList<>(cells.length);
        for (int i = 0; i < cells.length; i++) {
            TaskPlan.Feed feed = feeds.get(i);
            Cell cell = readers.get(i).read(slot.row());
            long[] shape = shape(feed, types.get(i), cell);
            shapes.add(LongBuffer.wrap(shape));
            cells[i] = new Cell(cell.elements(), shape);
        }
        slot.read(cells);
        return shapes;
    }

    private static long[] shape(TaskPlan.Feed feed, TensorType type, Cell cell) {
        try {
            return RowShape.of(feed.input(), type, cell);
        } catch (RowException e) {
            throw new RowException("column '" + feed.name() + "': " + e.getMessage(), e);
        }
    }

    /**
     * {@return the inputs of a run of rows of equal shapes} Where the model wants more rows, the last one is repeated.
     *
     * @param rows at least one; those whose numbers are no values of the model's type are failed, and removed
     */
    Map<String, Tensor> inputs(List<RowSlot> rows) {
        while (!rows.isEmpty()) {
            Map<String, Tensor> inputs = new LinkedHashMap<>();
            RowSlot at = rows.get(0);
            try {
                for (int i = 0; i < feeds.size(); i++) {
                    TensorType type = batch(types.get(i), rows.get(0).cells()[i].sizes(), rows.size());
                    Tensor tensor = Tensor.allocate(type);
                    inputs.put(feeds.get(i).input(), tensor);
                    long all = type.shape().dim(0) instanceof Dim.Known known ? known.size() : rows.size();
                    for (int row = 0; row < all; row++) {
                        at = rows.get(Math.min(row, rows.size() - 1));
                        Cell cell = at.cells()[i];
                        write(feeds.get(i), cell, tensor, row * cell.count());
                    }
                }
                return inputs;
            } catch (RowException e) {
                at.fail(String.valueOf(e.getMessage()));
                rows.remove(at);
            }
        }
        return Map.of();
    }

    private static void write(TaskPlan.Feed feed, Cell cell, Tensor tensor, long at) {
        try {
            CellWriter.write(cell, tensor, at);
        } catch (RowException e) {
            throw new RowException("column '" + feed.name() + "': " + e.getMessage(), e);
        }
    }

    private TensorType batch(TensorType type, long[] row, int rows) {
        long[] sizes = new long[row.length + 1];
        sizes[0] = fixed > 0 ? fixed : rows;
        System.arraycopy(row, 0, sizes, 1, row.length);
        return TensorType.of(type.dtype(), sizes);
    }
}
