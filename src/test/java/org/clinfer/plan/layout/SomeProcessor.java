package org.clinfer.plan.layout;

import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;

/** A processor's OpenCL device that no machine has. */
final class SomeProcessor {

    static final DeviceFacts FACTS = new DeviceFacts(
            "Kettle",
            "Acme",
            "1",
            "Acme CL",
            "1.2",
            DeviceFacts.Kind.CPU,
            Set.of(),
            Map.of(
                    "max_mem_alloc_size",
                    1L << 30,
                    "max_work_group_size",
                    256L,
                    "local_mem_size",
                    1L << 20,
                    "max_compute_units",
                    4L));

    private SomeProcessor() {}
}
