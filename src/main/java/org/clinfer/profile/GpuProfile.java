package org.clinfer.profile;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.GpuFigures;
import org.clinfer.expr.ExpressionValue;

/**
 * A GPU that Clinfer's own kernels run on, as its profile says: what a live device would answer (section {@code [OpenCL]},
 * the queries of {@code clGetDeviceInfo}), and its figures (section {@code [Speed]}).
 */
public final class GpuProfile {

    private static final String FACTS = "OpenCL";
    private static final String SPEED = "Speed";

    /** Extensions that profiles name as flags. */
    private static final Map<String, String> FLAGS = Map.of("fp64", "cl_khr_fp64", "fp16", "cl_khr_fp16");

    private final DeviceProfile profile;

    private GpuProfile(DeviceProfile profile) {
        this.profile = profile;
    }

    /**
     * {@return the facts of the device of a profile, with its figures}
     *
     * @param profile of a GPU
     * @throws ProfileException if a figure is missing or no number
     */
    public static DeviceFacts facts(DeviceProfile profile) {
        GpuProfile of = new GpuProfile(profile);
        return new DeviceFacts(
                        profile.title(),
                        profile.vendor(),
                        "",
                        "profile " + profile.name(),
                        "",
                        DeviceFacts.Kind.GPU,
                        of.extensions(),
                        of.limits())
                .withFigures(of.figures());
    }

    private Set<String> extensions() {
        Set<String> extensions = new HashSet<>();
        FLAGS.forEach((flag, extension) -> {
            boolean has = profile.figure(FACTS + "." + flag)
                    .filter(figure -> figure.value().equals("true"))
                    .isPresent();
            if (has) {
                extensions.add(extension);
            }
        });
        return extensions;
    }

    private Map<String, Long> limits() {
        Map<String, Long> limits = new HashMap<>();
        for (DeviceProfile.Figure figure : profile.figures().values()) {
            if (figure.section().equals(FACTS)
                    && DeviceProfile.value(figure.value()) instanceof ExpressionValue.Int number) {
                limits.put(figure.key(), number.value());
            }
        }
        return limits;
    }

    private GpuFigures figures() {
        try {
            return new GpuFigures(
                    (int) number("units"),
                    number("clock_hz"),
                    number("unit_multiply_adds"),
                    (long) number("unit_items"),
                    (long) number("unit_local_bytes"),
                    (long) number("unit_registers"),
                    (long) number("item_registers"),
                    number("unit_local_bytes_per_cycle"),
                    number("memory_bytes_per_second"),
                    number("latency_seconds"),
                    number("launch_seconds"));
        } catch (IllegalArgumentException wrong) {
            throw new ProfileException(profile.file() + ": [" + SPEED + "]: " + wrong.getMessage());
        }
    }

    private double number(String key) {
        DeviceProfile.Figure figure = profile.figure(SPEED + "." + key)
                .orElseThrow(() -> new ProfileException(profile.file() + ": [" + SPEED + "] has no '" + key + "'"));
        ExpressionValue value = DeviceProfile.value(figure.value());
        if (value instanceof ExpressionValue.Int whole) {
            return whole.value();
        }
        if (value instanceof ExpressionValue.Real real) {
            return real.value();
        }
        throw new ProfileException(profile.file() + ":" + figure.line() + ": " + key + ": expected a number, found '"
                + figure.value() + "'");
    }
}
