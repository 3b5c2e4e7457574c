package org.clinfer.opencl;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.options.ClBinding;
import org.jspecify.annotations.Nullable;

/**
 * Real OpenCL calls, counted: every handle from create to release by kind, every call by name; and calls that are made
 * to fail on demand, without reaching OpenCL.
 */
public final class CountingClApi {

    private final ClApi real;
    private final ClApi counted;
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final AtomicInteger allCalls = new AtomicInteger();
    private final Map<String, Fault> faults = new ConcurrentHashMap<>();
    private volatile Burst burst = new Burst(new AtomicInteger(), 0, 0);

    /** Live handles with the call that made them, by kind; guarded by itself. */
    private final Map<String, Map<Long, String>> live = new TreeMap<>();

    /** When Java's memory ends: in relation to the call. */
    private enum Exhaustion {
        BEFORE,
        AFTER
    }

    private final AtomicInteger untilExhausted = new AtomicInteger();
    private volatile Exhaustion exhaustion = Exhaustion.BEFORE;

    private final List<String> wrongReleases = new ArrayList<>();

    /**
     * What fails, and how.
     *
     * @param left the n-th call from now on, counted from 1
     * @param lasting whether all calls after it fail as well
     * @param status what they give
     */
    private record Fault(AtomicInteger left, boolean lasting, int status) {
        boolean isNow() {
            int calls = left.decrementAndGet();
            return calls == 0 || (lasting && calls < 0);
        }
    }

    /**
     * Calls of any name that fail, one after the other.
     *
     * @param left the first of them from now on, counted from 1; 0 or less when it was reached
     * @param size how many there are
     * @param status what they give
     */
    private record Burst(AtomicInteger left, int size, int status) {
        boolean isNow() {
            int calls = left.decrementAndGet();
            return calls <= 0 && calls > -size;
        }
    }

    public CountingClApi(ClApi real) {
        this.real = real;
        this.counted = (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(),
                new Class<?>[] {ClApi.class},
                (proxy, method, args) -> call(method, args));
    }

    /**
     * The real calls of a binding, counted.
     *
     * @throws IllegalStateException if its library cannot be loaded
     */
    public static CountingClApi over(ClBinding binding) {
        BindingLibrary.Outcome library = BindingLibrary.of(binding);
        ClApi api = library.api();
        if (api == null) {
            throw new IllegalStateException(library.failure());
        }
        return new CountingClApi(api);
    }

    /** The calls to hand to {@link OpenCl#over}. */
    public ClApi api() {
        return counted;
    }

    /** Makes the {@code nth} next call of this name, counted from 1, fail with this status; once. */
    public void fail(String call, int nth, ClStatus status) {
        faults.put(call, new Fault(new AtomicInteger(nth), false, status.code()));
    }

    /** Makes the {@code nth} next call of this name, counted from 1, and all later ones fail with this status. */
    public void failFrom(String call, int nth, ClStatus status) {
        faults.put(call, new Fault(new AtomicInteger(nth), true, status.code()));
    }

    /**
     * Makes {@code size} calls in a row fail, whatever they are, from the {@code nth} next one on, counted from 1. Releases
     * among them give the status, too, but take place: thousands of trials would not fit in memory otherwise.
     *
     * @param status what they give; also a number that is no status of OpenCL
     */
    public void failAny(int nth, int size, int status) {
        burst = new Burst(new AtomicInteger(nth), size, status);
    }

    /**
     * Makes Java's memory end in the {@code nth} next call, counted from 1, whatever its name is: before it reaches OpenCL,
     * or {@code made}, after it, when what it made was given back. A release is always made.
     */
    public void exhaust(int nth, boolean made) {
        exhaustion = made ? Exhaustion.AFTER : Exhaustion.BEFORE;
        untilExhausted.set(nth);
    }

    /** Ends what {@link #failFrom} and {@link #failAny} began, and what {@link #fail} announced. */
    public void failNoMore() {
        faults.clear();
        failAny(0, 0, 0);
    }

    /** How many calls were made in all, failed ones included. */
    public int calls() {
        return allCalls.get();
    }

    /** How often the call was made, failed ones included. */
    public int calls(String call) {
        AtomicInteger count = calls.get(call);
        return count == null ? 0 : count.get();
    }

    /** Handles not released yet, by kind. */
    public Map<String, Integer> live() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        synchronized (live) {
            live.forEach((kind, handles) -> {
                if (!handles.isEmpty()) {
                    counts.put(kind, handles.size());
                }
            });
        }
        return counts;
    }

    /** Every handle was released exactly once. */
    public void assertAllReleased() {
        synchronized (live) {
            boolean leaked = live.values().stream().anyMatch(handles -> !handles.isEmpty());
            if (leaked || !wrongReleases.isEmpty()) {
                throw new AssertionError("not released: " + live + "; released wrongly: " + wrongReleases);
            }
        }
    }

    private @Nullable Object call(Method method, Object[] args) throws Throwable {
        String name = method.getName();
        calls.computeIfAbsent(name, ignored -> new AtomicInteger()).incrementAndGet();
        allCalls.incrementAndGet();
        Fault fault = faults.get(name);
        boolean faulty = fault != null && fault.isNow();
        if (name.startsWith("clRelease")) {
            released(kind(name), (Long) args[0]);
        }
        if (fault != null && faulty) {
            if (!fault.lasting()) {
                faults.remove(name);
            }
            return failed(method, args, fault.status());
        }
        Burst failing = burst;
        if (failing.isNow()) {
            if (name.startsWith("clRelease")) {
                really(method, args);
            }
            return failed(method, args, failing.status());
        }
        boolean exhausted = untilExhausted.get() > 0 && untilExhausted.decrementAndGet() == 0;
        if (exhausted && exhaustion == Exhaustion.BEFORE && !name.startsWith("clRelease")) {
            throw new OutOfMemoryError("before " + name);
        }
        Object result = really(method, args);
        if (exhausted && name.startsWith("clCreate")) {
            giveBack(name, result);
        } else {
            created(name, args, result);
        }
        if (exhausted) {
            throw new OutOfMemoryError("after " + name);
        }
        return result;
    }

    private @Nullable Object really(Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** What a failing call gives: the status, or for create and map calls no object and the status in the holder. */
    private static @Nullable Object failed(Method method, Object[] args, int status) {
        if (method.getReturnType() == int.class) {
            return status;
        }
        ((int[]) args[args.length - 1])[0] = status;
        return method.getReturnType() == long.class ? 0L : null;
    }

    /** What nobody will ever know of; an event is in the caller's own array. */
    private void giveBack(String name, @Nullable Object result) throws ReflectiveOperationException {
        if (result instanceof Long handle && handle != 0) {
            ClApi.class.getMethod("clRelease" + kind(name), long.class).invoke(real, handle);
        }
    }

    private void created(String name, Object[] args, @Nullable Object result) {
        if (name.startsWith("clCreate") && result instanceof Long handle && handle != 0) {
            add(kind(name), handle, name);
        }
        if (name.equals("clCreateSubDevices")
                && args[3] != null
                && Integer.valueOf(0).equals(result)) {
            for (long device : (long[]) args[3]) {
                add("Device", device, name);
            }
        }
        boolean event = name.startsWith("clEnqueue") && args[args.length - 1] instanceof long[];
        if (event && ((long[]) args[args.length - 1])[0] != 0 && takesEvent(name)) {
            add("Event", ((long[]) args[args.length - 1])[0], name);
        }
    }

    /** Calls whose last argument is the event; a launch without one ends with null. */
    private static boolean takesEvent(String name) {
        return List.of(
                        "clEnqueueReadBuffer",
                        "clEnqueueWriteBuffer",
                        "clEnqueueNDRangeKernel",
                        "clEnqueueMarkerWithWaitList")
                .contains(name);
    }

    private void add(String kind, long handle, String by) {
        synchronized (live) {
            String earlier =
                    live.computeIfAbsent(kind, ignored -> new TreeMap<>()).put(handle, by);
            if (earlier != null) {
                wrongReleases.add(kind + " " + handle + " was given twice without a release");
            }
        }
    }

    /** Leaves the table before the real release, after which the driver may give the handle anew. */
    private void released(String kind, long handle) {
        synchronized (live) {
            if (live.computeIfAbsent(kind, ignored -> new TreeMap<>()).remove(handle) == null) {
                wrongReleases.add(kind + " " + handle + " was not live");
            }
        }
    }

    private static String kind(String call) {
        String kind = call.replaceFirst("clCreate|clRelease", "");
        if (kind.startsWith("Program")) {
            return "Program";
        }
        return kind.endsWith("Buffer") ? "MemObject" : kind;
    }
}
