package org.clinfer.importer.tflite;

import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;

/**
 * A tensor of the file as the graph holds it.
 *
 * @param held the value
 * @param second whether it has the channels as the second axis; else it has the axes in the file's order, the channels last
 */
record TfliteValue(Value held, boolean second) {

    int rank() {
        return held.rank();
    }

    /** The shape in the file's order of axes. */
    Shape shape() {
        return second ? ChannelAxes.ordered(held.shape(), ChannelAxes.toLast(rank())) : held.shape();
    }

    /** The axis of the value that is held for one of the file's order. */
    int heldAxis(int axis) {
        return second ? ChannelAxes.inSecond(axis, rank()) : axis;
    }
}
