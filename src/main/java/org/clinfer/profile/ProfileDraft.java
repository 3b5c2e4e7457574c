package org.clinfer.profile;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.ExpressionValue;

/** Writes what a device reports of itself as a profile of the family {@code opencl}. */
public final class ProfileDraft {

    /** The family, whose keys are the queries of {@code clGetDeviceInfo}. */
    static final String FAMILY = "opencl";

    private static final String SECTION = "OpenCL";
    private static final int LONGEST = 200;

    private ProfileDraft() {}

    /**
     * {@return the text of the profile; what the device does not answer is left empty}
     *
     * @param device what a live device says of itself
     * @param catalog the families
     * @throws ProfileException if the catalogue has no such family
     */
    public static String of(DeviceFacts device, ProfileCatalog catalog) {
        RuleSet family = catalog.family(FAMILY)
                .orElseThrow(
                        () -> new ProfileException("there is no family '" + FAMILY + "', so a device has no profile"));
        Set<String> keys = new LinkedHashSet<>();
        for (DeviceProfile profile : catalog.profiles(family)) {
            profile.figures().values().stream()
                    .filter(figure -> figure.section().equals(SECTION))
                    .forEach(figure -> keys.add(figure.key()));
        }
        int width = keys.stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder("[" + SECTION + "]\n");
        for (String key : keys) {
            String value = figure(device, SECTION + "." + key)
                    .map(ExpressionValue::toString)
                    .orElse("");
            text.append((key + " ".repeat(width - key.length()) + " = " + value).strip())
                    .append('\n');
        }
        String title = line(device.name());
        text.append("\n[").append(DeviceProfile.OWN).append("]\n");
        text.append("family = ").append(FAMILY).append('\n');
        text.append("title  = ")
                .append(title.isEmpty() ? "OpenCL device" : title)
                .append('\n');
        text.append("vendor = ").append(line(device.vendor())).append('\n');
        text.append("source = ").append(source(device)).append('\n');
        return text.toString();
    }

    private static String source(DeviceFacts device) {
        List<String> facts = List.of(
                "platform " + line(device.platform()),
                "driver " + line(device.driver()),
                "OpenCL " + line(device.openclVersion()));
        return "the device's own answers to clGetDeviceInfo (" + String.join("; ", facts) + ")";
    }

    /** A text of the device as one line that is read back as it is. */
    private static String line(String text) {
        String clean = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        String cut = clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST);
        return cut.replaceAll("[\\\\\\s]+$", "");
    }

    /** The value of a figure by the device, as {@code Section.key}; empty where it says nothing. */
    static Optional<ExpressionValue> figure(DeviceFacts device, String figure) {
        if (!figure.startsWith(SECTION + ".")) {
            return Optional.empty();
        }
        String key = figure.substring(SECTION.length() + 1);
        return switch (key) {
            case "fp64" -> Optional.of(ExpressionValue.of(device.has("cl_khr_fp64")));
            case "fp16" -> Optional.of(ExpressionValue.of(device.has("cl_khr_fp16")));
            case "int64" ->
                Optional.of(ExpressionValue.of(device.limit("full_profile", 0) == 1 || device.has("cles_khr_int64")));
            default ->
                // Numbers above 2^63 are none that the device means.
                Optional.ofNullable(device.limits().get(key))
                        .filter(limit -> limit >= 0)
                        .map(limit -> ExpressionValue.of(limit.longValue()));
        };
    }
}
