package org.clinfer.importer.tensorflow.savedmodel;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.tensorflow.checkpoint.Checkpoint;
import org.clinfer.importer.tensorflow.functional.DataInputs;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.SavedConcreteFunction;
import org.clinfer.importer.tensorflow.proto.SavedObjectGraph;
import org.clinfer.importer.tensorflow.proto.TrackableObjectGraph;
import org.clinfer.importer.tensorflow.proto.TrackableObjectGraph.TrackableObject.SerializedTensor;

/**
 * Variables as TensorFlow 2 finds them: a function has the numbers of the objects that stand for its last inputs, and the
 * checkpoint has the keys of the objects. Where Keras 3 models are saved by {@code tf.saved_model.save}, nodes restore copies
 * of the variables, which no function reads.
 */
final class BoundVariables {

    private static final String OBJECTS = "_CHECKPOINTABLE_OBJECT_GRAPH";
    private static final String VALUE = "VARIABLE_VALUE";

    private final Map<NodeOutput.Place, Integer> numbers = new HashMap<>();
    private final TrackableObjectGraph objects;

    BoundVariables(CallTree tree, SavedObjectGraph saved, Checkpoint checkpoint, SourceRef source) {
        this.objects = checkpoint
                .text(OBJECTS)
                .map(text -> objects(text, source))
                .orElse(TrackableObjectGraph.getDefaultInstance());
        for (NodeDef node : tree.main().nodes()) {
            SavedConcreteFunction function = saved.getConcreteFunctionsOrDefault(
                    node.getAttrOrDefault("f", AttrValue.getDefaultInstance())
                            .getFunc()
                            .getName(),
                    SavedConcreteFunction.getDefaultInstance());
            List<String> inputs = DataInputs.data(node);
            int first = inputs.size() - function.getBoundInputsCount();
            for (int i = Math.max(0, first); i < inputs.size(); i++) {
                NodeOutput read = tree.beyondAliases(tree.resolve(tree.main(), inputs.get(i)));
                numbers.putIfAbsent(read.place(), function.getBoundInputs(i - first));
            }
        }
    }

    private static TrackableObjectGraph objects(ByteBuffer text, SourceRef source) {
        try {
            return TrackableObjectGraph.parseFrom(text);
        } catch (InvalidProtocolBufferException broken) {
            throw new GraphException(source, "its list of objects is damaged: " + broken.getMessage(), broken);
        }
    }

    /** The key of a variable; empty where no function of the graph reads it, or the checkpoint does not have its object. */
    Optional<String> key(NodeOutput variable) {
        int number = numbers.getOrDefault(variable.place(), -1);
        return number < 0 || number >= objects.getNodesCount()
                ? Optional.empty()
                : objects.getNodes(number).getAttributesList().stream()
                        .filter(attribute -> attribute.getName().equals(VALUE))
                        .map(SerializedTensor::getCheckpointKey)
                        .findFirst();
    }
}
