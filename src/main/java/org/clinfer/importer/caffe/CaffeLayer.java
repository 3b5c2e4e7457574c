package org.clinfer.importer.caffe;

import java.util.List;
import org.clinfer.graph.SourceRef;

/**
 * A layer of a network.
 *
 * @param type as the current format calls it
 * @param bottoms the blobs it takes
 * @param tops the blobs it gives; one that it takes, too, is changed in place
 * @param block its fields
 * @param source the file, and its number, name and type
 */
record CaffeLayer(String name, String type, List<String> bottoms, List<String> tops, Block block, SourceRef source) {

    CaffeLayer {
        bottoms = List.copyOf(bottoms);
        tops = List.copyOf(tops);
    }
}
