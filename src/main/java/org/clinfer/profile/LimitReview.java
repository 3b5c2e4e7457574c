package org.clinfer.profile;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.profile.DeviceProfile.Figure;
import org.clinfer.profile.ProfileFinding.Level;

/** Holds the figures of a profile against each other, and against a device. */
final class LimitReview {

    private final DeviceProfile profile;
    private final FamilyKeys family;
    private final FindingList findings;

    LimitReview(DeviceProfile profile, FamilyKeys family, FindingList findings) {
        this.profile = profile;
        this.family = family;
        this.findings = findings;
    }

    void review() {
        OptionalLong memory = profile.memory();
        profile.figures().forEach((key, figure) -> {
            if (family.isOurs(key)) {
                number(figure).ifPresent(number -> {
                    negative(key, figure, number);
                    still(key, figure, number);
                    range(figure, number);
                    memory.ifPresent(bytes -> part(key, figure, number, bytes));
                });
            }
        });
    }

    private static Optional<Double> number(Figure figure) {
        ExpressionValue value = DeviceProfile.value(figure.value());
        if (value instanceof ExpressionValue.Int whole) {
            return Optional.of((double) whole.value());
        }
        return value instanceof ExpressionValue.Real real ? Optional.of(real.value()) : Optional.empty();
    }

    private static boolean isNegative(ExpressionValue value) {
        if (value instanceof ExpressionValue.Int whole) {
            return whole.value() < 0;
        }
        return value instanceof ExpressionValue.Real real && real.value() < 0;
    }

    private void negative(String key, Figure figure, double number) {
        boolean mayBe = family.values(key).stream().anyMatch(LimitReview::isNegative);
        if (number < 0 && !mayBe) {
            findings.add(
                    Level.ERROR,
                    figure.line(),
                    key,
                    () -> "'" + figure.key() + "' cannot be negative, but is " + figure.value());
        }
    }

    /** A clock or a rate of nothing leaves every time unknown without a word. */
    private void still(String key, Figure figure, double number) {
        if (number == 0 && (key.endsWith("_hz") || key.endsWith("_per_second"))) {
            findings.add(
                    Level.ERROR,
                    figure.line(),
                    key,
                    () -> "'" + figure.key() + "' must be more than 0; one that is not known is left empty");
        }
    }

    /** A key with the word {@code min} may have a neighbour with {@code max} in its place. */
    private void range(Figure least, double number) {
        String[] words = least.key().split("_", -1);
        if (!Arrays.asList(words).contains("min")) {
            return;
        }
        Arrays.setAll(words, i -> words[i].equals("min") ? "max" : words[i]);
        String neighbour = least.section() + "." + String.join("_", words);
        profile.figure(neighbour)
                .ifPresent(most -> number(most).ifPresent(highest -> {
                    if (number > highest) {
                        findings.add(
                                Level.ERROR,
                                least.line(),
                                least.section() + "." + least.key(),
                                () -> "'" + least.key() + "' is " + least.value() + ", above '" + most.key()
                                        + "', which is " + most.value());
                    }
                }));
    }

    /** Sizes, apart from those of images, are bytes of the device's memory, or of a smaller one. */
    private void part(String key, Figure figure, double number, long memory) {
        boolean isSize = figure.key().endsWith("_size") || figure.key().endsWith("_bytes");
        if (isSize && !figure.key().startsWith("image") && !family.memory().contains(key) && number > memory) {
            findings.add(
                    Level.ERROR,
                    figure.line(),
                    key,
                    () -> "'" + figure.key() + "' is " + figure.value() + ", more than the whole memory of " + memory
                            + " bytes (" + String.join(", ", family.memory()) + ")");
        }
    }

    /** Figures beyond what a device reports of itself. */
    void against(DeviceFacts device) {
        profile.figures()
                .forEach((key, figure) -> ProfileDraft.figure(device, key)
                        .filter(reported -> isBeyond(DeviceProfile.value(figure.value()), reported))
                        .ifPresent(reported -> findings.add(
                                Level.WARNING,
                                figure.line(),
                                key,
                                () -> "'" + figure.key() + "' is " + IniFile.shown(figure.value())
                                        + ", but the device attached, " + device.name() + ", reports " + reported)));
    }

    private static boolean isBeyond(ExpressionValue stated, ExpressionValue reported) {
        if (stated instanceof ExpressionValue.Int limit && reported instanceof ExpressionValue.Int most) {
            return limit.value() > most.value();
        }
        return stated instanceof ExpressionValue.Bool has
                && has.value()
                && reported instanceof ExpressionValue.Bool real
                && !real.value();
    }
}
