package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.Optional;
import org.clinfer.importer.Params;

/** The attributes that convolutions and pools share, in Clinfer's terms. */
final class OnnxWindow {

    private final OnnxNode node;
    private final String autoPad;
    private final Optional<long[]> pads;

    OnnxWindow(OnnxNode node) {
        this.node = node;
        this.autoPad = node.text("auto_pad", "NOTSET");
        this.pads = node.integers("pads");
        if (!autoPad.equals("NOTSET")
                && pads.isPresent()
                && Arrays.stream(pads.get()).anyMatch(pad -> pad != 0)) {
            throw node.malformed("auto_pad is " + autoPad + ", but pads are given too");
        }
        if (pads.isPresent() && pads.get().length % 2 != 0) {
            throw node.malformed("pads must be begin and end of each axis, but are " + Arrays.toString(pads.get()));
        }
    }

    /** ONNX's own name of the padding mode: NOTSET, SAME_UPPER, SAME_LOWER or VALID. */
    String autoPad() {
        return autoPad;
    }

    /** The name OpLib's operators have for it. */
    String padMode() {
        return switch (autoPad) {
            case "NOTSET" -> "PADDING";
            case "SAME_UPPER" -> "SAME";
            case "SAME_LOWER", "VALID" -> autoPad;
            default -> throw node.unsupportedUse("auto_pad " + autoPad);
        };
    }

    /** All begins, then all ends, as ONNX has them. */
    Optional<long[]> pads() {
        return autoPad.equals("NOTSET") ? pads : Optional.empty();
    }

    /** Begin and end of each axis in turn. */
    Optional<long[]> padsByAxis() {
        return pads().map(found -> {
            int axes = found.length / 2;
            long[] byAxis = new long[found.length];
            for (int axis = 0; axis < axes; axis++) {
                byAxis[2 * axis] = found[axis];
                byAxis[2 * axis + 1] = found[axes + axis];
            }
            return byAxis;
        });
    }

    /** Writes pad_mode and padding as OpLib's operators call them. */
    void putPadding(Params params) {
        params.put("pad_mode", padMode());
        padsByAxis().ifPresent(padding -> params.put("padding", padding));
    }
}
