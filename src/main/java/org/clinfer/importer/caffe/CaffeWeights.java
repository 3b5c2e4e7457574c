package org.clinfer.importer.caffe;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.importer.caffe.proto.LayerParameter;
import org.clinfer.importer.caffe.proto.NetParameter;
import org.clinfer.importer.caffe.proto.V1LayerParameter;
import org.clinfer.text.Printable;

/** The trained blobs of a network's layers, by the layers' names; or that there are none. */
final class CaffeWeights {

    private final Optional<String> file;
    private final Map<String, List<BlobProto>> layers = new HashMap<>();

    private CaffeWeights(Optional<String> file) {
        this.file = file;
    }

    /** A network's definition stands alone. */
    static CaffeWeights none() {
        return new CaffeWeights(Optional.empty());
    }

    /** The weights in a binary file. */
    static CaffeWeights of(NetParameter net, String file) {
        CaffeWeights weights = new CaffeWeights(Optional.of(file));
        for (V1LayerParameter layer : net.getLayersList()) {
            boolean oldest = layer.hasLayer();
            weights.add(
                    oldest ? layer.getLayer().getName() : layer.getName(),
                    oldest && layer.getBlobsCount() == 0 ? layer.getLayer().getBlobsList() : layer.getBlobsList());
        }
        for (LayerParameter layer : net.getLayerList()) {
            weights.add(layer.getName(), layer.getBlobsList());
        }
        return weights;
    }

    /** Of layers of one name that have blobs, the last one counts, as the last copy does in Caffe. */
    private void add(String layer, List<BlobProto> blobs) {
        if (!blobs.isEmpty()) {
            layers.put(layer, blobs);
        }
    }

    /** The file they come from; empty if there is none. */
    Optional<String> file() {
        return file;
    }

    /** The blobs of a layer; none if it has none. */
    List<BlobProto> of(String layer) {
        return layers.getOrDefault(layer, List.of());
    }

    SourceRef source(CaffeLayer layer, int number) {
        return new SourceRef(
                file.orElse(layer.source().file()),
                "blob " + number + " of layer '" + Printable.shortened(layer.name()) + "'");
    }
}
