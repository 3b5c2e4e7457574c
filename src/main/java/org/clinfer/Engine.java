package org.clinfer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.clinfer.device.CommandCounts;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.errors.BadInputException;
import org.clinfer.errors.DeviceException;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.opencl.ClDevice;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.OpenCl;
import org.clinfer.profile.GpuProfile;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.runtime.DescriptionLoading;
import org.clinfer.runtime.DeviceLoad;
import org.clinfer.runtime.DeviceSelection;
import org.clinfer.runtime.EngineContext;
import org.clinfer.runtime.MemoryBudget;
import org.clinfer.runtime.Networks;
import org.clinfer.runtime.OpenParts;
import org.clinfer.tracesinks.Tracing;

/**
 * The entry point of the library: holds the devices, if any are used, and loads models. Usable from any thread.
 *
 * <pre>{@code
 * try (Engine engine = Engine.open(EngineOptions.defaults());
 *         Model model = engine.load(Path.of("net.onnx"));
 *         Session session = model.session();
 *         Result result = session.run(Map.of("image", image))) {
 *     float[] scores = result.get("scores").toFloatArray();
 * }
 * }</pre>
 *
 * <p>On several devices ({@link DeviceChoice.Several}) a model is on the host once, and its weights on each device. Every run
 * of a session goes to the device that has the fewest runs in progress; what it gives does not depend on which that is.
 *
 * <p>Closing the engine closes its models, and closing a model its sessions.
 */
public final class Engine implements AutoCloseable {

    /** For each device, or without any for the CPU alone. */
    private final List<EngineContext> contexts;

    private final DeviceLoad load = new DeviceLoad();
    private final String deviceNote;
    private final Tracing tracing;
    private final OpenParts<Model> models;

    private Engine(List<EngineContext> contexts, String deviceNote, Tracing tracing) {
        this.contexts = contexts;
        this.tracing = tracing;
        this.deviceNote = deviceNote;
        this.models = new OpenParts<>("engine", Model::close, this::release);
    }

    /**
     * Opens an engine.
     *
     * @param options the options
     * @return the engine, to be closed by the caller
     * @throws DeviceUnavailableException if the options ask for a device that is not there, or there is none and nothing
     *     may run on the CPU
     * @throws DeviceException if they ask for one that fails at once
     * @throws BadInputException if a folder of operators cannot be read, or an operator in it is described wrongly, or
     *     describes a kernel that is not there or takes other arguments; the message has every mistake
     * @throws InputException if the property {@code clinfer.memory.limit} is set, but not to a number of bytes, or if the
     *     trace that is asked for cannot be written
     */
    public static Engine open(EngineOptions options) {
        return open(options, () -> OpenCl.open(options.binding()));
    }

    /**
     * {@return the OpenCL devices of this machine, at the places by which {@link DeviceChoice.Index} names them; empty where
     * there is no OpenCL}
     */
    public static List<DeviceFacts> availableDevices() {
        return OpenCl.open(Optional.empty()) instanceof ClLoad.Available available
                ? available.openCl().devices().stream().map(ClDevice::facts).toList()
                : List.of();
    }

    /** An engine on OpenCL as {@code loader} finds it; the loader is not called if the options want the CPU alone. */
    static Engine open(EngineOptions options, Supplier<ClLoad> loader) {
        Tracing tracing = Tracing.open(options.traces());
        try {
            return open(options, loader, tracing);
        } catch (RuntimeException | Error e) {
            tracing.close();
            throw e;
        }
    }

    private static Engine open(EngineOptions options, Supplier<ClLoad> loader, Tracing tracing) {
        MemoryBudget budget = MemoryBudget.current().within(options.memoryLimit());
        DescriptionLoading descriptions = DescriptionLoading.start(options.operators(), options.exact());
        // in this thread: simulators keep what they need by thread
        DeviceSelection selection = select(options, descriptions, loader, tracing);
        DescriptionLoading.Loaded described;
        if (options.onUnsupported() == OnUnsupported.FAIL && selection.devices().isEmpty()) {
            descriptions.join();
            throw new DeviceUnavailableException(
                    "every node is to run on a device, but there is none: " + selection.note());
        }
        try {
            described = descriptions.join();
        } catch (RuntimeException | Error e) {
            selection.devices().forEach(device -> device.runtime().close());
            throw e;
        }
        return new Engine(
                EngineContexts.of(options, described, budget, selection.devices(), tracing), selection.note(), tracing);
    }

    /** The devices; where there is none, what is wrong with the descriptions is told first. */
    private static DeviceSelection select(
            EngineOptions options, DescriptionLoading descriptions, Supplier<ClLoad> loader, Tracing tracing) {
        try {
            DeviceChoice choice = options.device();
            if (choice instanceof DeviceChoice.Cpu) {
                return DeviceSelection.onCpu("everything runs on the CPU, as asked");
            }
            DeviceSelection.Wish wish = new DeviceSelection.Wish(
                    numbers(choice),
                    !(choice instanceof DeviceChoice.Auto),
                    options.exact(),
                    options.precision() == Precision.TF32,
                    options.profile()
                            .map(ProfileChoice::profile)
                            .filter(profile -> profile.rules().isRunByKernels())
                            .flatMap(profile -> GpuProfile.facts(profile).figures()),
                    options.cache(),
                    tracing);
            return DeviceSelection.of(wish, descriptions.sources(), loader, descriptions::rehearse);
        } catch (RuntimeException | Error e) {
            descriptions.join();
            throw e;
        }
    }

    /** The numbers of the devices; empty for all of the type of the first. */
    private static Optional<List<Integer>> numbers(DeviceChoice choice) {
        if (choice instanceof DeviceChoice.All) {
            return Optional.empty();
        }
        if (choice instanceof DeviceChoice.Several several) {
            return Optional.of(several.numbers());
        }
        return Optional.of(List.of(choice instanceof DeviceChoice.Index index ? index.number() : 0));
    }

    /** Those of the first device. */
    EngineContext context() {
        return contexts.get(0);
    }

    /** {@return the OpenCL device in use, the first of several; empty if the CPU does everything} */
    public Optional<DeviceFacts> device() {
        return devices().stream().findFirst();
    }

    /** {@return the OpenCL devices in use; none if the CPU does everything} */
    public List<DeviceFacts> devices() {
        return contexts.stream()
                .flatMap(own -> own.device().stream())
                .map(DeviceRuntime::facts)
                .toList();
    }

    /**
     * {@return whether every OpenCL device of this engine is lost: it failed, and so did a new context on it} Runs go on with
     * the CPU then; whether the device can be had again shows in an engine that is opened anew, at best in another process.
     * False where the CPU does everything.
     */
    public boolean isDeviceLost() {
        return contexts.stream().allMatch(own -> own.inUse().isLost());
    }

    /**
     * {@return what the device, or the first of several, can do at most; empty if the CPU does everything, or the
     * device fails at it} It is measured, in a fraction of a second.
     */
    public Optional<DeviceSpeed> deviceSpeed() {
        return context().device().flatMap(DeviceRuntime::speed);
    }

    /**
     * {@return bytes that the models and sessions of this engine hold, on the host and on devices, as {@link
     * EngineOptions#withMemoryLimit} counts them}
     */
    public long memoryHeld() {
        return context().memory().held();
    }

    /** {@return the commands that devices were given so far, by all sessions; none where the CPU does everything} */
    public CommandCounts commands() {
        return context().device().map(DeviceRuntime::commands).orElse(CommandCounts.NONE);
    }

    /** {@return the kernels that the compilers of the devices refused so far; what runs does without them} */
    public List<BuildFailure> buildFailures() {
        return contexts.stream()
                .flatMap(own -> own.device().stream())
                .flatMap(device -> device.unbuilt().entrySet().stream())
                .map(failure -> BuildFailure.of(failure.getKey(), failure.getValue()))
                .toList();
    }

    /** {@return one line: the devices in use, or why there is none} */
    public String deviceNote() {
        return deviceNote;
    }

    /**
     * {@return the code path of CPU operators for floats: {@code vector}, with the JDK's Vector API, or {@code
     * plain}}
     */
    public String cpuPath() {
        return context().hostOperators().path().word();
    }

    /**
     * Reads a model file, which may use the operators of this engine, without loading it. The constants of the graph are
     * the caller's.
     *
     * @param file the model, of any format; or a folder with one model, as a SavedModel is
     * @return the graph; its constants are the caller's
     * @throws org.clinfer.graph.GraphException if the file is not a sound model
     * @throws org.clinfer.graph.UnsupportedException if it uses what Clinfer does not have
     */
    public Graph read(Path file) {
        return Importers.of(context().operators()).read(file);
    }

    /**
     * Loads a model file.
     *
     * @param file the model, of any format; or a folder with one model, as a SavedModel is
     * @return the model, to be closed by the caller, or with the engine at the latest
     * @throws org.clinfer.errors.MemoryLimitException if its constants need more memory than the engine may hold
     * @throws org.clinfer.graph.GraphException if the file is not a sound model
     * @throws org.clinfer.graph.UnsupportedException if it uses what Clinfer does not have
     * @throws IllegalStateException if the engine is closed
     */
    public Model load(Path file) {
        models.requireOpen();
        return owned(read(file));
    }

    /**
     * Loads a model whose file is in memory, which tells its format by its first bytes; see {@link #load(byte[],
     * ModelFormat)} for those that do not. It must not need other files.
     *
     * @param model the bytes of the file; not kept
     * @return the model, to be closed by the caller, or with the engine at the latest
     * @throws org.clinfer.graph.GraphException if it is not a sound model, of no known format, or needs other files
     * @throws org.clinfer.graph.UnsupportedException if it uses what Clinfer does not have
     * @throws IllegalStateException if the engine is closed
     */
    public Model load(byte[] model) {
        return load(model, Optional.empty(), Optional.empty());
    }

    /**
     * {@link #load(byte[])} of a known format.
     *
     * @param model the bytes of its file
     * @param format the format of the file
     * @return as there
     */
    public Model load(byte[] model, ModelFormat format) {
        return load(model, Optional.of(format), Optional.empty());
    }

    /**
     * {@link #load(byte[])} of a known format, with what belongs to the model in files.
     *
     * @param model the bytes of its file
     * @param format the format of the file
     * @param folder the files that the model names are looked for in it, and nowhere else. Formats that keep weights in a
     *     file of the same name (Caffe, darknet, ncnn) take the only one there; that of OpenVINO is {@code model.bin}.
     * @return as there
     */
    public Model load(byte[] model, ModelFormat format, Path folder) {
        return load(model, Optional.of(format), Optional.of(folder));
    }

    /**
     * {@link #load(byte[])} of what is left of a stream, which stays open; at most 2 GB, what one array holds.
     *
     * @param model its file, from where the stream stands
     * @return as there
     * @throws IOException if the stream fails
     */
    public Model load(InputStream model) throws IOException {
        return load(model.readAllBytes());
    }

    /**
     * {@link #load(InputStream)} of a known format.
     *
     * @param model its file, from where the stream stands
     * @param format the format of the file
     * @return as there
     * @throws IOException if the stream fails
     */
    public Model load(InputStream model, ModelFormat format) throws IOException {
        return load(model.readAllBytes(), format);
    }

    private Model load(byte[] bytes, Optional<ModelFormat> format, Optional<Path> folder) {
        models.requireOpen();
        return owned(Importers.of(context().operators()).read(bytes, format.map(ModelFormat::fileName), folder));
    }

    /** The model of a graph whose constants are closed with it. */
    private Model owned(Graph graph) {
        try {
            return models.add(new Model(networks(graph), model -> {
                graph.closeConstants();
                models.gone(model);
            }));
        } catch (RuntimeException | Error e) {
            graph.closeConstants();
            throw e;
        }
    }

    /**
     * Takes a graph made in Java or by an importer of one's own. Its constants stay the caller's, and must stay open as
     * long as the model.
     *
     * @param graph the network
     * @return the model, to be closed by the caller, or with the engine at the latest
     * @throws IllegalStateException if the engine is closed
     */
    public Model load(Graph graph) {
        return models.add(new Model(networks(graph), models::gone));
    }

    private Networks networks(Graph graph) {
        Networks networks = new Networks(graph, contexts, load);
        try {
            networks.requireOnDevice();
            return networks;
        } catch (RuntimeException | Error e) {
            networks.close();
            throw e;
        }
    }

    /** Closes all models of this engine and gives the devices back; more calls do nothing. */
    @Override
    public void close() {
        models.close();
    }

    private void release() {
        contexts.forEach(own -> own.inUse().close());
        context().parallel().close();
        tracing.close();
    }
}
