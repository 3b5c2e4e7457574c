package org.clinfer.conformance;

import java.util.Locale;

/** Says why a case is not compared. */
final class Inexpressible extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** All reasons for which a case is not compared. */
    enum Reason {
        /** ONNX Pad pads with one value, on all sides. */
        ONE_PADDING_VALUE,
        /** ONNX Pad has no mode that repeats the edge element. */
        NO_SYMMETRIC_PADDING,
        /** ONNX SpaceToDepth has one order of channels, DepthToSpace two; darknet's is not among them. */
        NO_SUCH_ORDER,
        /** Operator set 10 rounds positions of the asymmetric kind alone in this way. */
        SIMPLE_ROUNDING_OF_CENTRES,
        /** ONNX Runtime says itself that it has no such kernel. */
        NOT_IMPLEMENTED,
        /** ONNX Runtime refuses a pool whose padding is as wide as its window. */
        PADDING_OF_WINDOW_SIZE
    }

    private final Reason reason;

    Inexpressible(Reason reason) {
        super(reason.name().toLowerCase(Locale.ROOT));
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
