package org.clinfer.importer.tensorflow.functional;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;

/**
 * TensorArrays as lists of tensors. An array is a resource and a value, the flow, that says which of its writes come before
 * a read; a list is a value itself and takes the place of the flow.
 */
final class TensorArrays {

    private static final int MOST_ENTERED = 100;

    private final NodeMap graph;

    /** The nodes that make arrays, by their names. */
    private final Map<String, NodeDef> arrays = new HashMap<>();

    private TensorArrays(NodeMap graph) {
        this.graph = graph;
        for (NodeDef node : graph.all(each -> each.getOp().equals("TensorArrayV3"))) {
            arrays.put(node.getName(), node);
        }
    }

    static void replace(NodeMap graph) {
        TensorArrays arrays = new TensorArrays(graph);
        List<NodeDef> changed = new ArrayList<>();
        for (NodeDef node : graph.all()) {
            try {
                arrays.changed(arrays.withFlows(node)).ifPresent(changed::add);
            } catch (NotFunctional other) {
                changed.add(arrays.withFlows(node));
            }
        }
        changed.forEach(graph::put);
        arrays.arrays.values().forEach(arrays::addElementShape);
    }

    private static AttrValue attribute(NodeDef node, String name) {
        return node.getAttrOrDefault(name, AttrValue.getDefaultInstance());
    }

    /** The node with the list, the only output of the node that makes one, in the place of the flow. */
    private NodeDef withFlows(NodeDef node) {
        NodeDef.Builder changed = node.toBuilder();
        for (int i = 0; i < node.getInputCount(); i++) {
            String input = node.getInput(i);
            if (NodeMap.isPort(input, 1) && arrays.containsKey(NodeMap.name(input))) {
                changed.setInput(i, NodeMap.name(input));
            }
        }
        return changed.build();
    }

    private Optional<NodeDef> changed(NodeDef node) {
        List<String> inputs = NodeMap.data(node);
        if (arrays.containsKey(node.getName())) {
            return Optional.of(list(node, "TensorListReserve", node, shapeName(node), NodeMap.data(node, 0)));
        }
        if (!node.getOp().startsWith("TensorArray") || inputs.isEmpty()) {
            return Optional.of(node);
        }
        Optional<NodeDef> made = array(inputs.get(0));
        if (made.isEmpty()) {
            return Optional.of(node);
        }
        NodeDef array = made.get();
        String flow = inputs.get(inputs.size() - 1);
        return switch (node.getOp()) {
            case "TensorArrayReadV3" ->
                Optional.of(list(node, "TensorListGetItem", array, flow, NodeMap.data(node, 1), shapeName(array)));
            case "TensorArrayWriteV3" ->
                Optional.of(
                        list(node, "TensorListSetItem", array, flow, NodeMap.data(node, 1), NodeMap.data(node, 2))
                                .toBuilder()
                                .putAttr("resize_if_index_out_of_bounds", attribute(array, "dynamic_size"))
                                .build());
            case "TensorArrayGatherV3" ->
                Optional.of(
                        isAll(NodeMap.data(node, 1))
                                ? list(node, "TensorListStack", array, flow, shapeName(array))
                                : list(node, "TensorListGather", array, flow, NodeMap.data(node, 1), shapeName(array)));
            case "TensorArrayScatterV3" ->
                Optional.of(
                        isAll(NodeMap.data(node, 1))
                                ? list(node, "TensorListFromTensor", array, NodeMap.data(node, 2), shapeName(array))
                                : node);
            case "TensorArraySizeV3" ->
                Optional.of(list(node, "TensorListLength", array, flow).toBuilder()
                        .clearAttr()
                        .build());
            case "TensorArrayCloseV3" -> Optional.empty();
            default -> Optional.of(node);
        };
    }

    /** The node that makes the array that a value names, within loops as well. */
    private Optional<NodeDef> array(String handle) {
        String at = graph.origin(handle);
        for (int i = 0; i < MOST_ENTERED && graph.node(at).getOp().equals("Enter"); i++) {
            at = graph.origin(NodeMap.data(graph.node(at), 0));
        }
        return Optional.ofNullable(arrays.get(NodeMap.name(at)));
    }

    /** {@return whether indices are all there are: TensorFlow writes and reads arrays as a whole by a Range} */
    private boolean isAll(String indices) {
        NodeDef range = graph.node(graph.origin(indices));
        return range.getOp().equals("Range")
                && isInteger(NodeMap.data(range, 0), 0)
                && isInteger(NodeMap.data(range, 2), 1);
    }

    private boolean isInteger(String value, int wanted) {
        NodeDef node = graph.node(graph.origin(value));
        TensorProto tensor = attribute(node, "value").getTensor();
        boolean isScalar =
                node.getOp().equals("Const") && tensor.getTensorShape().getDimCount() == 0;
        if (!isScalar || tensor.getDtype() != DataType.DT_INT32) {
            return false;
        }
        if (!tensor.getTensorContent().isEmpty()) {
            return tensor.getTensorContent()
                            .asReadOnlyByteBuffer()
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getInt()
                    == wanted;
        }
        return (tensor.getIntValCount() == 0 ? 0 : tensor.getIntVal(0)) == wanted;
    }

    private static String shapeName(NodeDef array) {
        return array.getName() + "/element_shape";
    }

    /** A node of lists in the place of one of arrays. */
    private static NodeDef list(NodeDef node, String op, NodeDef array, String... inputs) {
        NodeDef.Builder list = NodeDef.newBuilder().setName(node.getName()).setOp(op);
        list.addAllInput(List.of(inputs));
        return list.putAttr("element_dtype", attribute(array, "dtype")).build();
    }

    private void addElementShape(NodeDef array) {
        TensorShapeProto shape = attribute(array, "element_shape").getShape();
        boolean hasRank = array.containsAttr("element_shape") && !shape.getUnknownRank();
        TensorProto.Builder sizes = TensorProto.newBuilder().setDtype(DataType.DT_INT32);
        if (hasRank) {
            sizes.getTensorShapeBuilder()
                    .addDim(TensorShapeProto.Dim.newBuilder().setSize(shape.getDimCount()));
            shape.getDimList().forEach(dim -> sizes.addIntVal((int) dim.getSize()));
        } else {
            sizes.setTensorShape(TensorShapeProto.getDefaultInstance()).addIntVal(-1);
        }
        graph.put(NodeDef.newBuilder()
                .setName(shapeName(array))
                .setOp("Const")
                .putAttr(
                        "dtype",
                        AttrValue.newBuilder().setType(DataType.DT_INT32).build())
                .putAttr("value", AttrValue.newBuilder().setTensor(sizes).build())
                .build());
    }
}
