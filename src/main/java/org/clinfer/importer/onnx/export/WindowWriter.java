package org.clinfer.importer.onnx.export;

import java.util.Locale;
import java.util.stream.IntStream;

/** The parameters that convolutions and pools share, in ONNX's terms. */
final class WindowWriter {

    private WindowWriter() {}

    /** Writes strides, dilations and padding as OpLib's operators have them. */
    static void put(Use use, AttributeWriter attributes) {
        use.integers("strides").ifPresent(strides -> attributes.put("strides", strides));
        use.integers("dilation").ifPresent(dilation -> attributes.put("dilations", dilation));
        String mode = use.text("pad_mode", "PADDING");
        use.integers("padding")
                .filter(padding -> mode.equals("PADDING"))
                .ifPresent(padding -> attributes.put("pads", beginsThenEnds(padding)));
        switch (mode) {
            case "PADDING" -> {}
            case "SAME" -> attributes.put("auto_pad", "SAME_UPPER");
            case "SAME_LOWER", "VALID" -> attributes.put("auto_pad", mode);
            default -> throw use.refused("pad_mode " + mode);
        }
    }

    /** Writes strides, dilations and padding as oneDNN's convolution has them. */
    static void putOneDnn(Use use, AttributeWriter attributes) {
        use.integers("strides").ifPresent(strides -> attributes.put("strides", strides));
        use.integers("dilations").ifPresent(dilations -> attributes.put("dilations", dilations));
        long[] begin = use.integers("pads_begin").orElse(new long[0]);
        long[] end = use.integers("pads_end").orElse(new long[0]);
        String mode = use.text("auto_pad", "none");
        switch (mode) {
            case "none" -> attributes.put("pads", joined(begin, end));
            case "same_upper", "same_lower", "valid" -> attributes.put("auto_pad", mode.toUpperCase(Locale.ROOT));
            default -> throw use.refused("auto_pad " + mode);
        }
    }

    private static long[] joined(long[] begin, long[] end) {
        long[] all = new long[begin.length + end.length];
        System.arraycopy(begin, 0, all, 0, begin.length);
        System.arraycopy(end, 0, all, begin.length, end.length);
        return all;
    }

    /** From begin and end of each axis in turn. */
    static long[] beginsThenEnds(long[] byAxis) {
        int axes = byAxis.length / 2;
        return IntStream.range(0, 2 * axes)
                .mapToLong(i -> byAxis[i < axes ? 2 * i : 2 * (i - axes) + 1])
                .toArray();
    }
}
