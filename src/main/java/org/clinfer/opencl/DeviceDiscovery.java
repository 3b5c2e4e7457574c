package org.clinfer.opencl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.cache.DriverQuestions;
import org.clinfer.device.DeviceFacts;

/** Finds the devices of all platforms; what cannot be read becomes a line of {@code problems}, never an exception. */
final class DeviceDiscovery {

    /** Property: the floats of a vector, for devices that say another number than the one their compiler uses. */
    static final String LANES = "clinfer.opencl.lanes";

    private static final Pattern VERSION = Pattern.compile("OpenCL (?:C )?(\\d+\\.\\d+)");

    private static final Pattern WORD = Pattern.compile("\\S+");

    private final ClApi api;
    private final DriverQuestions questions;
    private final List<ClDevice> devices = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private DeviceDiscovery(ClApi api, DriverQuestions questions) {
        this.api = api;
        this.questions = questions;
    }

    /** Usable devices in order of preference, and what stood in the way of others. */
    record Found(List<ClDevice> devices, List<String> problems) {
        Found {
            devices = List.copyOf(devices);
            problems = List.copyOf(problems);
        }
    }

    /** Asks the drivers everything but what is known to have ended a process. */
    static Found find(ClApi api, DriverQuestions questions) {
        DeviceDiscovery discovery = new DeviceDiscovery(api, questions);
        boolean platformsFound = discovery.readPlatforms();
        discovery.problems.addAll(IcdFiles.ofThisSystem().problems(platformsFound));
        discovery.devices.sort(
                Comparator.comparingInt(device -> rank(device.facts().kind())));
        return new Found(discovery.devices, discovery.problems);
    }

    /** The reason why a driver is not asked that has ended a process. */
    static String refusal(String driver) {
        return driver + " ended the process that asked for its devices, and is not asked again until it changes; after"
                + " 'clinfer cache --clear' it is";
    }

    private static int rank(DeviceFacts.Kind kind) {
        return switch (kind) {
            case GPU -> 0;
            case ACCELERATOR -> 1;
            case CPU -> 2;
            case OTHER -> 3;
        };
    }

    /** {@return whether there is any platform, readable or not} */
    private boolean readPlatforms() {
        int[] count = new int[1];
        int status = api.clGetPlatformIDs(0, null, count);
        if (status == ClStatus.CL_PLATFORM_NOT_FOUND_KHR.code() || (status == 0 && count[0] == 0)) {
            problems.add("the OpenCL library finds no driver (platform): "
                    + ClStatus.CL_PLATFORM_NOT_FOUND_KHR.nextStep() + ", or the driver of your GPU's vendor");
            return false;
        }
        long[] platforms = new long[count[0]];
        if (status == 0) {
            status = api.clGetPlatformIDs(platforms.length, platforms, null);
        }
        if (status != 0) {
            problems.add("clGetPlatformIDs failed: " + ClStatus.describe(status) + "; "
                    + ClStatus.of(status).nextStep());
            return false;
        }
        for (int i = 0; i < platforms.length; i++) {
            readPlatform(i, platforms[i]);
        }
        return true;
    }

    private void readPlatform(int index, long platform) {
        try {
            String name = platformText(index, platform, ClConstants.PLATFORM_NAME);
            String version = platformText(index, platform, ClConstants.PLATFORM_VERSION);
            String title = name + ", " + version;
            if (questions.isFatal(title)) {
                problems.add(refusal("platform " + title));
                return;
            }
            questions.ask(title);
            for (long device : deviceHandles(title, platform)) {
                readDevice(title, platform, device);
            }
        } catch (ClException unreadable) {
            problems.add(unreadable.getMessage());
        }
    }

    private String platformText(int index, long platform, int name) {
        InfoQuery question = (value, size) -> api.clGetPlatformInfo(platform, name, value, size);
        return text("clGetPlatformInfo", "platform " + index, question);
    }

    private static String text(String call, String subject, InfoQuery question) {
        InfoQuery.Answer answer = question.answer();
        if (answer.status() != 0) {
            throw new ClException(call, answer.status(), subject);
        }
        return answer.text();
    }

    private long[] deviceHandles(String title, long platform) {
        int[] count = new int[1];
        int status = api.clGetDeviceIDs(platform, ClConstants.DEVICE_TYPE_ALL, 0, null, count);
        if (status == ClStatus.CL_DEVICE_NOT_FOUND.code() || (status == 0 && count[0] == 0)) {
            problems.add("platform " + title + " has no device: " + ClStatus.CL_DEVICE_NOT_FOUND.nextStep());
            return new long[0];
        }
        long[] handles = new long[count[0]];
        if (status == 0) {
            status = api.clGetDeviceIDs(platform, ClConstants.DEVICE_TYPE_ALL, handles.length, handles, null);
        }
        if (status != 0) {
            throw new ClException("clGetDeviceIDs", status, "platform " + title);
        }
        return handles;
    }

    private void readDevice(String title, long platform, long device) {
        try {
            String name = deviceText(title, device, ClConstants.DEVICE_NAME);
            if (deviceNumber(name, device, ClConstants.DEVICE_AVAILABLE) == 0) {
                problems.add("device " + name + " of platform " + title + " is not available: "
                        + ClStatus.CL_DEVICE_NOT_AVAILABLE.nextStep());
                return;
            }
            DeviceFacts facts = facts(title, name, device);
            KnownDrivers.refusal(facts)
                    .ifPresentOrElse(problems::add, () -> devices.add(new ClDevice(platform, device, facts)));
        } catch (ClException unreadable) {
            problems.add(unreadable.getMessage());
        }
    }

    private DeviceFacts facts(String title, String name, long device) {
        Map<String, Long> limits = new HashMap<>(DeviceLimits.read(api, device));
        String profile = deviceText(name, device, ClConstants.DEVICE_PROFILE);
        limits.put("full_profile", profile.startsWith("FULL") ? 1L : 0L);
        Optional.ofNullable(Long.getLong(LANES)).ifPresent(lanes -> limits.put("native_vector_width_float", lanes));
        String extensions = deviceText(name, device, ClConstants.DEVICE_EXTENSIONS);
        return new DeviceFacts(
                name,
                deviceText(name, device, ClConstants.DEVICE_VENDOR),
                deviceText(name, device, ClConstants.DRIVER_VERSION),
                title,
                version(deviceText(name, device, ClConstants.DEVICE_VERSION)),
                kind(deviceNumber(name, device, ClConstants.DEVICE_TYPE)),
                WORD.matcher(extensions).results().map(MatchResult::group).collect(Collectors.toSet()),
                limits);
    }

    private String deviceText(String subject, long device, int name) {
        InfoQuery question = (value, size) -> api.clGetDeviceInfo(device, name, value, size);
        return text("clGetDeviceInfo", subject, question);
    }

    private long deviceNumber(String subject, long device, int name) {
        InfoQuery question = (value, size) -> api.clGetDeviceInfo(device, name, value, size);
        InfoQuery.Answer answer = question.answer();
        if (!answer.isNumber()) {
            int status = answer.status() == 0 ? ClStatus.CL_INVALID_VALUE.code() : answer.status();
            throw new ClException("clGetDeviceInfo", status, subject);
        }
        return answer.number();
    }

    /** {@code 3.0} of {@code OpenCL 3.0 vendor text}; the whole text where it is not of that form. */
    static String version(String text) {
        Matcher matcher = VERSION.matcher(text);
        return matcher.find() ? matcher.group(1) : text;
    }

    private static DeviceFacts.Kind kind(long type) {
        if ((type & ClConstants.DEVICE_TYPE_GPU) != 0) {
            return DeviceFacts.Kind.GPU;
        }
        if ((type & ClConstants.DEVICE_TYPE_ACCELERATOR) != 0) {
            return DeviceFacts.Kind.ACCELERATOR;
        }
        return (type & ClConstants.DEVICE_TYPE_CPU) != 0 ? DeviceFacts.Kind.CPU : DeviceFacts.Kind.OTHER;
    }
}
