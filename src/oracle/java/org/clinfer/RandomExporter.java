package org.clinfer;

import java.util.Arrays;
import java.util.List;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;

/** The way in which an exporter writes the steps of a network of real numbers. */
interface RandomExporter {

    /** One operator on real numbers; of an input that is left out the name is empty. */
    record Step(String op, List<String> inputs, List<long[]> sizes, List<AttributeProto> given) {

        Step(String op, String inputs, List<long[]> sizes, AttributeProto... attributes) {
            this(op, Arrays.asList(inputs.split(",", -1)), sizes, List.of(attributes));
        }

        AttributeProto[] attributes() {
            return given.toArray(AttributeProto[]::new);
        }

        String input(int index) {
            return index < inputs.size() ? inputs.get(index) : "";
        }

        String joined() {
            return String.join(",", inputs);
        }

        long integer(String name, long otherwise) {
            return given.stream()
                    .filter(attribute -> attribute.getName().equals(name))
                    .mapToLong(AttributeProto::getI)
                    .findFirst()
                    .orElse(otherwise);
        }
    }

    /** The type of the network's input and of the constants that steps make. */
    default DType type() {
        return DType.FLOAT32;
    }

    /** About as how many nodes a step is written. */
    default int nodesOfAStep() {
        return 1;
    }

    /** The nodes of a step; later steps may read the values that it returns. */
    List<Value> write(RandomNetwork network, Step step);

    /** Every step is one node. */
    final class Plain implements RandomExporter {

        @Override
        public List<Value> write(RandomNetwork network, Step step) {
            return network.plain(step.op(), step.joined(), step.sizes(), step.attributes());
        }
    }
}
