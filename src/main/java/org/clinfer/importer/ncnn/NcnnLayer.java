package org.clinfer.importer.ncnn;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.SourceRef;

/**
 * A layer of a network, as a line of the file has it.
 *
 * @param inputs the blobs it takes
 * @param outputs the blobs it gives
 * @param params its parameters by their numbers
 * @param source the file, the line, the layer's name and type
 */
record NcnnLayer(
        String type,
        String name,
        List<String> inputs,
        List<String> outputs,
        Map<Integer, Param> params,
        SourceRef source) {

    NcnnLayer {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        params = Map.copyOf(params);
    }

    /**
     * A parameter as it stands in the file.
     *
     * @param words the one value, or the elements of a list
     */
    record Param(boolean isList, List<String> words) {

        Param {
            words = List.copyOf(words);
        }
    }
}
