package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClQueue;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Values that stay from one run to the next: outputs, on a device or where the host has them, and inputs that were sent to a
 * device once. Each is a tensor to everybody else; elements are read from a device only if somebody looks at them. A value keeps the context that it
 * is in until it is released. For one run at a time.
 */
public final class KeptValues implements AutoCloseable {

    /** A growing value gets so many times the memory that it needs. */
    private static final int GROWTH = 2;

    private final IdentityHashMap<Tensor, Place> places = new IdentityHashMap<>();
    private final Set<Tensor> fixed = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, ClBuffer> spare = new HashMap<>();

    /** Outputs that stay on the host, with what gives their memory back. */
    private final IdentityHashMap<Tensor, Runnable> onHost = new IdentityHashMap<>();

    private @Nullable DeviceRuntime spareOf;
    private int allocations;
    private Set<String> staying = Set.of();
    private @Nullable Set<String> fetched;

    /** By output, the value of an input that nobody needs once this output is there. */
    private Map<String, Tensor> updatable = Map.of();

    /** Values in which a run has begun to write. */
    private final Set<Tensor> unfinished = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The memory of a value. */
    private static final class Place {

        private final String name;
        private final DeviceRuntime runtime;
        private final ClBuffer buffer;
        private volatile boolean unreadable;

        Place(String name, DeviceRuntime runtime, ClBuffer buffer) {
            this.name = name;
            this.runtime = runtime;
            this.buffer = buffer;
        }

        boolean isLost() {
            return unreadable || runtime.isGivenUp();
        }

        void read(ByteBuffer target) {
            if (isLost()) {
                throw new LostValueException();
            }
            try (ClQueue queue = runtime.context().queue(false)) {
                queue.read(buffer, 0, target);
            } catch (ClException e) {
                unreadable = true;
                throw new LostValueException(e);
            }
        }

        void close() {
            buffer.close();
            runtime.end();
        }
    }

    /** Values of runs in which nothing stays, and all outputs come to the host. */
    public static KeptValues none() {
        return new KeptValues();
    }

    /**
     * Sets what becomes of outputs from now on.
     *
     * @param stay outputs that stay where they are made
     * @param fetch outputs that come to the host; of the others, if they do not stay, nothing is kept
     */
    public void outputs(Set<String> stay, Set<String> fetch) {
        staying = Set.copyOf(stay);
        fetched = Set.copyOf(fetch);
    }

    /**
     * Lets outputs from now on be written in the memory of inputs.
     *
     * @param values by output: a tensor that an earlier run gave, which no one needs once this output is there
     */
    public void updatable(Map<String, Tensor> values) {
        updatable = values;
    }

    /** {@return whether an output may be written in the memory of an input} */
    boolean isUpdatable(String output, Tensor input) {
        return updatable.get(output) == input;
    }

    /** Marks a value as written in by a run that is not at its end: it is lost if that fails. */
    public void begin(Tensor value) {
        unfinished.add(value);
    }

    /** Marks a value as whole again. */
    void finish(Tensor value) {
        unfinished.remove(value);
    }

    /** {@return whether a run has begun to write in a value, and failed} */
    public boolean isUnfinished(Tensor tensor) {
        return unfinished.contains(tensor);
    }

    /** Lets the elements of an input stay on the device once they are there: they do not change until it is released. */
    public void fix(Tensor input) {
        fixed.add(input);
    }

    /** {@return whether the elements of a tensor were on a device that was lost} */
    public boolean isLost(Tensor tensor) {
        Place place = places.get(tensor);
        return place != null && place.isLost();
    }

    /** The device on which values are; empty where there are none. */
    public Optional<DeviceRuntime> runtime() {
        return places.values().stream()
                .map(place -> place.runtime)
                .filter(of -> !of.isGivenUp())
                .findFirst();
    }

    /** The number of times that memory was taken. */
    public int allocations() {
        return allocations;
    }

    /** {@return whether an output stays on the device where it is made} */
    boolean stays(String output) {
        return staying.contains(output);
    }

    /** {@return whether an output is of use to anybody} */
    boolean isWanted(String output) {
        return fetched == null || fetched.contains(output) || stays(output);
    }

    /** The elements of an input, where they are on this device already. */
    Optional<ClBuffer> find(Tensor input, DeviceRuntime runtime) {
        return Optional.ofNullable(places.get(input))
                .filter(place -> place.runtime == runtime)
                .map(place -> place.buffer);
    }

    /** Keeps the elements of an input that has just been sent, if it is to stay. */
    void sent(ClQueue queue, DeviceRuntime runtime, String name, Tensor input, ClBuffer buffer) {
        if (fixed.contains(input)) {
            Place before =
                    places.put(input, copy(queue, runtime, name, input.type().bytes(), buffer));
            if (before != null) {
                before.close();
            }
        }
    }

    /** Keeps an output. */
    Tensor made(ClQueue queue, DeviceRuntime runtime, String name, TensorType type, ClBuffer buffer) {
        if (type.bytes() == 0) {
            return Tensor.allocate(type);
        }
        Place place = copy(queue, runtime, name, type.bytes(), buffer);
        Tensor tensor = Tensor.deferred(type, place::read);
        places.put(tensor, place);
        return tensor;
    }

    /** Keeps an output that is on the host, until it is released. */
    Tensor made(Tensor output, Runnable giveBack) {
        onHost.put(output, giveBack);
        return output;
    }

    private Place copy(ClQueue queue, DeviceRuntime runtime, String name, long bytes, ClBuffer source) {
        if (!runtime.begin()) {
            throw new IllegalStateException("the device is closed");
        }
        Place place;
        try {
            place = new Place(name, runtime, memory(runtime, name, bytes));
        } catch (RuntimeException | Error e) {
            runtime.end();
            throw e;
        }
        try {
            queue.copy(source, 0, place.buffer, 0, bytes);
            return place;
        } catch (RuntimeException | Error e) {
            place.close();
            throw e;
        }
    }

    /** Memory that the value of this name had before, if it is large enough; else more than that, for values that grow. */
    private ClBuffer memory(DeviceRuntime runtime, String name, long bytes) {
        if (spareOf != runtime) {
            closeSpare();
            spareOf = runtime.begin() ? runtime : null;
        }
        ClBuffer before = spare.remove(name);
        if (before != null && before.bytes() >= bytes) {
            return before;
        }
        boolean grows = before != null;
        if (before != null) {
            before.close();
        }
        allocations++;
        return runtime.context().buffer(grows ? bytes * GROWTH : bytes, ClAccess.READ_WRITE);
    }

    /** Gives the memory of a value back; nothing reads it any more. */
    public void release(Tensor tensor) {
        fixed.remove(tensor);
        unfinished.remove(tensor);
        Runnable giveBack = onHost.remove(tensor);
        if (giveBack != null) {
            giveBack.run();
        }
        Place place = places.remove(tensor);
        if (place == null) {
            return;
        }
        if (place.runtime != spareOf || spare.putIfAbsent(place.name, place.buffer) != null) {
            place.buffer.close();
        }
        place.runtime.end();
    }

    private void closeSpare() {
        spare.values().forEach(ClBuffer::close);
        spare.clear();
        if (spareOf != null) {
            spareOf.end();
            spareOf = null;
        }
    }

    @Override
    public void close() {
        closeSpare();
        places.values().forEach(Place::close);
        places.clear();
        onHost.values().forEach(Runnable::run);
        onHost.clear();
        fixed.clear();
        updatable = Map.of();
        unfinished.clear();
    }
}
