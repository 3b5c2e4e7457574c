package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.CostModel;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The bytes and the time of nodes on one device, by the formulas of its family. Nodes that are the same use of an operator
 * are computed once.
 */
final class NodeEstimates {

    private final CostModel model;
    private final DeviceProfile profile;
    private final RuleScope scope;
    private final CheckedGraph checked;
    private final Function<CheckedNode, Object> configurations;
    private final Map<Object, Optional<Known>> known = new HashMap<>();

    /**
     * Prepares the estimates on one device.
     *
     * @param scope the words of the rules, with the types that tensors have on the device
     * @param configurations equal for nodes that are the same use of an operator
     */
    NodeEstimates(
            CostModel model,
            DeviceProfile profile,
            RuleScope scope,
            CheckedGraph checked,
            Function<CheckedNode, Object> configurations) {
        this.configurations = configurations;
        this.model = model;
        this.profile = profile;
        this.scope = scope;
        this.checked = checked;
    }

    /**
     * The facts of one node.
     *
     * @param time empty where the family has no formula for it, or something is not known
     */
    record Known(NodeBytes bytes, Optional<CostModel.DeviceTime> time) {

        /** The facts of a node that another one does along with its own work. */
        static final Known NOTHING =
                new Known(NodeBytes.of(0, 0, 0), Optional.of(new CostModel.DeviceTime(0, 0, 0, 0)));

        Known plus(Known other) {
            return new Known(bytes.plus(other.bytes), time.flatMap(own -> other.time.map(own::plus)));
        }
    }

    /**
     * The facts of a node of the network.
     *
     * @param type the type that its numbers of float32 stand for, if they do
     * @return empty where sizes are not known
     */
    Optional<Known> of(CheckedNode node, Optional<DType> type) {
        List<Boolean> constants = new ArrayList<>();
        node.node().inputs().forEach(input -> constants.add(checked.constants().containsKey(input)));
        return known(node, type, constants);
    }

    /** The facts of a node that a converter puts in the place of one of the network: all but its first input is constant. */
    Optional<Known> ofOther(CheckedNode node) {
        List<Boolean> constants = new ArrayList<>();
        node.node().inputs().forEach(input -> constants.add(!constants.isEmpty()));
        return known(node, Optional.empty(), constants);
    }

    private Optional<Known> known(CheckedNode node, Optional<DType> type, List<Boolean> constants) {
        Object key = List.of(configurations.apply(node), type, constants);
        Optional<Known> found = known.get(key);
        if (found == null) {
            found = compute(node, scope.seeing(type), constants);
            known.put(key, found);
        }
        return found;
    }

    private Optional<Known> compute(CheckedNode node, RuleScope seen, List<Boolean> constants) {
        Vocabulary.Use use = seen.of(node);
        RuleScope.Types types = seen.types(node, use.kinds());
        long read = 0;
        long weights = 0;
        for (int i = 0; i < types.inputs().size(); i++) {
            @Nullable TensorType input = types.inputs().get(i);
            if (input == null) {
                continue;
            }
            if (!input.shape().isKnown()) {
                return Optional.empty();
            }
            if (constants.get(i)) {
                weights += input.bytes();
            } else {
                read += input.bytes();
            }
        }
        long written = 0;
        for (TensorType output : types.outputs()) {
            if (!output.shape().isKnown()) {
                return Optional.empty();
            }
            written += output.bytes();
        }
        return Optional.of(new Known(
                NodeBytes.of(read, written, weights),
                model.time(profile, use, new CostModel.Traffic(read, written, weights), node.multiplyAdds())));
    }
}
