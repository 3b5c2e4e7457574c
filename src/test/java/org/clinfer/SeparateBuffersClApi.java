package org.clinfer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.clinfer.opencl.ClApi;
import org.jspecify.annotations.Nullable;

/**
 * Real OpenCL calls, but every sub-buffer is a buffer of its own, so that a kernel that leaves its tensor is found, and
 * on demand every new buffer is full of NaN, so that a kernel that leaves an element out is found. A simulator that
 * tracks uninitialised memory cannot follow writes to sub-buffers, which is one more reason. On a real GPU values have whole
 * buffers anyway, and what is a part there lies inside another value.
 */
final class SeparateBuffersClApi implements InvocationHandler {

    private static final int DEVICE_TYPE = 0x1000;
    private static final long GPU = 1L << 2;
    private static final long READ_ONLY = 1L << 2;
    private static final long USE_HOST_PTR = 1L << 3;
    private static final long COPY_HOST_PTR = 1L << 5;

    private final ClApi real;
    private final boolean poisoned;

    /** True where all devices are used as processors, whatever they say they are. */
    private final boolean asProcessors;

    private final Set<Long> ofGpus = ConcurrentHashMap.newKeySet();
    private final Map<Long, Long> contexts = new ConcurrentHashMap<>();

    /** A part of a buffer that is a buffer of its own. */
    private record Part(long parent, long offset, long bytes, long buffer) {
        boolean contains(long from, long count) {
            return from >= offset && from + count <= offset + bytes;
        }
    }

    private final Queue<Part> parts = new ConcurrentLinkedQueue<>();

    /** Released buffers that still exist: the simulator takes over what it knew of a buffer to the next of its number. */
    private final Queue<Long> kept = new ConcurrentLinkedQueue<>();

    private SeparateBuffersClApi(ClApi real, boolean poisoned, boolean asProcessors) {
        this.real = real;
        this.poisoned = poisoned;
        this.asProcessors = asProcessors;
    }

    static ClApi over(ClApi real, boolean poisoned) {
        return proxy(new SeparateBuffersClApi(real, poisoned, false));
    }

    /** The same for a device that somebody above says is a processor, as a simulator may not. */
    static ClApi overProcessor(ClApi real, boolean poisoned) {
        return proxy(new SeparateBuffersClApi(real, poisoned, true));
    }

    private static ClApi proxy(SeparateBuffersClApi handler) {
        return (ClApi) Proxy.newProxyInstance(ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, handler);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("clCreateContext")) {
            long context = real.clCreateContext((Long) arguments[0], (Long) arguments[1], (int[]) arguments[2]);
            if (!asProcessors && isGpu((Long) arguments[1])) {
                ofGpus.add(context);
            }
            return context;
        }
        if (method.getName().equals("clCreateBuffer")) {
            long context = (Long) arguments[0];
            long bytes = (Long) arguments[2];
            ByteBuffer host = (ByteBuffer) arguments[3];
            return create(
                    context, (Long) arguments[1], host == null ? poison(bytes) : host, bytes, (int[]) arguments[4]);
        }
        if (method.getName().equals("clCreateSubBuffer")
                && !ofGpus.contains(contexts.getOrDefault((Long) arguments[0], 0L))) {
            return createPart((Long) arguments[0], (Long) arguments[2], (Long) arguments[3], arguments);
        }
        if (method.getName().equals("clReleaseMemObject")) {
            long released = (Long) arguments[0];
            parts.removeIf(part -> part.buffer() == released || part.parent() == released);
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

    private boolean isGpu(long device) {
        ByteBuffer type = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        return real.clGetDeviceInfo(device, DEVICE_TYPE, type, null) == 0 && (type.getLong(0) & GPU) != 0;
    }

    /** A buffer of its own, or a real sub-buffer of the part made before in which this one lies: a view of a value. */
    private long createPart(long parent, long offset, long bytes, Object[] arguments) {
        int[] status = (int[]) arguments[4];
        for (Part part : parts) {
            if (part.parent() == parent && part.contains(offset, bytes)) {
                return real.clCreateSubBuffer(
                        part.buffer(), (Long) arguments[1], offset - part.offset(), bytes, status);
            }
        }
        long context = contexts.getOrDefault(parent, 0L);
        long buffer = create(context, (Long) arguments[1], poison(bytes), bytes, status);
        parts.add(new Part(parent, offset, bytes, buffer));
        return buffer;
    }

    private long create(long context, long flags, @Nullable ByteBuffer host, long bytes, int[] status) {
        // the simulator takes what it reads from the host's own memory for unwritten
        boolean used = (flags & USE_HOST_PTR) != 0 && (poisoned || (flags & READ_ONLY) == 0);
        if (used && host != null && poisoned && (flags & READ_ONLY) == 0) {
            fill(host.duplicate());
        }
        long copied = host == null || used ? flags : (flags & ~USE_HOST_PTR) | COPY_HOST_PTR;
        long buffer = real.clCreateBuffer(context, copied, bytes, host, status);
        contexts.put(buffer, context);
        return buffer;
    }

    private @Nullable ByteBuffer poison(long bytes) {
        if (!poisoned) {
            return null;
        }
        ByteBuffer pattern = ByteBuffer.allocateDirect(Math.toIntExact(bytes));
        fill(pattern.duplicate());
        return pattern;
    }

    private static void fill(ByteBuffer pattern) {
        while (pattern.hasRemaining()) {
            pattern.put((byte) 0xff);
        }
    }
}
