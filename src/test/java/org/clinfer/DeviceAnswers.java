package org.clinfer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.clinfer.device.DeviceFacts;
import org.clinfer.opencl.ClApi;
import org.jspecify.annotations.Nullable;

/** Real OpenCL calls of a device that says other things of itself than it is. */
final class DeviceAnswers {

    private static final int DEVICE_TYPE = 0x1000;
    private static final int MAX_COMPUTE_UNITS = 0x1002;
    private static final int GLOBAL_MEM_SIZE = 0x101f;
    private static final int HOST_UNIFIED_MEMORY = 0x1035;
    private static final int NATIVE_VECTOR_WIDTH_FLOAT = 0x103a;
    private static final Map<DeviceFacts.Kind, Long> TYPES =
            Map.of(DeviceFacts.Kind.CPU, 2L, DeviceFacts.Kind.GPU, 4L, DeviceFacts.Kind.ACCELERATOR, 8L);

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
