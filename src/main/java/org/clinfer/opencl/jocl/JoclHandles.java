package org.clinfer.opencl.jocl;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jocl.NativePointerObject;
import org.jspecify.annotations.Nullable;

/**
 * JOCL's objects of one kind by their native pointer, which is the handle the rest of Clinfer sees.
 *
 * <p>An object leaves the table before it is released: the driver may give the same pointer to a new object at once.
 */
final class JoclHandles<T extends NativePointerObject> {

    private final Map<Long, T> live = new ConcurrentHashMap<>();
    private final int invalid;

    /** @param invalid the status that stands for a handle not in the table */
    JoclHandles(int invalid) {
        this.invalid = invalid;
    }

    /** The handle of a created object; 0 where the call failed. */
    long add(@Nullable T created) {
        if (created == null || created.getNativePointer() == 0) {
            return 0;
        }
        live.put(created.getNativePointer(), created);
        return created.getNativePointer();
    }

    @Nullable
    T find(long handle) {
        return live.get(handle);
    }

    /** The status of a call on the object, or the status for an invalid handle. */
    int with(long handle, ToIntFunction<T> call) {
        T object = live.get(handle);
        return object == null ? invalid : call.applyAsInt(object);
    }

    int release(long handle, ToIntFunction<T> call) {
        T object = live.remove(handle);
        return object == null ? invalid : call.applyAsInt(object);
    }

    int invalid() {
        return invalid;
    }
}
