package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** The shapes of inputs: as the file says, or as the layers behind them tell. */
final class Inputs {

    private static final int WIDTH = 0;
    private static final int HEIGHT = 1;
    private static final int DEPTH = 11;
    private static final int CHANNELS = 2;

    /** Layers that take blobs of any number of axes and give one of the same. */
    private static final Set<String> TRANSPARENT = Set.of(
            "Split",
            "BinaryOp",
            "Scale",
            "BatchNorm",
            "Bias",
            "Noop",
            "Dropout",
            "Padding",
            "Power",
            "UnaryOp",
            "ReLU");

    private static final Set<String> OF_PICTURES = Set.of(
            "Convolution",
            "ConvolutionDepthWise",
            "Deconvolution",
            "DeconvolutionDepthWise",
            "Pooling",
            "Interp",
            "PixelShuffle",
            "Reorg",
            "ShuffleChannel");

    private final Map<String, List<NcnnLayer>> takers = new HashMap<>();

    Inputs(List<NcnnLayer> layers) {
        for (NcnnLayer layer : layers) {
            layer.inputs()
                    .forEach(blob -> takers.computeIfAbsent(blob, none -> new ArrayList<>())
                            .add(layer));
        }
    }

    /**
     * The shape of what an input layer gives, with the batch in front.
     *
     * @throws UnsupportedException if nothing tells how many axes it has
     */
    Shape shape(NcnnLayer layer) {
        LayerParams params = new LayerParams(layer);
        List<Dim> dims = new ArrayList<>(List.of(Dim.of(1)));
        for (int id : new int[] {CHANNELS, DEPTH, HEIGHT, WIDTH}) {
            int size = params.size(id, 0, 0);
            if (size > 0) {
                dims.add(Dim.of(size));
            } else if (dims.size() > 1 && id != DEPTH) {
                throw params.wrong(id, "it is missing, but an axis outside of it is given");
            }
        }
        if (!params.unread().isEmpty()) {
            throw params.wrong(params.unread().iterator().next(), "an input has no such parameter");
        }
        return dims.size() == 1 ? picture(layer) : new Shape(dims);
    }

    /** Pictures of any size; a convolution tells how many channels they have. */
    private Shape picture(NcnnLayer input) {
        Set<String> seen = new HashSet<>();
        List<String> open = new ArrayList<>(input.outputs());
        for (int i = 0; i < open.size(); i++) {
            for (NcnnLayer layer : takers.getOrDefault(open.get(i), List.of())) {
                if (OF_PICTURES.contains(layer.type())) {
                    return new Shape(List.of(Dim.of(1), channels(layer), Dim.unknown(), Dim.unknown()));
                }
                if (TRANSPARENT.contains(layer.type()) && seen.add(layer.name())) {
                    open.addAll(layer.outputs());
                }
            }
        }
        String feature = "layer Input without sizes";
        throw new UnsupportedException(
                input.source(),
                feature,
                "how many axes it has is not known: it needs 0=width, 1=height and 2=channels, as far as it has them");
    }

    private static Dim channels(NcnnLayer layer) {
        return layer.type().startsWith("Convolution") ? Dim.of(NcnnConvolutionLayers.inputs(layer)) : Dim.unknown();
    }
}
