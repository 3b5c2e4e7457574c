package org.clinfer.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The constants of one model on one device, uploaded once and shared by all its sessions. Plans that use them when they
 * are closed keep them until they end.
 */
public final class DeviceWeights implements AutoCloseable {

    private final DeviceRuntime runtime;
    private final UseCount uses = new UseCount(this::free);
    private final BufferPool pool;
    private final Map<String, ClBuffer> buffers = new ConcurrentHashMap<>();
    private final Map<StaticPart.Key, StaticPart> statics = new ConcurrentHashMap<>();

    private @Nullable ChainSource chains;

    private DeviceWeights(DeviceRuntime runtime) {
        this.runtime = runtime;
        this.pool = new BufferPool(runtime);
    }

    /** Nothing uploaded yet; empty if the device is closed. */
    public static Optional<DeviceWeights> on(DeviceRuntime runtime) {
        return runtime.begin() ? Optional.of(new DeviceWeights(runtime)) : Optional.empty();
    }

    /** Others on the same device, which run the same program for chains where they can; empty if the device is closed. */
    public static Optional<DeviceWeights> beside(DeviceWeights known) {
        Optional<DeviceWeights> others = on(known.runtime);
        others.ifPresent(weights -> weights.chains = known.chains());
        return others;
    }

    private synchronized @Nullable ChainSource chains() {
        return chains;
    }

    /** The device they are on. */
    public DeviceRuntime runtime() {
        return runtime;
    }

    /**
     * Begins a use, to the end of which they stay.
     *
     * @return whether they are still there
     */
    public boolean begin() {
        return uses.begin();
    }

    /** Ends a use. */
    public void end() {
        uses.end();
    }

    /** The pool in which all of it lies. */
    BufferPool pool() {
        return pool;
    }

    /** {@return whether a constant is uploaded already} */
    boolean has(String name) {
        return buffers.containsKey(name);
    }

    /** {@return whether what the kernels of a node keep is made already} */
    boolean has(StaticPart.Key key) {
        return statics.containsKey(key);
    }

    /** The program for chains of these launches, one for as many plans of the model as it can do for. */
    synchronized ChainSource chainSource(List<KernelLaunch> launches) {
        chains = runtime.chainSource(launches, chains);
        return chains;
    }

    /** Says which launches a plan is about to chain. */
    public void announceChains(List<KernelLaunch> launches) {
        chainSource(launches);
    }

    /** The device memory of a constant; uploaded when first asked for. */
    ClBuffer buffer(String name, Tensor constant) {
        return buffers.computeIfAbsent(name, key -> pool.upload(constant));
    }

    /** The data that the kernels of a node keep; made when first asked for. */
    StaticPart statics(StaticPart.Key key, Supplier<StaticPart> make) {
        return statics.computeIfAbsent(key, wanted -> make.get());
    }

    @Override
    public void close() {
        uses.giveUp();
    }

    private void free() {
        statics.values().forEach(StaticPart::close);
        statics.clear();
        buffers.values().forEach(ClBuffer::close);
        buffers.clear();
        pool.close();
        runtime.end();
    }
}
