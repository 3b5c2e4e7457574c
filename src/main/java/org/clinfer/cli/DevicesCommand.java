package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.cache.TestedKernels;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.cli.io.JsonText;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.NoSuchDeviceException;
import org.clinfer.opencl.BindingUse;
import org.clinfer.opencl.ClDevice;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.ProfileDraft;
import org.clinfer.report.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the OpenCL devices of this machine, or says what is missing; saves what one reports as a profile. */
@Command(name = "devices", description = "Lists OpenCL devices with their limits, or says exactly what is missing.")
final class DevicesCommand implements Callable<Integer> {

    private static final String INSTALL = "on Debian or Ubuntu: apt-get install ocl-icd-libopencl1 and your device's"
            + " driver (pocl-opencl-icd for the CPU, intel-opencl-icd, nvidia-opencl-icd, mesa-opencl-icd …)";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--spark",
            description =
                    "Print the answer of a discovery script of Apache Spark: the numbers of GPUs and accelerators.")
    private boolean spark;

    @Option(
            names = "--save-profile",
            paramLabel = "FILE",
            description =
                    "Write what a device reports of itself as a device profile, for 'clinfer check --profile FILE'"
                            + " on other machines.")
    private Optional<Path> saved = Optional.empty();

    @Option(
            names = "--device",
            paramLabel = "INDEX",
            description = "The device whose profile is saved (default: the first one).")
    private Optional<DeviceChoice> device = Optional.empty();

    @Option(names = "--force", description = "Let --save-profile replace a file.")
    private boolean force;

    @Option(
            names = "--binding",
            paramLabel = "lwjgl|jocl",
            description =
                    "Java library through which OpenCL is called (default: the first of them that can be loaded).")
    private Optional<ClBinding> binding = Optional.empty();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (saved.isEmpty() && (device.isPresent() || force)) {
            throw new UsageException("--device and --force need --save-profile");
        }
        if (spark && (json || saved.isPresent())) {
            throw new UsageException("--spark cannot be combined with --json or --save-profile");
        }
        ClLoad load = OpenCl.open(binding);
        if (spark) {
            out.println(forSpark(
                    load instanceof ClLoad.Available available
                            ? available.openCl().devices().stream()
                                    .map(ClDevice::facts)
                                    .toList()
                            : List.of()));
            return ExitCode.OK;
        }
        if (saved.isPresent()) {
            save(saved.get(), load, out);
            return ExitCode.OK;
        }
        if (json) {
            JsonText.of(toJson(load)).lines().forEach(out::println);
        } else {
            Screen.of(spec).print(toText(load));
        }
        return ExitCode.OK;
    }

    /** One line of JSON; processors are no resource that Spark has to share out beside its cores. */
    static String forSpark(List<DeviceFacts> devices) {
        return IntStream.range(0, devices.size())
                .filter(number -> devices.get(number).kind() == DeviceFacts.Kind.GPU
                        || devices.get(number).kind() == DeviceFacts.Kind.ACCELERATOR)
                .mapToObj(number -> "\"" + number + "\"")
                .collect(Collectors.joining(",", "{\"name\":\"gpu\",\"addresses\":[", "]}"));
    }

    private void save(Path file, ClLoad load, PrintWriter out) throws IOException {
        if (device.filter(DeviceChoice.Cpu.class::isInstance).isPresent()) {
            throw new UsageException("--save-profile needs an OpenCL device, not the CPU");
        }
        if (device.filter(choice -> choice instanceof DeviceChoice.Several || choice instanceof DeviceChoice.All)
                .isPresent()) {
            throw new UsageException("--save-profile takes one device, not several");
        }
        if (load instanceof ClLoad.Missing missing) {
            throw new DeviceUnavailableException("no OpenCL device: " + missing.reason());
        }
        List<ClDevice> devices = ((ClLoad.Available) load).openCl().devices();
        int number = device.orElseGet(DeviceChoice.Auto::new) instanceof DeviceChoice.Index index ? index.number() : 0;
        if (number >= devices.size()) {
            throw new NoSuchDeviceException(number, devices.size());
        }
        DeviceFacts facts = devices.get(number).facts();
        byte[] profile = ProfileDraft.of(facts, ProfileCatalog.builtIn()).getBytes(StandardCharsets.UTF_8);
        try {
            if (force) {
                AtomicFile.write(file, stream -> stream.write(profile));
            } else {
                AtomicFile.create(file, stream -> stream.write(profile));
            }
        } catch (FileAlreadyExistsException there) {
            throw new UsageException(file + ": exists already; --force replaces it");
        }
        if (json) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("profile", file.toString());
            document.put("device", toJson(number, facts));
            JsonText.of(document).lines().forEach(out::println);
        } else {
            out.println("wrote " + file + ": " + facts.name());
        }
    }

    private static List<String> toText(ClLoad load) {
        List<String> lines = new ArrayList<>();
        if (load instanceof ClLoad.Missing missing) {
            lines.add("No OpenCL device: " + missing.reason());
            lines.add("To use one, " + INSTALL);
            lines.add("Everything runs on the CPU meanwhile.");
        }
        if (load instanceof ClLoad.Available available) {
            List<ClDevice> devices = available.openCl().devices();
            for (int number = 0; number < devices.size(); number++) {
                DeviceFacts facts = devices.get(number).facts();
                lines.addAll(describe(number, facts));
                lines.addAll(tests(facts));
            }
            available.openCl().problems().forEach(problem -> lines.add("not usable: " + problem));
            BindingUse binding = available.openCl().binding();
            lines.add("binding: " + binding.name() + inBrackets(binding.reason()));
        }
        CpuPath path = CpuPath.current();
        lines.add("CPU path: " + path.word() + inBrackets(path.reason()));
        return lines;
    }

    /** The results of the tests of its kernels. */
    private static List<String> tests(DeviceFacts facts) {
        TestedKernels.Results results =
                TestedKernels.of(CacheFolder.current(), facts).results();
        List<String> lines = new ArrayList<>();
        lines.add("  tests: " + results.passed().size() + " kernels passed, "
                + results.failed().size() + " failed; each is tested before its first use");
        new TreeMap<>(results.failed()).forEach((kernel, difference) -> lines.add("    " + kernel + ": " + difference));
        return lines;
    }

    private static String inBrackets(String reason) {
        return reason.isEmpty() ? "" : " (" + reason + ")";
    }

    /** The lines of one device: what it is, then every limit it states. */
    static List<String> describe(int number, DeviceFacts facts) {
        TextTable table = new TextTable()
                .row("  platform", facts.platform())
                .row("  vendor", facts.vendor())
                .row("  driver", facts.driver())
                .row("  OpenCL", facts.openclVersion())
                .row("  type", facts.kind().name().toLowerCase(Locale.ROOT))
                .row("  memory", mebibytes(facts, "global_mem_size"))
                .row("  largest buffer", mebibytes(facts, "max_mem_alloc_size"))
                .row("  compute units", number(facts, "max_compute_units"))
                .row("  work-group", number(facts, "max_work_group_size") + " work-items")
                .row("  extensions", Integer.toString(facts.extensions().size()));
        List<String> lines = new ArrayList<>();
        lines.add("device " + number + ": " + facts.name());
        lines.addAll(table.lines());
        lines.add("  limits");
        TextTable limits = new TextTable();
        new TreeMap<>(facts.limits()).forEach((name, value) -> limits.row("    " + name, Long.toString(value)));
        lines.addAll(limits.lines());
        return lines;
    }

    private static String number(DeviceFacts facts, String limit) {
        Long value = facts.limits().get(limit);
        return value == null ? "not stated" : value.toString();
    }

    private static String mebibytes(DeviceFacts facts, String limit) {
        Long bytes = facts.limits().get(limit);
        return bytes == null ? "not stated" : (bytes >> 20) + " MiB";
    }

    private static Map<String, Object> toJson(ClLoad load) {
        Map<String, Object> document = new LinkedHashMap<>();
        List<Map<String, Object>> devices = new ArrayList<>();
        document.put("devices", devices);
        document.put("cpu_path", CpuPath.current().word());
        if (load instanceof ClLoad.Missing missing) {
            document.put("missing", missing.reason());
            document.put("install", INSTALL);
        }
        if (load instanceof ClLoad.Available available) {
            for (ClDevice device : available.openCl().devices()) {
                devices.add(toJson(devices.size(), device.facts()));
            }
            document.put("problems", available.openCl().problems());
            BindingUse binding = available.openCl().binding();
            document.put("binding", binding.name());
            if (!binding.reason().isEmpty()) {
                document.put("binding_reason", binding.reason());
            }
        }
        return document;
    }

    private static Map<String, Object> toJson(int number, DeviceFacts facts) {
        Map<String, Object> device = new LinkedHashMap<>();
        device.put("index", number);
        device.put("name", facts.name());
        device.put("vendor", facts.vendor());
        device.put("driver", facts.driver());
        device.put("platform", facts.platform());
        device.put("opencl", facts.openclVersion());
        device.put("type", facts.kind().name().toLowerCase(Locale.ROOT));
        device.put("extensions", new TreeSet<>(facts.extensions()));
        device.put("limits", new TreeMap<>(facts.limits()));
        TestedKernels.Results tests =
                TestedKernels.of(CacheFolder.current(), facts).results();
        device.put("tests_passed", tests.passed().size());
        device.put("tests_failed", new TreeMap<>(tests.failed()));
        return device;
    }
}
