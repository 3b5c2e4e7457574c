package org.clinfer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.clinfer.device.DeviceFacts;
import org.clinfer.opencl.ClApi;
import org.jspecify.annotations.Nullable;

/** Real OpenCL calls of a device that says other things of itself than it is. */
final class DeviceAnswers {

    private static final int DEVICE_TYPE = 0x1000;
    private static final int MAX_COMPUTE_UNITS = 0x1002;
    private static final int MAX_WORK_GROUP_SIZE = 0x1004;
    private static final int MEM_BASE_ADDR_ALIGN = 0x1019;
    private static final int GLOBAL_MEM_SIZE = 0x101f;
    private static final int LOCAL_MEM_SIZE = 0x1023;
    private static final int EXTENSIONS = 0x1030;
    private static final int HOST_UNIFIED_MEMORY = 0x1035;
    private static final int NATIVE_VECTOR_WIDTH_FLOAT = 0x103a;
    private static final int COMPUTE_CAPABILITY_MAJOR_NV = 0x4000;
    private static final int INVALID_VALUE = -30;
    private static final long PROCESSOR = 2;
    private static final int OPTIMISED_SHARE = Integer.getInteger("optimised.share", 4);
    private static final Map<DeviceFacts.Kind, Long> TYPES =
            Map.of(DeviceFacts.Kind.CPU, PROCESSOR, DeviceFacts.Kind.GPU, 4L, DeviceFacts.Kind.ACCELERATOR, 8L);

    private DeviceAnswers() {}

    /** A device of this kind. */
    static ClApi kind(DeviceFacts.Kind kind, ClApi real) {
        return over(real, Map.of(DEVICE_TYPE, TYPES.getOrDefault(kind, 1L)));
    }

    /** A processor with so many compute units. */
    static ClApi processor(int units, ClApi real) {
        return over(kind(DeviceFacts.Kind.CPU, real), Map.of(MAX_COMPUTE_UNITS, units));
    }

    /** A processor with registers of so many floats. */
    static ClApi registers(int lanes, ClApi real) {
        return over(kind(DeviceFacts.Kind.CPU, real), Map.of(NATIVE_VECTOR_WIDTH_FLOAT, lanes));
    }

    /** A GPU with so many compute units. */
    static ClApi gpu(int units, ClApi real) {
        return over(kind(DeviceFacts.Kind.GPU, real), Map.of(MAX_COMPUTE_UNITS, units));
    }

    /** A GPU with the limits of an NVIDIA H200 that plans depend on: the same launches whatever the device is. */
    static ClApi h200(ClApi real) {
        return over(
                gpu(132, separateMemory(real)),
                Map.of(MAX_WORK_GROUP_SIZE, 1024L, LOCAL_MEM_SIZE, 48L << 10, MEM_BASE_ADDR_ALIGN, 4096));
    }

    /** A GPU with few compute units, which small products fill. */
    static ClApi smallGpu(ClApi real) {
        return gpu(2, real);
    }

    /** Such a GPU that says that it emulates matrix units. */
    static ClApi emulatedUnits(ClApi real) {
        return extension("cl_clinfer_emulated_matrix_units", smallGpu(real));
    }

    /** Such a GPU that says that it emulates those of NVIDIA's compute capability 9.0. */
    static ClApi emulatedWgmma(ClApi real) {
        return extension("cl_clinfer_emulated_wgmma", smallGpu(real));
    }

    /** A GPU that says that it emulates Intel's matrix units with sub-groups of 8 or 16. */
    static ClApi emulatedDpas(int lanes, ClApi real) {
        return extension("cl_clinfer_emulated_dpas" + lanes, kind(DeviceFacts.Kind.GPU, real));
    }

    /** A GPU that says of itself that it has Intel's matrix units. */
    static ClApi intel(ClApi real) {
        return extension("cl_intel_subgroup_matrix_multiply_accumulate", kind(DeviceFacts.Kind.GPU, real));
    }

    /** A GPU that does not know what a compute capability is. */
    static ClApi withoutCapability(ClApi real) {
        return asked(
                kind(DeviceFacts.Kind.GPU, real), COMPUTE_CAPABILITY_MAJOR_NV, (device, value, size) -> INVALID_VALUE);
    }

    /** A GPU that says of itself that it is one of NVIDIA's with this compute capability. */
    static ClApi nvidia(int major, ClApi real) {
        ClApi gpu = asked(kind(DeviceFacts.Kind.GPU, real), COMPUTE_CAPABILITY_MAJOR_NV, (device, value, size) -> {
            size[0] = Integer.BYTES;
            if (value != null) {
                value.putInt(value.position(), major);
            }
            return 0;
        });
        return extension("cl_nv_device_attribute_query", gpu);
    }

    /**
     * A device that, if it really is a processor, builds programs without optimisation, in a third of the time: for those
     * that nobody runs on processors but tests.
     */
    static ClApi builtQuickly(ClApi real) {
        return builtQuickly(real, options -> true);
    }

    /**
     * The same for most programs with kernels for processors: one of four is built as users have it, chosen by its
     * options, which state sizes; {@code -Doptimised.share=1} builds all so.
     */
    static ClApi mostlyBuiltQuickly(ClApi real) {
        return builtQuickly(real, options -> Math.floorMod(options.hashCode(), OPTIMISED_SHARE) != 0);
    }

    private static ClApi builtQuickly(ClApi real, Predicate<String> chosen) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("clBuildProgram")
                            && chosen.test((String) arguments[2])
                            && isProcessor(real, (Long) arguments[1])) {
                        arguments[2] = arguments[2] + " -cl-opt-disable";
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static boolean isProcessor(ClApi real, long device) {
        ByteBuffer type = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        return real.clGetDeviceInfo(device, DEVICE_TYPE, type, null) == 0 && (type.getLong(0) & PROCESSOR) != 0;
    }

    /** A device whose first buffer that is read has other bytes than it should. */
    static ClApi firstReadIsWrong(ClApi real) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("clEnqueueReadBuffer") && isFirst.getAndSet(false)) {
                            ByteBuffer read = (ByteBuffer) arguments[4];
                            read.put(read.position() + 4, (byte) ~read.get(read.position() + 4));
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A device with one more extension, which stands behind the zero that ends the text of the others. */
    private static ClApi extension(String name, ClApi real) {
        byte[] more = (" " + name).getBytes(StandardCharsets.US_ASCII);
        return asked(real, EXTENSIONS, (device, value, size) -> {
            if (value == null) {
                int status = real.clGetDeviceInfo(device, EXTENSIONS, null, size);
                size[0] += more.length;
                return status;
            }
            ByteBuffer others = value.duplicate();
            others.limit(value.limit() - more.length);
            int status = real.clGetDeviceInfo(device, EXTENSIONS, others.slice(), size);
            size[0] += more.length;
            value.duplicate().position(value.limit() - more.length).put(more);
            return status;
        });
    }

    /** What a device says to one question. */
    @FunctionalInterface
    private interface Answer {
        int to(long device, @Nullable ByteBuffer value, long[] size);
    }

    private static ClApi asked(ClApi real, int question, Answer answer) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("clGetDeviceInfo") && arguments[1].equals(question)) {
                        long[] size = arguments[3] == null ? new long[1] : (long[]) arguments[3];
                        return answer.to((Long) arguments[0], (ByteBuffer) arguments[2], size);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A device with memory of its own. */
    static ClApi separateMemory(ClApi real) {
        return over(real, Map.of(HOST_UNIFIED_MEMORY, 0));
    }

    /** A device with so many bytes of memory. */
    static ClApi memory(long bytes, ClApi real) {
        return over(real, Map.of(GLOBAL_MEM_SIZE, bytes));
    }

    /** With these answers: an {@code Integer} or a {@code Long}, as the question has it. */
    private static ClApi over(ClApi real, Map<Integer, Number> answers) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("clGetDeviceInfo") && arguments[2] instanceof ByteBuffer value) {
                            answer(answers.get(arguments[1]), value.duplicate().order(ByteOrder.nativeOrder()));
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void answer(@Nullable Number answer, ByteBuffer value) {
        if (answer instanceof Integer number) {
            value.putInt(value.position(), number);
        } else if (answer instanceof Long number) {
            value.putLong(value.position(), number);
        }
    }
}
