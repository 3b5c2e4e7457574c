package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;

/** Convolutions of what is resampled, or only padded, first. */
final class FusedConvolutionTranslators {

    private FusedConvolutionTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "FusedResizeAndPadConv2D",
                FusedConvolutionTranslators::resized,
                "FusedPadConv2D",
                call -> padded(call, call.input(0, 4), 1));
    }

    private static void resized(TfCall call) {
        TfValue x = call.input(0, 4);
        boolean align = call.node().flag("resize_align_corners", false);
        long[] sizes = call.requiredIntegers(1, "size");
        if (sizes.length != 2) {
            throw call.malformed("its size is " + Arrays.toString(sizes));
        }
        Params params = new Params()
                .put("mode", "linear")
                .put("coordinate_mode", align ? "align_corners" : "asymmetric")
                .put("axes", new long[] {2, 3})
                .put("sizes", sizes);
        String larger = call.step("Resize", List.of(call.second(x)), params);
        padded(call, between(call, larger), 2);
    }

    /** A value that only this node has, with the channels second. */
    private static TfValue between(TfCall call, String stored) {
        return call.graph().value(call.graph().freshName(call.node().name() + "/picture"), stored, true);
    }

    /** @param paddings the number of the input that has the widths; the weights are behind it */
    private static void padded(TfCall call, TfValue x, int paddings) {
        long[] pairs = call.constant(paddings)
                .filter(tensor -> tensor.dtype().isInteger() && tensor.elements() == 8)
                .orElseThrow(() -> call.unsupportedUse("computed paddings"))
                .toLongArray();
        if (Arrays.stream(pairs).anyMatch(width -> width < 0 || width >= 1 << 30)) {
            throw call.malformed("its paddings are " + Arrays.toString(pairs));
        }
        String mode = call.node().text("mode", "REFLECT");
        if (!List.of("REFLECT", "SYMMETRIC").contains(mode)) {
            throw call.malformed("attribute 'mode' is " + mode);
        }
        long[] ours = {
            pairs[0], pairs[1], pairs[6], pairs[7], pairs[2], pairs[3], pairs[4], pairs[5],
        };
        String wider = call.step(
                "Pad", List.of(call.second(x)), new Params().put("mode", mode).put("pad_with", ours));
        TfValue picture = between(call, wider);
        TfCall inner = call.as(call.node(), List.of(picture, call.input(paddings + 1, 4)));
        TfConvolutionTranslators.Weights weights = TfConvolutionTranslators.Weights.plain(inner, 4, picture);
        TfConvolutionTranslators.convolve(call, picture, weights, TfWindow.of(call, 4, weights.kernel()));
    }
}
