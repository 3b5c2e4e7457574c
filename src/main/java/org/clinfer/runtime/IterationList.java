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

/** The tensors that the iterations of a loop give for one of its lists. */
final class IterationList implements AutoCloseable {

    private final SourceRef loop;
    private final List<Tensor> iterations = new ArrayList<>();
    private long bytes;

    IterationList(SourceRef loop) {
        this.loop = loop;
    }

    /** Takes what a iteration gives. */
    void add(Tensor tensor) {
        iterations.add(tensor);
        bytes += tensor.type().bytes();
        if (!tensor.type().equals(iterations.get(0).type())) {
            throw new GraphException(
                    loop,
                    "iteration " + (iterations.size() - 1) + " gives " + tensor.type() + " for a list of "
                            + iterations.get(0).type());
        }
        if (bytes > Tensor.MAX_BYTES) {
            throw new GraphException(
                    loop,
                    iterations.size() + " iterations list " + bytes + " bytes; a tensor has at most "
                            + Tensor.MAX_BYTES);
        }
    }

    /**
     * All iterations along a new first axis.
     *
     * @param otherwise the type of a iteration, where there was none
     */
    Tensor stacked(Supplier<TensorType> otherwise) {
        TensorType each =
                iterations.isEmpty() ? otherwise.get() : iterations.get(0).type();
        List<Dim> dims = new ArrayList<>();
        dims.add(Dim.of(iterations.size()));
        each.shape().dims().forEach(dim -> dims.add(dim.isKnown() ? dim : Dim.of(0)));
        TensorType list = new TensorType(each.dtype(), new Shape(dims));
        if (list.bytes() != bytes) {
            throw new GraphException(loop, "it lists " + each + ", which does not fill whole bytes");
        }
        return Tensor.joined(list, iterations);
    }

    @Override
    public void close() {
        iterations.forEach(Tensor::close);
    }
}
