package org.clinfer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.opencl.ClApi;

/** Real OpenCL calls, and the names of the kernels that were launched, in order. */
final class LaunchLog {

    private final Map<Long, String> entries = new ConcurrentHashMap<>();
    private final List<String> launched = Collections.synchronizedList(new ArrayList<>());
    private final ClApi api;

    LaunchLog(ClApi real) {
        api = (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("clCreateKernel")) {
                            entries.put((Long) result, (String) arguments[1]);
                        } else if (method.getName().equals("clEnqueueNDRangeKernel")) {
                            launched.add(entries.getOrDefault((Long) arguments[1], "?"));
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    ClApi api() {
        return api;
    }

    /** The kernels launched since the last call. */
    List<String> take() {
        synchronized (launched) {
            List<String> taken = List.copyOf(launched);
            launched.clear();
            return taken;
        }
    }
}
