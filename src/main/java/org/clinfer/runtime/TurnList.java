package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The tensors that the turns of a loop give for one of its lists. */
final class TurnList implements AutoCloseable {

    private final SourceRef loop;
    private final List<Tensor> turns = new ArrayList<>();
    private long bytes;

    TurnList(SourceRef loop) {
        this.loop = loop;
    }

    /** Takes what a turn gives. */
    void add(Tensor tensor) {
        turns.add(tensor);
        bytes += tensor.type().bytes();
        if (!tensor.type().equals(turns.get(0).type())) {
            throw new GraphException(
                    loop,
                    "turn " + (turns.size() - 1) + " gives " + tensor.type() + " for a list of "
                            + turns.get(0).type());
        }
        if (bytes > Tensor.MAX_BYTES) {
            throw new GraphException(
                    loop, turns.size() + " turns list " + bytes + " bytes; a tensor has at most " + Tensor.MAX_BYTES);
        }
    }

    /**
     * All turns along a new first axis.
     *
     * @param otherwise the type of a turn, where there was none
     */
    Tensor stacked(Supplier<TensorType> otherwise) {
        TensorType each = turns.isEmpty() ? otherwise.get() : turns.get(0).type();
        List<Dim> dims = new ArrayList<>();
        dims.add(Dim.of(turns.size()));
        each.shape().dims().forEach(dim -> dims.add(dim.isKnown() ? dim : Dim.of(0)));
        TensorType list = new TensorType(each.dtype(), new Shape(dims));
        if (list.bytes() != bytes) {
            throw new GraphException(loop, "it lists " + each + ", which does not fill whole bytes");
        }
        return Tensor.joined(list, turns);
    }

    @Override
    public void close() {
        turns.forEach(Tensor::close);
    }
}
