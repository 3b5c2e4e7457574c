package org.clinfer.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The kernels and devices that plans have to do without.
 *
 * @param avoided kernel variants not to be used, with the reason
 * @param thrifty whether kernels that need memory beside inputs and outputs are not to be used
 * @param withoutDevice why nothing may run on the device; empty where it may
 * @param hosted nodes that may not run on the device, each with the reason
 * @param hasOthers whether another device of the engine can take what this one has not the memory for
 */
record PlanLimits(
        Map<String, String> avoided,
        boolean thrifty,
        Optional<String> withoutDevice,
        Map<String, String> hosted,
        boolean hasOthers) {

    static final PlanLimits NONE = new PlanLimits(Map.of(), false, Optional.empty(), Map.of(), false);

    PlanLimits {
        avoided = Map.copyOf(avoided);
        hosted = Map.copyOf(hosted);
    }

    /** The same without these kernel variants, each with the reason. */
    PlanLimits avoiding(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(others);
        all.putAll(avoided);
        return new PlanLimits(all, thrifty, withoutDevice, hosted, hasOthers);
    }

    PlanLimits withThrift() {
        return new PlanLimits(avoided, true, withoutDevice, hosted, hasOthers);
    }

    PlanLimits onCpu(String reason) {
        return new PlanLimits(avoided, thrifty, Optional.of(reason), hosted, hasOthers);
    }

    PlanLimits withOthers(boolean areThere) {
        return new PlanLimits(avoided, thrifty, withoutDevice, hosted, areThere);
    }

    PlanLimits hosting(Map<String, String> nodes) {
        return new PlanLimits(avoided, thrifty, withoutDevice, nodes, hasOthers);
    }

    /** Why a node may not run on the device; empty where it may. */
    Optional<String> against(String node) {
        return withoutDevice.or(() -> Optional.ofNullable(hosted.get(node)));
    }
}
