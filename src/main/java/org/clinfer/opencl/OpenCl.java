package org.clinfer.opencl;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.clinfer.cache.DriverQuestions;
import org.clinfer.device.CommandCounts;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;

/** The OpenCL devices of this machine, reached through one binding. */
public final class OpenCl {

    /**
     * The lock of whoever asks drivers, one for all class loaders of a process, as constants are: PoCL's devices are not
     * ready while another thread asks for the first time, and Java's signal handlers are put back after it.
     */
    private static final String FIRST_QUESTIONS = "org.clinfer.opencl: drivers are asked";

    private final ClApi api;
    private final DeviceDiscovery.Found found;

    private final BindingUse binding;
    private final CommandCounter counter = new CommandCounter();

    private OpenCl(ClApi api, DeviceDiscovery.Found found, BindingUse binding) {
        this.api = api;
        this.found = found;
        this.binding = binding;
    }

    /**
     * Looks for OpenCL through a binding. No library, no driver and no device are answers, not exceptions.
     *
     * <p>The system property {@code clinfer.opencl.library} names another OpenCL library than the system's own.
     */
    public static ClLoad open(ClBinding binding) {
        return open(() -> BindingLibrary.of(binding), Optional.of("asked for"));
    }

    /** The same through a binding if one is asked for, otherwise through the first that can be loaded. */
    public static ClLoad open(Optional<ClBinding> binding) {
        return binding.map(OpenCl::open).orElseGet(() -> open(BindingLibrary::any, Optional.empty()));
    }

    private static ClLoad open(Supplier<BindingLibrary.Outcome> loading, Optional<String> reason) {
        synchronized (FIRST_QUESTIONS) {
            return askDrivers(loading, reason);
        }
    }

    private static ClLoad askDrivers(Supplier<BindingLibrary.Outcome> loading, Optional<String> reason) {
        IcdFiles drivers = IcdFiles.ofThisSystem();
        String state = drivers.state() + " " + System.getProperty("clinfer.opencl.library", "");
        // loading asks the drivers as well
        try (DriverQuestions questions = DriverQuestions.begun(CacheFolder.current(), state)) {
            if (questions.isFatal("")) {
                return new ClLoad.Missing(DeviceDiscovery.refusal("one of the OpenCL drivers " + drivers.names()));
            }
            BindingLibrary.Outcome library = loading.get();
            ClApi api = library.api();
            return api == null
                    ? new ClLoad.Missing(library.failure())
                    : over(api, new BindingUse(library.name(), reason.orElse(library.reason())), questions);
        }
    }

    /** Looks for devices through calls supplied by the caller. */
    public static ClLoad over(ClApi api) {
        return over(api, new BindingUse("given", "calls of the caller"), DriverQuestions.unkept());
    }

    private static ClLoad over(ClApi api, BindingUse binding, DriverQuestions questions) {
        DeviceDiscovery.Found found = DeviceDiscovery.find(api, questions);
        if (found.devices().isEmpty()) {
            return new ClLoad.Missing(String.join("; ", found.problems()));
        }
        return new ClLoad.Available(new OpenCl(api, found, binding));
    }

    /** The Java library through which these devices are reached, and why that one. */
    public BindingUse binding() {
        return binding;
    }

    /** All devices of all platforms, at least one: GPUs first, then accelerators, CPUs and others. */
    public List<ClDevice> devices() {
        return found.devices();
    }

    /** The drivers, platforms and devices that could not be used though they are installed, one line each. */
    public List<String> problems() {
        return found.problems();
    }

    /** The commands of all contexts made so far, closed ones included. */
    public CommandCounts commands() {
        return counter.counts();
    }

    /**
     * A new context on one device, owned by the caller.
     *
     * @throws ClException if the device refuses
     */
    public ClContext context(ClDevice device) {
        DeviceCalls calls = new DeviceCalls(api, device, counter);
        int[] status = new int[1];
        long context = api.clCreateContext(device.platform(), device.handle(), status);
        calls.check("clCreateContext", status[0]);
        return new ClContext(calls, context);
    }
}
