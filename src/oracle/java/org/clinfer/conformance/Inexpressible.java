package org.clinfer.conformance;

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
        /** ONNX Runtime ends the whole process at an LSTM without steps or without a batch. */
        EMPTY_SEQUENCE,
        /** ONNX leaves open in which order elements come that are not to be sorted. */
        OPEN_ORDER,
        /** ONNX Runtime ends the whole process at a TopK of nothing. */
        NOTHING_TO_CHOOSE,
        /** ONNX clips what goes into the gates of an LSTM, not its cells. */
        CLIPPED_CELLS,
        /** ONNX leaves open what becomes of a real number that the integer type does not have. */
        UNDEFINED_CONVERSION,
        /** ONNX Runtime moves bits of unsigned integers, and leaves open what becomes of those moved by all of them. */
        UNDEFINED_SHIFT,
        /** ONNX leaves open what a NaN does to a maximum; ONNX Runtime passes it over. */
        UNDEFINED_NAN,
        /** ONNX has the operator for floating types alone. */
        FLOATING_ALONE,
        /** ONNX has the operator for tensors of one type. */
        SEVERAL_TYPES,
        /** ONNX Runtime says itself that it has no kernel for the type. */
        NOT_IMPLEMENTED,
        /** ONNX Runtime refuses this rank, or these axes of it. */
        RANK_REFUSED,
        /** ONNX Runtime refuses this value of a parameter. */
        VALUE_REFUSED,
        /** ONNX Runtime refuses a pool whose padding is as wide as its kernel without dilation. */
        PADDING_OF_WINDOW_SIZE,
        /** ONNX Runtime never returns from a convolution without channels, or with strides of this size. */
        ENDLESS_CONVOLUTION,
        /** ONNX Runtime refuses a transposed convolution that adds as many rows as its stride, whatever the dilation. */
        OUTPUT_PADDING_OF_STRIDE,
        /** ONNX Runtime loses digits here that the tolerance asks for; the definition computes in double precision. */
        IMPRECISE_RUNTIME,
        /** ONNX Runtime does otherwise than the text of ONNX or its test vectors. */
        WRONG_RUNTIME
    }

    private final Reason reason;

    Inexpressible(Reason reason) {
        super(reason.name());
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
