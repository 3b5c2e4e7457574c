package org.clinfer.describe;

import java.util.List;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** Verifies that the tensors with an owner fit in it, as far as sizes are known. */
final class OwnerBinder {

    private final BindState state;

    OwnerBinder(BindState state) {
        this.state = state;
    }

    /** Records what does not fit; nothing where the node is wrong anyway. */
    void bind() {
        if (!state.violations().isEmpty()) {
            return;
        }
        state.op().inputs().forEach(input -> bind(input.name(), input.owner()));
        state.op().outputs().forEach(output -> bind(output.name(), output.owner()));
    }

    private void bind(String name, String owner) {
        ExpressionValue value = state.value(name).orElse(ExpressionValue.absent());
        if (owner.isEmpty() || value.isAbsent()) {
            return;
        }
        ExpressionValue whole = state.value(owner).orElse(ExpressionValue.absent());
        if (whole.isAbsent()) {
            state.violate(name, "its owner " + owner + " is left out");
        }
        if (!(whole instanceof ExpressionValue.TensorArg tensor)) {
            return;
        }
        List<ExpressionValue> parts = value instanceof ExpressionValue.ListOf list ? list.elements() : List.of(value);
        for (int index = 0; index < parts.size(); index++) {
            if (parts.get(index) instanceof ExpressionValue.TensorArg part) {
                Piece piece = new Piece(part.name(), part.type(), owner, tensor.type());
                verify(piece, state.scope().with("index", ExpressionValue.of(index)));
            }
        }
    }

    /** A tensor and the one in whose memory it is to lie. */
    private record Piece(String name, TensorType type, String owner, TensorType whole) {}

    private void verify(Piece piece, Scope scope) {
        if (piece.type.dtype() != piece.whole.dtype()) {
            state.violate(
                    piece.name,
                    "expected the dtype of its owner " + piece.owner + ", " + piece.whole.dtype() + ", found "
                            + piece.type.dtype());
            return;
        }
        Optional<ExpressionValue> offset = state.op().calcOffset().isEmpty()
                ? Optional.of(ExpressionValue.of(0))
                : state.evaluate(state.op().calcOffset().get(), "calc_offset", scope);
        if (offset.isEmpty() || offset.get().isAbsent() || offset.get() instanceof ExpressionValue.Unknown) {
            return;
        }
        if (offset.get() instanceof ExpressionValue.Int begin) {
            verify(piece, begin.value());
        } else {
            state.violate(
                    "calc_offset",
                    "expected an int or null, found " + offset.get().described());
        }
    }

    private void verify(Piece piece, long begin) {
        Shape part = piece.type.shape();
        Shape whole = piece.whole.shape();
        if (!part.isKnown() || !whole.isKnown()) {
            return;
        }
        long length = part.elements();
        if (begin < 0 || length > whole.elements() || begin > whole.elements() - length) {
            state.violate(
                    piece.name,
                    "expected to lie in its owner " + piece.owner + ", which has " + whole.elements()
                            + " elements, found " + length + " elements from " + begin + " on");
        }
    }
}
