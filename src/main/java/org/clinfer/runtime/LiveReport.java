package org.clinfer.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.device.DeviceFacts;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.judge.NodeReports;
import org.clinfer.judge.ProfileJudge;
import org.clinfer.judge.ValuesOnDevice;
import org.clinfer.place.PlacedNode;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.tensor.TensorType;

/** The capability report of a network on the device of an engine, under the engine's profile if there is one. */
final class LiveReport {

    private LiveReport() {}

    /** @param types of all inputs; where a dimension is not known, the nodes that depend on it are not placed */
    static CheckReport of(PlanBuilder plans, EngineContext context, Map<String, TensorType> types) {
        CheckedGraph checked = plans.check(types, Map.of());
        Map<String, PlacedNode> placed = new HashMap<>();
        plans.placer(PlanLimits.NONE)
                .place(checked.only(LiveReport::isKnown))
                .nodes()
                .forEach(node -> placed.put(node.written().name(), node));
        Optional<DeviceFacts> facts = context.device().map(DeviceRuntime::facts);
        Optional<DeviceProfile> profile = context.profile().map(ProfileJudge::profile);
        return NodeReports.of(
                checked,
                context.operators(),
                facts.map(DeviceFacts::name).orElse("cpu"),
                profile.map(DeviceProfile::name).orElse(""),
                memory(profile, facts),
                ValuesOnDevice.AS_WRITTEN,
                Optional.empty(),
                node -> PlacedReports.of(
                        node, Optional.ofNullable(placed.get(node.node().name())), plans.findings(node)));
    }

    /** The memory by the profile, else by the device. */
    private static OptionalLong memory(Optional<DeviceProfile> profile, Optional<DeviceFacts> facts) {
        OptionalLong said = profile.map(DeviceProfile::memory).orElse(OptionalLong.empty());
        String key = "global_mem_size";
        return said.isPresent()
                ? said
                : facts.filter(known -> known.limits().containsKey(key))
                        .map(known -> OptionalLong.of(known.limit(key, 0)))
                        .orElse(OptionalLong.empty());
    }

    /** {@return whether the types of all that a node takes and gives are known} */
    static boolean isKnown(CheckedNode node) {
        return node.outputTypes().stream().allMatch(type -> type.shape().isKnown())
                && node.inputTypes().stream()
                        .allMatch(type -> type == null || type.shape().isKnown());
    }
}
