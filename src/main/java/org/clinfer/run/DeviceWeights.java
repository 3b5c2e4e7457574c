package org.clinfer.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.tensor.Tensor;

/** The constants of one model on one device, uploaded once and shared by all its sessions. */
public final class DeviceWeights implements AutoCloseable {

    private final DeviceRuntime runtime;
    private final Map<String, ClBuffer> buffers = new ConcurrentHashMap<>();

    public DeviceWeights(DeviceRuntime runtime) {
        this.runtime = runtime;
    }

    /** The device memory of a constant; uploaded when first asked for. */
    ClBuffer buffer(String name, Tensor constant) {
        return buffers.computeIfAbsent(name, key -> upload(runtime, constant));
    }

    /** A buffer that holds a copy of {@code constant}; it belongs to the caller. */
    static ClBuffer upload(DeviceRuntime runtime, Tensor constant) {
        return constant.elements() == 0
                ? runtime.context().buffer(1, ClAccess.READ_ONLY)
                : runtime.context().bufferOf(constant.bytes(), ClAccess.READ_ONLY);
    }

    @Override
    public void close() {
        buffers.values().forEach(ClBuffer::close);
        buffers.clear();
    }
}
