package org.clinfer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.clinfer.opencl.ClApi;
import org.jspecify.annotations.Nullable;

/**
 * Real OpenCL calls, but every sub-buffer is a buffer of its own, so that a kernel that leaves its tensor is found, and
 * on demand every new buffer is full of NaN, so that a kernel that leaves an element out is found. A simulator that
 * tracks uninitialised memory cannot follow writes to sub-buffers, which is one more reason.
 */
final class SeparateBuffersClApi implements InvocationHandler {

    private static final long COPY_HOST_PTR = 1L << 5;

    private final ClApi real;
    private final boolean poisoned;
    private final Map<Long, Long> contexts = new ConcurrentHashMap<>();

    /** Released buffers that still exist: the simulator takes over what it knew of a buffer to the next of its number. */
    private final Queue<Long> kept = new ConcurrentLinkedQueue<>();

    private SeparateBuffersClApi(ClApi real, boolean poisoned) {
        this.real = real;
        this.poisoned = poisoned;
    }

    static ClApi over(ClApi real, boolean poisoned) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, new SeparateBuffersClApi(real, poisoned));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("clCreateBuffer")) {
            long context = (Long) arguments[0];
            long bytes = (Long) arguments[2];
            ByteBuffer host = (ByteBuffer) arguments[3];
            return create(
                    context, (Long) arguments[1], host == null ? poison(bytes) : host, bytes, (int[]) arguments[4]);
        }
        if (method.getName().equals("clCreateSubBuffer")) {
            long context = contexts.getOrDefault((Long) arguments[0], 0L);
            long bytes = (Long) arguments[3];
            return create(context, (Long) arguments[1], poison(bytes), bytes, (int[]) arguments[4]);
        }
        if (method.getName().equals("clReleaseMemObject") && !poisoned) {
            kept.add((Long) arguments[0]);
            return 0;
        }
        if (method.getName().equals("clReleaseContext")) {
            kept.forEach(real::clReleaseMemObject);
            kept.clear();
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private long create(long context, long flags, @Nullable ByteBuffer host, long bytes, int[] status) {
        long copied = host == null ? flags : flags | COPY_HOST_PTR;
        long buffer = real.clCreateBuffer(context, copied, bytes, host, status);
        contexts.put(buffer, context);
        return buffer;
    }

    private @Nullable ByteBuffer poison(long bytes) {
        if (!poisoned) {
            return null;
        }
        ByteBuffer pattern = ByteBuffer.allocateDirect(Math.toIntExact(bytes));
        while (pattern.hasRemaining()) {
            pattern.put((byte) 0xff);
        }
        return pattern.flip();
    }
}
