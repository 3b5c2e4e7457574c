package org.clinfer.importer.openvino;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.Shape;

/**
 * One layer of a definition.
 *
 * @param opset the set of operators that the type is of, such as opset8
 * @param attributes what its {@code data} says
 * @param inputs which ports give its inputs, in order
 * @param inputPorts the ids of these inputs' own ports
 * @param bodies the networks that it runs, by their elements
 */
record OpenVinoLayer(
        String id,
        String name,
        String type,
        String opset,
        Map<String, String> attributes,
        List<PortRef> inputs,
        List<String> inputPorts,
        List<Port> outputs,
        Map<String, OpenVinoBody> bodies,
        SourceRef source) {

    /** A port of a layer. */
    record PortRef(String layer, String port) {}

    /**
     * An output.
     *
     * @param precision the name of its data type, as the file has it
     * @param tensor what the network that the definition was made from calls it, {@code ""} where nothing says so
     */
    record Port(String id, String precision, Shape shape, String tensor) {}

    /** The number of the set; 0 for one that is none of OpenVINO's own. */
    int opsetNumber() {
        String digits = opset.startsWith("opset") ? opset.substring("opset".length()) : "";
        return digits.matches("[1-9][0-9]?") ? Integer.parseInt(digits) : 0;
    }

    /** The same layer under another name. */
    OpenVinoLayer named(String other) {
        return new OpenVinoLayer(id, other, type, opset, attributes, inputs, inputPorts, outputs, bodies, source);
    }

    /** The output with this id, counted from 0. */
    int output(String id) {
        for (int i = 0; i < outputs.size(); i++) {
            if (outputs.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }
}
