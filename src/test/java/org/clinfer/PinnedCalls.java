package org.clinfer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.ClBinding;

/** Calls of a device that shares no memory with the host, and the sizes of the pinned memory that was made. */
final class PinnedCalls {

    private static final long ALLOC_HOST_PTR = 1L << 4;

    private final List<Long> bytes = new ArrayList<>();
    private final CountingClApi counting;
    private final ClApi api;

    PinnedCalls(ClBinding binding) {
        counting = CountingClApi.over(binding);
        ClApi separate = DeviceAnswers.separateMemory(counting.api());
        api = (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("clCreateBuffer") && ((long) arguments[1] & ALLOC_HOST_PTR) != 0) {
                        bytes.add((Long) arguments[2]);
                    }
                    try {
                        return method.invoke(separate, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    Engine engine(EngineOptions options) {
        return engine(options, calls -> calls);
    }

    /** @param driver a driver over these calls */
    Engine engine(EngineOptions options, UnaryOperator<ClApi> driver) {
        return Engine.open(options, () -> OpenCl.over(driver.apply(api)));
    }

    CountingClApi counting() {
        return counting;
    }

    /** The size of each pinned memory, the first one first. */
    List<Long> bytes() {
        return bytes;
    }
}
