package org.clinfer.opencl;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.device.DeviceFacts;

/** Drivers that are known not to work, or not as others do: an entry for what was seen, and in which versions. */
public final class KnownDrivers {

    /** {@code use} in this property takes refused devices all the same, to look into them. */
    static final String PROPERTY = "clinfer.opencl.refused";

    private static final String POCL = "Portable Computing Language";

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)");

    /**
     * Devices of a driver before a version.
     *
     * @param platform the beginning of the platform's name
     * @param device the beginning of the device's name
     * @param major the first version that is not meant
     * @param effect what the driver does, for a sentence: {@code its compiler …}
     */
    private record Entry(String platform, String device, int major, String effect) {
        boolean isOf(DeviceFacts facts) {
            Matcher version = VERSION.matcher(facts.driver());
            return facts.platform().startsWith(platform)
                    && facts.name().startsWith(device)
                    && version.find()
                    && Integer.parseInt(version.group(1)) < major;
        }
    }

    private static final List<Entry> REFUSED = List.of(new Entry(
            "rusticl", "llvmpipe", 23, "its compiler ends the process or takes all memory for some kernels; use PoCL"));

    private KnownDrivers() {}

    /** {@return whether kernels that read a part of a buffer see nothing of what others wrote in the buffer itself} */
    static boolean hidesWritesFromParts(DeviceFacts facts) {
        return isPocl(facts);
    }

    /**
     * {@return whether kernels are compiled when programs are asked for their binaries} PoCL compiles a kernel for the
     * work-group size of each launch. Asked for a program's binary it compiles every kernel of it once more, for any size,
     * which takes seconds; and it keeps what it compiled on disk by itself.
     *
     * @param facts the device
     */
    public static boolean compilesWhenAsked(DeviceFacts facts) {
        return isPocl(facts);
    }

    /**
     * {@return whether programs are built in threads of their own} A simulator keeps what it needs by thread.
     *
     * @param facts the device
     */
    public static boolean buildsInThreads(DeviceFacts facts) {
        return !facts.platform().contains("Oclgrind");
    }

    static boolean isPocl(DeviceFacts facts) {
        return facts.platform().startsWith(POCL);
    }

    /** The reason why a device is not used: one sentence with driver, version and effect. */
    static Optional<String> refusal(DeviceFacts facts) {
        return refusal(facts, SignalChain.isMissing());
    }

    /** The same of a process in which signals are chained or not. */
    static Optional<String> refusal(DeviceFacts facts, boolean isUnchained) {
        if (System.getProperty(PROPERTY, "").equals("use")) {
            return Optional.empty();
        }
        if (isUnchained && isPocl(facts)) {
            return Optional.of(
                    "device " + facts.name() + " of platform " + facts.platform() + " is not used: PoCL takes"
                            + " over signals that Java needs, and a division by zero in Java gives a number then; "
                            + SignalChain.remedy());
        }
        return REFUSED.stream()
                .filter(entry -> entry.isOf(facts))
                .map(entry -> "device " + facts.name() + " of platform " + facts.platform() + ", driver "
                        + facts.driver() + ", is not used: " + entry.effect())
                .findFirst();
    }
}
