package org.clinfer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.clinfer.opencl.ClApi;
import org.jspecify.annotations.Nullable;

/**
 * Real OpenCL calls of a device that says it is a GPU with these limits, and keeps to them: a launch beyond one of them
 * is refused as a driver refuses it, and remembered.
 */
final class LimitedGpu implements InvocationHandler {

    private static final int DEVICE_TYPE = 0x1000;
    private static final int MAX_COMPUTE_UNITS = 0x1002;
    private static final int MAX_WORK_GROUP_SIZE = 0x1004;
    private static final int MAX_WORK_ITEM_SIZES = 0x1005;
    private static final int IMAGE_SUPPORT = 0x1016;
    private static final int LOCAL_MEM_SIZE = 0x1023;
    private static final int EXTENSIONS = 0x1030;
    private static final int DOUBLE_FP_CONFIG = 0x1032;
    private static final int KERNEL_LOCAL_MEM_SIZE = 0x11B2;
    private static final long GPU = 4;
    private static final int INVALID_WORK_GROUP_SIZE = -54;
    private static final int OUT_OF_RESOURCES = -5;
    private static final String DOUBLES = "cl_khr_fp64";

    /** What a compiler without float64 knows: no macro, and no type. */
    private static final String WITHOUT_DOUBLES =
            "#undef cl_khr_fp64\n#define double float64_that_the_device_lacks\n#line 1\n";

    private final ClApi real;
    private final Limits limits;
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private volatile long device;

    /**
     * Limits of a GPU.
     *
     * @param units compute units
     * @param groupItems the most work-items of a work-group
     * @param localBytes local memory of a work-group
     * @param doubles whether it computes in float64
     */
    record Limits(int units, int groupItems, long localBytes, boolean doubles) {

        /** A phone's: few units, groups of 256, 32 KiB of local memory, no float64. */
        static final Limits SMALL = new Limits(2, 256, 32 << 10, false);

        /** A data centre's: many units, groups of 1024, as much local memory as NVIDIA's OpenCL lets a group have. */
        static final Limits LARGE = new Limits(132, 1024, 48 << 10, true);
    }

    LimitedGpu(ClApi real, Limits limits) {
        this.real = real;
        this.limits = limits;
    }

    ClApi api() {
        return (ClApi) Proxy.newProxyInstance(ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, this);
    }

    /** The launches that went beyond a limit. */
    Queue<String> refused() {
        return refused;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("clEnqueueNDRangeKernel")) {
            int status = status((Long) arguments[1], (long[]) arguments[3]);
            if (status != 0) {
                return status;
            }
        }
        if (method.getName().equals("clCreateProgramWithSource") && !limits.doubles()) {
            arguments[1] = WITHOUT_DOUBLES + arguments[1];
        }
        Object result;
        try {
            result = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("clGetDeviceInfo")) {
            device = (Long) arguments[0];
            if (arguments[2] instanceof ByteBuffer value) {
                answer((Integer) arguments[1], value.duplicate().order(ByteOrder.nativeOrder()));
            }
        }
        return result;
    }

    private int status(long kernel, long @Nullable [] local) {
        long items = 1;
        for (long size : local == null ? new long[0] : local) {
            items *= size;
        }
        if (items > limits.groupItems()) {
            refused.add(items + " work-items in a group");
            return INVALID_WORK_GROUP_SIZE;
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        int status = real.clGetKernelWorkGroupInfo(kernel, device, KERNEL_LOCAL_MEM_SIZE, bytes, null);
        if (status != 0 || bytes.getLong(0) > limits.localBytes()) {
            refused.add("status " + status + ", " + bytes.getLong(0) + " bytes of local memory");
            return OUT_OF_RESOURCES;
        }
        return 0;
    }

    private void answer(int question, ByteBuffer value) {
        int at = value.position();
        switch (question) {
            case DEVICE_TYPE -> value.putLong(at, GPU);
            case MAX_COMPUTE_UNITS -> value.putInt(at, limits.units());
            case MAX_WORK_GROUP_SIZE -> value.putLong(at, limits.groupItems());
            case MAX_WORK_ITEM_SIZES -> {
                for (int axis = 0; axis < value.remaining(); axis += Long.BYTES) {
                    value.putLong(at + axis, limits.groupItems());
                }
            }
            case IMAGE_SUPPORT -> value.putInt(at, 0);
            case LOCAL_MEM_SIZE -> value.putLong(at, limits.localBytes());
            case EXTENSIONS -> withoutDoubles(value);
            case DOUBLE_FP_CONFIG -> value.putLong(at, limits.doubles() ? value.getLong(at) : 0);
            default -> {}
        }
    }

    private void withoutDoubles(ByteBuffer value) {
        String words = StandardCharsets.ISO_8859_1.decode(value.duplicate()).toString();
        if (!limits.doubles()) {
            value.put(words.replace(DOUBLES, " ".repeat(DOUBLES.length())).getBytes(StandardCharsets.ISO_8859_1));
        }
    }
}
