package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.CostModel;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The bytes and the time of nodes on devices of one family, by its formulas. Nodes that are the same use of an operator are
 * computed once, and put into the words of the formulas once for all devices.
 */
final class NodeEstimates {

    private final CostModel model;

    /** The place of each device's figures among {@code profiles}. */
    private final IdentityHashMap<DeviceProfile, Integer> places = new IdentityHashMap<>();

    /** One device for all that have the same figures. */
    private final List<DeviceProfile> profiles = new ArrayList<>();

    private final RuleScope scope;
    private final CheckedGraph checked;
    private final Function<CheckedNode, Object> configurations;

    /** The facts of uses on each device; empty where sizes are not known. */
    private final Map<Object, Optional<List<Known>>> known = new HashMap<>();

    private final IdentityHashMap<CheckedNode, Optional<List<Known>>> ofNodes = new IdentityHashMap<>();

    /**
     * Prepares the estimates on the devices of a family.
     *
     * @param devices those for which the formulas are
     * @param scope the words of the rules, with the types that tensors have on the devices
     * @param configurations equal for nodes that are the same use of an operator
     */
    NodeEstimates(
            CostModel model,
            List<DeviceProfile> devices,
            RuleScope scope,
            CheckedGraph checked,
            Function<CheckedNode, Object> configurations) {
        this.configurations = configurations;
        this.model = model;
        this.scope = scope;
        this.checked = checked;
        Map<Map<String, Object>, Integer> distinct = new HashMap<>();
        for (DeviceProfile profile : devices) {
            Map<String, Object> figures = figures(model, profile);
            if (!distinct.containsKey(figures)) {
                distinct.put(figures, profiles.size());
                profiles.add(profile);
            }
            places.put(profile, distinct.get(figures));
        }
    }

    /** The figures of a device that the formulas look at: where they are equal, so is the time of a node. */
    private static Map<String, Object> figures(CostModel model, DeviceProfile profile) {
        Scope scope = profile.over(Scope.empty());
        Map<String, Object> figures = new HashMap<>();
        for (String key : model.keys(profile.sections())) {
            int dot = key.indexOf('.');
            scope.find(key.substring(0, dot))
                    .map(ExpressionValue.Fields.class::cast)
                    .map(section -> section.fields().get(key.substring(dot + 1)))
                    .ifPresent(value -> figures.put(key, value));
        }
        return figures;
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
     * The facts of a node of the network on a device.
     *
     * @param type the type that its numbers of float32 stand for, if they do
     * @return empty where sizes are not known
     */
    Optional<Known> of(DeviceProfile profile, CheckedNode node, Optional<DType> type) {
        return on(profile, ofNodes.computeIfAbsent(node, none -> {
            List<Boolean> constants = new ArrayList<>();
            node.node()
                    .inputs()
                    .forEach(input -> constants.add(checked.constants().containsKey(input)));
            return known(node, type, constants);
        }));
    }

    /** The facts of a node that a converter puts in the place of one of the network: all but its first input is constant. */
    Optional<Known> ofOther(DeviceProfile profile, CheckedNode node) {
        List<Boolean> constants = new ArrayList<>();
        node.node().inputs().forEach(input -> constants.add(!constants.isEmpty()));
        return on(profile, known(node, Optional.empty(), constants));
    }

    private Optional<Known> on(DeviceProfile profile, Optional<List<Known>> known) {
        return known.map(all -> all.get(Objects.requireNonNull(places.get(profile))));
    }

    private Optional<List<Known>> known(CheckedNode node, Optional<DType> type, List<Boolean> constants) {
        return known.computeIfAbsent(
                List.of(configurations.apply(node), type, constants),
                none -> compute(node, scope.seeing(node, type), constants));
    }

    private Optional<List<Known>> compute(CheckedNode node, RuleScope seen, List<Boolean> constants) {
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
        NodeBytes bytes = NodeBytes.of(read, written, weights);
        CostModel.Traffic traffic = new CostModel.Traffic(read, written, weights);
        OptionalLong multiplyAdds = node.multiplyAdds();
        return Optional.of(profiles.stream()
                .map(profile -> new Known(bytes, model.time(profile, use, traffic, multiplyAdds)))
                .toList());
    }
}
