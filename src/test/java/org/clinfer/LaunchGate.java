package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.options.ClBinding;

/** Real OpenCL calls whose launches wait for a word. */
final class LaunchGate {

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    ClApi api() {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("clEnqueueNDRangeKernel")) {
                        reached.countDown();
                        assertThat(open.await(30, TimeUnit.SECONDS)).isTrue();
                    }
                    try {
                        return method.invoke(counting.api(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    CountingClApi counting() {
        return counting;
    }

    /** Waits until a launch is at the gate. */
    void await() throws InterruptedException {
        reached.await();
    }

    /** Lets all launches through. */
    void open() {
        open.countDown();
    }
}
