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
 * @param hasOthers whether another device of the engine can take what this one has not the memory for
 */
record PlanLimits(Map<String, String> avoided, boolean thrifty, Optional<String> withoutDevice, boolean hasOthers) {

    static final PlanLimits NONE = new PlanLimits(Map.of(), false, Optional.empty(), false);

    PlanLimits {
        avoided = Map.copyOf(avoided);
    }

    /** The same without these kernel variants, each with the reason. */
    PlanLimits avoiding(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(others);
        all.putAll(avoided);
        return new PlanLimits(all, thrifty, withoutDevice, hasOthers);
    }

    PlanLimits withThrift() {
        return new PlanLimits(avoided, true, withoutDevice, hasOthers);
    }

    PlanLimits onCpu(String reason) {
        return new PlanLimits(avoided, thrifty, Optional.of(reason), hasOthers);
    }

    PlanLimits withOthers(boolean areThere) {
        return new PlanLimits(avoided, thrifty, withoutDevice, areThere);
    }
}
