package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.clinfer.Placement;
import org.clinfer.tensor.DType;

/** In which types an operator ran on the device, and why not in others. */
final class DeviceCoverage {

    private final Set<DType> onDevice = EnumSet.noneOf(DType.class);
    private final Map<DType, String> elsewhere = new TreeMap<>();

    /** Nodes that were folded into constants ran nowhere. */
    void add(CaseRun run, List<Placement.Entry> placement) {
        for (Placement.Entry entry : placement) {
            if (entry.target() == Placement.Target.DEVICE || entry.variant().equals("view")) {
                onDevice.add(run.type());
            } else {
                assertThat(entry.reasons()).as("why %s is on the CPU", run).isNotEmpty();
                elsewhere.putIfAbsent(run.type(), run + " " + entry.reasons());
            }
        }
    }

    /** {@return whether a case in this type has run on the device} */
    boolean has(DType type) {
        return onDevice.contains(type);
    }

    /** Every type runs on the device at least once; bits and codes have no kernels. */
    void verify() {
        elsewhere.keySet().removeAll(onDevice);
        elsewhere.keySet().removeIf(type -> !type.isGeneral());
        assertThat(elsewhere).as("types that never ran on the device").isEmpty();
    }
}
