package org.clinfer.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.tensor.Tensor;

/** The constants of one model on one device, uploaded once and shared by all its sessions. */
public final class DeviceWeights implements AutoCloseable {

    private final BufferPool pool;
    private final Map<String, ClBuffer> buffers = new ConcurrentHashMap<>();
    private final Map<StaticPart.Key, StaticPart> statics = new ConcurrentHashMap<>();

    public DeviceWeights(DeviceRuntime runtime) {
        this.pool = new BufferPool(runtime);
    }

    /** Where all of it lies. */
    BufferPool pool() {
        return pool;
    }

    /** Whether a constant is uploaded already. */
    boolean has(String name) {
        return buffers.containsKey(name);
    }

    /** Whether what the kernels of a node keep is made already. */
    boolean has(StaticPart.Key key) {
        return statics.containsKey(key);
    }

    /** The device memory of a constant; uploaded when first asked for. */
    ClBuffer buffer(String name, Tensor constant) {
        return buffers.computeIfAbsent(name, key -> pool.upload(constant));
    }

    /** What the kernels of a node keep; made when first asked for. */
    StaticPart statics(StaticPart.Key key, Supplier<StaticPart> make) {
        return statics.computeIfAbsent(key, wanted -> make.get());
    }

    @Override
    public void close() {
        statics.values().forEach(StaticPart::close);
        statics.clear();
        buffers.values().forEach(ClBuffer::close);
        buffers.clear();
        pool.close();
    }
}
