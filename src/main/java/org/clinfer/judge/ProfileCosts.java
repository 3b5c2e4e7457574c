package org.clinfer.judge;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.CostModel;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.RuleSet;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** Adds estimates to the reports of a network for devices that are known by their profiles. */
final class ProfileCosts {

    private final CheckedGraph checked;
    private final Vocabulary vocabulary;
    private final Optional<DType> asked;
    private final QuantizedUses quantized;
    private final Map<String, CheckedNode> byName = new HashMap<>();
    /** A number for each distinct use of an operator, and that of each node. */
    private final Map<Object, Integer> configurations = new HashMap<>();

    private final IdentityHashMap<CheckedNode, Integer> configurationOf = new IdentityHashMap<>();
    private final IdentityHashMap<RuleSet, List<DeviceProfile>> families;
    private final IdentityHashMap<RuleSet, NodeEstimates> estimates = new IdentityHashMap<>();

    /**
     * Prepares the estimates of one network.
     *
     * @param profiles the devices
     * @param asked the type that a network of float32 is quantized or converted to; empty: that of the family
     */
    ProfileCosts(
            CheckedGraph checked,
            List<DeviceProfile> profiles,
            Vocabulary vocabulary,
            Optional<DType> asked,
            QuantizedUses quantized) {
        this.checked = checked;
        this.families = profiles.stream()
                .collect(Collectors.groupingBy(DeviceProfile::rules, IdentityHashMap::new, Collectors.toList()));
        this.vocabulary = vocabulary;
        this.asked = asked;
        this.quantized = quantized;
        checked.nodes().forEach(node -> byName.put(node.node().name(), node));
    }

    /** The report with estimates, or the reason why there are none. */
    CheckReport of(CheckReport report, DeviceProfile profile, Conversion conversion) {
        Optional<CostModel> cost = profile.rules().cost();
        if (cost.isEmpty()) {
            return NetworkCosts.notEstimated(
                    report, "no formulas are known for " + profile.rules().title());
        }
        CostModel model = cost.get();
        if (!model.isFor(profile)) {
            List<String> missing = model.missing(profile);
            return NetworkCosts.notEstimated(
                    report,
                    missing.isEmpty()
                            ? "the clock of the profile is not a number"
                            : "the profile does not give " + String.join(", ", missing));
        }
        ValuesOnDevice values = ValuesOnDevice.of(profile, asked);
        NodeEstimates nodes = estimates.computeIfAbsent(profile.rules(), family -> nodes(family, model, values));
        return NetworkCosts.estimated(
                report,
                checked,
                new NetworkEstimates(model, profile, values, node -> known(node, profile, nodes, conversion)));
    }

    /** The estimates on those devices of a family whose figures are known. */
    private NodeEstimates nodes(RuleSet family, CostModel model, ValuesOnDevice values) {
        return new NodeEstimates(
                model,
                families.getOrDefault(family, List.of()).stream()
                        .filter(model::isFor)
                        .toList(),
                new RuleScope(vocabulary, values.float32As(), family.quantization()),
                checked,
                this::configuration);
    }

    private Integer configuration(CheckedNode node) {
        return configurationOf.computeIfAbsent(
                node, each -> configurations.computeIfAbsent(each.configuration(), none -> configurations.size()));
    }

    private Optional<NodeEstimates.Known> known(
            CheckReport.NodeReport report, DeviceProfile profile, NodeEstimates nodes, Conversion conversion) {
        @Nullable CheckedNode node = byName.get(report.node());
        if (node == null) {
            return Optional.empty();
        }
        if (report.isOnDevice() && !quantized.owners(node).isEmpty()) {
            return Optional.of(NodeEstimates.Known.NOTHING);
        }
        if (report.converted().isEmpty()) {
            return nodes.of(profile, node, quantized.of(node));
        }
        Optional<NodeEstimates.Known> sum = Optional.of(NodeEstimates.Known.NOTHING);
        for (CheckedNode other : conversion.standing(node).nodes()) {
            Optional<NodeEstimates.Known> own = nodes.ofOther(profile, other);
            sum = sum.flatMap(before -> own.map(before::plus));
        }
        return sum;
    }
}
