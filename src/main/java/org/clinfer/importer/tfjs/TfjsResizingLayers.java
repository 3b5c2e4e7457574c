package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers that enlarge images, or cut or pad their borders. */
final class TfjsResizingLayers {

    private static final long DEFAULT_SIZE = 2;

    private TfjsResizingLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        for (int spatial = 1; spatial <= 3; spatial++) {
            int axes = spatial;
            all.one("UpSampling" + axes + "D", call -> enlarge(call, axes));
            all.one("ZeroPadding" + axes + "D", call -> pad(call, axes));
            all.one("Cropping" + axes + "D", call -> crop(call, axes));
        }
    }

    /** Bilinear interpolation of TensorFlow.js puts the centres of pixels elsewhere than Keras does. */
    private static Value enlarge(TfjsLayerCall call, int spatial) {
        TfjsFields config = call.config();
        Value x = call.input(spatial + 2);
        long[] size = config.perAxis("size", spatial, 1)
                .orElseGet(() ->
                        LongStream.generate(() -> DEFAULT_SIZE).limit(spatial).toArray());
        String mode = config.text("interpolation").orElse("nearest");
        Params params = new Params()
                .put("scales", Arrays.stream(size).asDoubleStream().toArray())
                .put("axes", axes(call, spatial));
        switch (mode) {
            case "nearest" ->
                params.put("mode", "nearest")
                        .put("coordinate_mode", "asymmetric")
                        .put("nearest_mode", "floor");
            case "bilinear" ->
                params.put("mode", "linear")
                        .put("coordinate_mode", call.origin() == Origin.TENSORFLOW_JS ? "asymmetric" : "half_pixel");
            default -> throw call.unsupportedUse("interpolation " + new Json.Text(mode).shown());
        }
        return call.add("Resize", params, x);
    }

    private static long[] axes(TfjsLayerCall call, int spatial) {
        int first = Layout.firstSpatial(call);
        return LongStream.range(first, first + spatial).toArray();
    }

    private static long[] ofAxes(long[] pairs, int from) {
        return LongStream.range(0, pairs.length / 2)
                .map(axis -> pairs[2 * (int) axis + from])
                .toArray();
    }

    private static Value pad(TfjsLayerCall call, int spatial) {
        Value x = call.input(spatial + 2);
        long[] pairs = call.config().pairs("padding", spatial, TfjsConvolutionLayers.ones(2 * spatial));
        long[] pads = LongStream.concat(Arrays.stream(ofAxes(pairs, 0)), Arrays.stream(ofAxes(pairs, 1)))
                .toArray();
        return call.add("Pad", new Params().put("pads", pads).put("axes", axes(call, spatial)), x);
    }

    private static Value crop(TfjsLayerCall call, int spatial) {
        Value x = call.input(spatial + 2);
        long[] none = spatial == 2 ? new long[4] : TfjsConvolutionLayers.ones(2 * spatial);
        long[] pairs = call.config().pairs("cropping", spatial, none);
        long[] ends = Arrays.stream(ofAxes(pairs, 1))
                .map(width -> width == 0 ? Integer.MAX_VALUE : -width)
                .toArray();
        Params params =
                new Params().put("starts", ofAxes(pairs, 0)).put("ends", ends).put("axes", axes(call, spatial));
        return call.add("Slice", params, x);
    }
}
