package org.clinfer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.clinfer.opencl.ClApi;

/** Real OpenCL calls of a device that says it is a processor with so many compute units. */
final class ChainDevice {

    private static final int DEVICE_TYPE = 0x1000;
    private static final int MAX_COMPUTE_UNITS = 0x1002;
    private static final long CPU = 2;

    private ChainDevice() {}

    static ClApi withUnits(int units, ClApi real) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("clGetDeviceInfo") && arguments[2] instanceof ByteBuffer value) {
                            ByteBuffer answer = value.duplicate().order(ByteOrder.nativeOrder());
                            if (arguments[1].equals(MAX_COMPUTE_UNITS)) {
                                answer.putInt(answer.position(), units);
                            } else if (arguments[1].equals(DEVICE_TYPE)) {
                                answer.putLong(answer.position(), CPU);
                            }
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
