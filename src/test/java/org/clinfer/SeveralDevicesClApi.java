package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClStatus;
import org.jspecify.annotations.Nullable;

/**
 * Real OpenCL calls of a machine that shows its first device several times, each with contexts of its own, and with faults
 * of its own on demand.
 */
final class SeveralDevicesClApi {

    private static final int DEVICE_TYPE = 0x1000;
    private static final int DEVICE_TYPE_GPU = 4;
    private static final int HOST_UNIFIED_MEMORY = 0x1035;
    private static final int EXTENSIONS = 0x1030;
    private static final int MAX_MEM_ALLOC_SIZE = 0x1010;
    private static final int GLOBAL_MEM_SIZE = 0x101f;

    /** Of buffers that the host's memory is used for: USE_HOST_PTR, ALLOC_HOST_PTR. */
    private static final long IN_HOST_MEMORY = 1L << 3 | 1L << 4;

    /** The place of the device among the arguments of the calls that take one. */
    private static final Map<String, Integer> PLACES = Map.of(
            "clGetDeviceInfo", 0,
            "clCreateContext", 1,
            "clCreateCommandQueue", 1,
            "clCreateProgramWithBinary", 1,
            "clBuildProgram", 1,
            "clGetProgramBuildInfo", 1,
            "clGetKernelWorkGroupInfo", 1);

    private final ClApi real;
    private final List<Shown> devices = new ArrayList<>();

    /** The devices of contexts, queues and events by their handles. */
    private final Map<Long, Shown> owners = new ConcurrentHashMap<>();

    /** The names of kernels, and the texts of programs, by their handles. */
    private final Map<Long, String> entries = new ConcurrentHashMap<>();

    private final Map<Long, String> sources = new ConcurrentHashMap<>();

    private volatile long first;

    /** One of the devices that are shown. */
    static final class Shown {

        /** In place of the name of a kernel. */
        static final String ANY = "any";

        private final AtomicInteger launches = new AtomicInteger();
        private final Map<String, ClStatus> faults = new ConcurrentHashMap<>();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final Map<String, ClStatus> fatal = new ConcurrentHashMap<>();
        private final Set<String> uncompilable = ConcurrentHashMap.newKeySet();
        private final Queue<String> kernels = new ConcurrentLinkedQueue<>();
        private final AtomicInteger deaths = new AtomicInteger();
        private volatile int lostAt = -1;
        private volatile @Nullable ClStatus dead;
        private volatile CountDownLatch open = new CountDownLatch(0);
        private final List<String> missing = new ArrayList<>();
        private final Map<Integer, Long> answers = new ConcurrentHashMap<>();
        private final Map<Long, Long> buffers = new ConcurrentHashMap<>();
        private volatile long largest = Long.MAX_VALUE;
        private volatile long memory = Long.MAX_VALUE;
        private volatile long taken;

        /** The number of kernels launched so far. */
        int launches() {
            return launches.get();
        }

        /** Every call on the device fails from now on, also one that opens it again. */
        void lose() {
            for (String call : List.of("clEnqueue", "clFinish", "clFlush", "clWaitForEvents", "clCreateContext")) {
                fail(call, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            }
        }

        /** All calls whose names begin so fail from now on. */
        void fail(String call, ClStatus status) {
            faults.put(call, status);
        }

        /** Dies while a kernel of this name runs: calls fail from the next wait on, until there is a new context. */
        void diesOf(String entry, ClStatus status) {
            fatal.put(entry, status);
        }

        /** Has a compiler that does not take programs with such a text. */
        void doesNotCompile(String text) {
            uncompilable.add(text);
        }

        private boolean refuses(String source) {
            return uncompilable.stream().anyMatch(source::contains);
        }

        /** The names of the kernels launched so far. */
        List<String> kernels() {
            return List.copyOf(kernels);
        }

        /** Is lost for good after so many more launches. */
        void losesAfter(int more) {
            lostAt = launches.get() + more;
        }

        private void launched(String entry) {
            kernels.add(entry);
            if (launches.incrementAndGet() == lostAt) {
                lose();
            }
            ClStatus status = fatal.getOrDefault(entry, fatal.get(ANY));
            if (status != null) {
                deaths.incrementAndGet();
                dead = status;
            }
        }

        /** How often it died. */
        int deaths() {
            return deaths.get();
        }

        /** Has so many bytes of memory. */
        void has(long bytes) {
            memory = bytes;
            answers.put(GLOBAL_MEM_SIZE, bytes);
        }

        /** Has buffers of at most so many bytes. */
        void allocates(long bytes) {
            largest = bytes;
            answers.put(MAX_MEM_ALLOC_SIZE, bytes);
        }

        /** Says that it is a GPU with memory of its own. */
        void isGpu() {
            answers.put(DEVICE_TYPE, (long) DEVICE_TYPE_GPU);
            answers.put(HOST_UNIFIED_MEMORY, 0L);
        }

        /** Does not name an extension. */
        void lacks(String extension) {
            missing.add(extension);
        }

        /** Loses so many bytes of memory to another program, and does not say so. */
        void takes(long bytes) {
            taken = bytes;
        }

        /** The bytes of its buffers. */
        long used() {
            return buffers.values().stream().mapToLong(Long::longValue).sum();
        }

        private @Nullable ClStatus refusal(long flags, long bytes) {
            if (bytes > largest) {
                return ClStatus.CL_INVALID_BUFFER_SIZE;
            }
            return (flags & IN_HOST_MEMORY) == 0 && used() + bytes > memory - taken
                    ? ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE
                    : null;
        }

        /** Keeps its launches waiting. */
        void hold() {
            open = new CountDownLatch(1);
        }

        /** Waits until a launch was held. */
        void awaitHeld() throws InterruptedException {
            assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
        }

        /** Lets launches through. */
        void release() {
            open.countDown();
        }

        private void pass() throws InterruptedException {
            if (open.getCount() > 0) {
                reached.countDown();
                assertThat(open.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }

        private @Nullable ClStatus fault(String call, Object[] arguments) {
            ClStatus refusal = call.equals("clCreateBuffer") ? refusal((Long) arguments[1], (Long) arguments[2]) : null;
            return refusal != null ? refusal : fault(call);
        }

        private @Nullable ClStatus fault(String call) {
            if (call.equals("clCreateContext")) {
                dead = null;
            }
            if (dead != null
                    && Stream.of("clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clFinish", "clWaitForEvents")
                            .anyMatch(call::startsWith)) {
                return dead;
            }
            return faults.entrySet().stream()
                    .filter(fault -> call.startsWith(fault.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(null);
        }
    }

    SeveralDevicesClApi(int count, ClApi real) {
        this.real = real;
        for (int i = 0; i < count; i++) {
            devices.add(new Shown());
        }
    }

    Shown device(int number) {
        return devices.get(number);
    }

    ClApi api() {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(),
                new Class<?>[] {ClApi.class},
                (proxy, method, arguments) -> call(method, arguments));
    }

    private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("clGetDeviceIDs")) {
            return deviceIds(arguments);
        }
        if (name.equals("clCreateSubDevices")) {
            return ClStatus.CL_INVALID_VALUE.code(); // none of them is divided
        }
        Integer place = PLACES.get(name);
        Object[] given = arguments.clone();
        if (place != null) {
            given[place] = first;
        }
        Shown device = place != null && !name.equals("clBuildProgram")
                ? devices.get((int) ((Long) arguments[place] - first))
                : arguments.length > 0 && arguments[0] instanceof Long handle ? owners.get(handle) : null;
        if (device == null) {
            return really(method, given);
        }
        ClStatus fault = device.fault(name, arguments);
        if (fault != null) {
            return failed(method, arguments, fault.code());
        }
        if (name.equals("clBuildProgram") && device.refuses(sources.getOrDefault((Long) arguments[0], ""))) {
            return ClStatus.CL_BUILD_PROGRAM_FAILURE.code();
        }
        if (name.equals("clEnqueueNDRangeKernel")) {
            device.pass();
            device.launched(entries.getOrDefault((Long) arguments[1], ""));
        }
        Object result = really(method, given);
        if (name.equals("clGetDeviceInfo")) {
            answer(device, (Integer) arguments[1], arguments[2]);
        }
        own(device, name, arguments, result);
        return result;
    }

    private int deviceIds(Object[] arguments) {
        int[] count = (int[]) arguments[4];
        long[] handles = new long[1];
        int status = real.clGetDeviceIDs((Long) arguments[0], (Long) arguments[1], 1, handles, null);
        first = handles[0];
        if (count != null) {
            count[0] = devices.size();
        }
        if (arguments[3] instanceof long[] shown) {
            for (int i = 0; i < shown.length; i++) {
                shown[i] = first + i;
            }
        }
        return status;
    }

    private static void answer(Shown device, int question, @Nullable Object value) {
        if (!(value instanceof ByteBuffer buffer)) {
            return;
        }
        Long answer = device.answers.get(question);
        if (answer != null) {
            ByteBuffer bytes = buffer.duplicate().order(ByteOrder.nativeOrder());
            if (bytes.remaining() < Long.BYTES) {
                bytes.putInt(answer.intValue());
            } else {
                bytes.putLong(answer);
            }
        }
        if (question == EXTENSIONS) {
            String text = StandardCharsets.ISO_8859_1.decode(buffer.duplicate()).toString();
            for (String extension : device.missing) {
                text = text.replace(extension, "_".repeat(extension.length()));
            }
            buffer.duplicate().put(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** Notes whose a new object is. */
    private void own(Shown device, String name, Object[] arguments, @Nullable Object result) {
        if (List.of("clCreateContext", "clCreateCommandQueue", "clCreateBuffer", "clCreateProgramWithSource")
                        .contains(name)
                && result instanceof Long handle
                && handle != 0) {
            owners.put(handle, device);
            if (name.equals("clCreateBuffer") && ((Long) arguments[1] & IN_HOST_MEMORY) == 0) {
                device.buffers.put(handle, (Long) arguments[2]);
            }
        }
        if (name.equals("clCreateKernel") && result instanceof Long handle) {
            entries.put(handle, (String) arguments[1]);
        }
        if (name.equals("clCreateProgramWithSource") && result instanceof Long handle) {
            sources.put(handle, (String) arguments[1]);
        }
        if (name.equals("clReleaseMemObject")) {
            device.buffers.remove((Long) arguments[0]);
        }
        if (name.startsWith("clEnqueue") && arguments[arguments.length - 1] instanceof long[] event) {
            owners.put(event[0], device);
        }
    }

    private static Object failed(Method method, Object[] arguments, int status) {
        if (method.getReturnType() == int.class) {
            return status;
        }
        ((int[]) arguments[arguments.length - 1])[0] = status;
        return 0L;
    }

    private @Nullable Object really(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
