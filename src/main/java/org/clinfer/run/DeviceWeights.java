package org.clinfer.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.tensor.Tensor;

/** The constants of one model on one device, uploaded once and shared by all its sessions. */
public final class DeviceWeights implements AutoCloseable {

    private final DeviceRuntime runtime;
    private final Map<String, ClBuffer> buffers = new ConcurrentHashMap<>();
    private final Map<StaticPart.Key, StaticPart> statics = new ConcurrentHashMap<>();

    public DeviceWeights(DeviceRuntime runtime) {
        this.runtime = runtime;
    }

    /** The device memory of a constant; uploaded when first asked for. */
    ClBuffer buffer(String name, Tensor constant) {
        return buffers.computeIfAbsent(name, key -> upload(runtime, constant));
    }

    /** What the kernels of a node keep; made when first asked for. */
    StaticPart statics(StaticPart.Key key, Supplier<StaticPart> make) {
        return statics.computeIfAbsent(key, wanted -> make.get());
    }

    /** A buffer that holds a copy of {@code constant}; it belongs to the caller. */
    static ClBuffer upload(DeviceRuntime runtime, Tensor constant) {
        return constant.elements() == 0
                ? runtime.context().buffer(1, ClAccess.READ_ONLY)
                : runtime.context().bufferOf(constant.bytes(), ClAccess.READ_ONLY);
    }

    @Override
    public void close() {
        statics.values().forEach(StaticPart::close);
        statics.clear();
        buffers.values().forEach(ClBuffer::close);
        buffers.clear();
    }
}
