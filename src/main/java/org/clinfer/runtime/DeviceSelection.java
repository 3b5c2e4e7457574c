package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.GpuFigures;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.NoSuchDeviceException;
import org.clinfer.kernel.KernelSources;
import org.clinfer.opencl.ClDevice;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.CacheFolder;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.tracesinks.Tracing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The devices that an engine uses, opened.
 *
 * @param devices none if the CPU does everything
 * @param note one line: the devices, or why there is none
 */
public record DeviceSelection(List<Opened> devices, String note) {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceSelection.class);

    /**
     * A device in use.
     *
     * @param number in the list of all devices, counted from 0
     */
    public record Opened(int number, DeviceRuntime runtime) {}

    /**
     * The wish for devices.
     *
     * @param numbers in the list of all devices, counted from 0; empty: all of the type of the first
     * @param isRequired whether it is an error if a device is not there; else the CPU does everything then
     * @param exact whether the terms of definitions are added as they are
     * @param tf32 whether factors may be rounded to TF32
     * @param figures of a GPU's profile that is given, by which GPUs choose kernels
     * @param cache for programs
     * @param tracing told of programs that are built
     */
    public record Wish(
            Optional<List<Integer>> numbers,
            boolean isRequired,
            boolean exact,
            boolean tf32,
            Optional<GpuFigures> figures,
            CacheFolder cache,
            Tracing tracing) {

        /** The facts of a device that placement sees under this wish. */
        DeviceFacts of(DeviceFacts device) {
            DeviceFacts wished = device.withExact(exact).withTf32(tf32);
            return device.kind() == DeviceFacts.Kind.GPU
                    ? figures.map(wished::withFigures).orElse(wished)
                    : wished;
        }
    }

    public DeviceSelection {
        devices = List.copyOf(devices);
    }

    /**
     * Looks for the devices and opens them. Of all, those that fail at once are left out, if another one works.
     *
     * @param found is told what the first one is before it is opened, which takes long
     * @throws DeviceUnavailableException if one is required that is not there
     * @throws ClException if one is required that fails at once
     */
    public static DeviceSelection of(
            Wish wish, KernelSources sources, Supplier<ClLoad> loader, Consumer<DeviceFacts> found) {
        ClLoad load = loader.get();
        if (load instanceof ClLoad.Missing missing) {
            if (wish.isRequired) {
                throw new DeviceUnavailableException("no OpenCL device: " + missing.reason());
            }
            return onCpu("no OpenCL device (" + missing.reason() + "); everything runs on the CPU");
        }
        OpenCl openCl = ((ClLoad.Available) load).openCl();
        List<Integer> numbers = wish.numbers.orElseGet(() -> ofFirstType(openCl.devices()));
        numbers.forEach(number -> requireThere(openCl, number));
        found.accept(wish.of(openCl.devices().get(numbers.get(0)).facts()));
        List<Opened> opened = new ArrayList<>();
        List<ClException> failures = new ArrayList<>();
        try {
            for (int number : numbers) {
                open(openCl, number, wish, sources, opened, failures);
            }
        } catch (RuntimeException | Error e) {
            opened.forEach(each -> each.runtime().close());
            throw e;
        }
        if (!opened.isEmpty()) {
            return new DeviceSelection(
                    opened,
                    note(opened, failures)
                            + openCl.binding().fallback().map(why -> "; " + why).orElse(""));
        }
        if (wish.isRequired) {
            throw failures.get(0);
        }
        return onCpu("no usable OpenCL device (" + failures.get(0).getMessage() + "); everything runs on the CPU");
    }

    /** No device, for a reason. */
    public static DeviceSelection onCpu(String note) {
        return new DeviceSelection(List.of(), note);
    }

    private static List<Integer> ofFirstType(List<ClDevice> devices) {
        DeviceFacts.Kind first = devices.get(0).facts().kind();
        return IntStream.range(0, devices.size())
                .filter(number -> devices.get(number).facts().kind() == first)
                .boxed()
                .toList();
    }

    private static void requireThere(OpenCl openCl, int number) {
        int there = openCl.devices().size();
        if (number >= there) {
            throw new NoSuchDeviceException(number, there);
        }
    }

    private static void open(
            OpenCl openCl,
            int number,
            Wish wish,
            KernelSources sources,
            List<Opened> opened,
            List<ClException> failures) {
        ClDevice device = openCl.devices().get(number);
        DeviceFacts facts = wish.of(device.facts());
        UnitsBeyond.once(facts, Runtime.getRuntime().availableProcessors()).ifPresent(LOG::warn);
        try {
            opened.add(
                    new Opened(number, DeviceRuntime.open(openCl, device, facts, sources, wish.cache, wish.tracing)));
        } catch (ClException e) {
            if (wish.isRequired && wish.numbers.isPresent()) {
                throw e;
            }
            failures.add(e);
        }
    }

    private static String note(List<Opened> opened, List<ClException> failures) {
        String names =
                opened.stream().map(each -> each.runtime().facts().name()).collect(Collectors.joining(", "));
        String left = failures.stream()
                .map(failure -> "; a device is left out: " + failure.getMessage())
                .collect(Collectors.joining());
        return names + left;
    }
}
