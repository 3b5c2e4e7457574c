package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.profile.DeviceProfile.Figure;
import org.clinfer.profile.ProfileFinding.Level;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Profiles with one slip of the pen, at random: each is an error in its line, with the word that was meant. */
class DamagedProfilesTest {

    private static final int PROFILES = 200;
    private static final ProfileCatalog CATALOG = ProfileCatalog.builtIn();
    private static final Set<String> OPERATORS =
            OpCatalog.builtIn().operators().stream().map(OpDescription::optype).collect(Collectors.toSet());

    @TempDir
    Path folder;

    /** A change of one line. */
    private enum Damage {
        KEY,
        SECTION,
        NUMBER,
        FAMILY
    }

    static Stream<Integer> seeds() {
        return IntStream.range(0, PROFILES).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSlipIsFoundInItsLine(int seed) throws IOException {
        Random random = new Random(seed);
        List<DeviceProfile> own = CATALOG.profiles().stream()
                .filter(profile -> !profile.rules().hasVendorFiles())
                .filter(profile -> !profile.figures().isEmpty())
                .toList();
        DeviceProfile profile = own.get(random.nextInt(own.size()));
        List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("device-profiles", profile.file())));
        Damage damage = Damage.values()[random.nextInt(Damage.values().length)];
        Optional<Slip> slip = slip(damage, profile, lines, random).or(() -> slip(Damage.KEY, profile, lines, random));
        Path file = Files.write(folder.resolve("damaged.ini"), lines);
        ProfileReview review = ProfileReview.of(file, CATALOG, OPERATORS, Optional::empty);
        assertThat(review.isSound())
                .as("%s of %s, %s", damage, profile.file(), slip)
                .isFalse();
        assertThat(review.findings())
                .as("%s of %s, %s", damage, profile.file(), slip)
                .anyMatch(finding -> finding.level() == Level.ERROR
                        && finding.line() == slip.orElseThrow().line
                        && finding.message().contains(slip.orElseThrow().meant));
    }

    /** @param meant what the message must have */
    private record Slip(int line, String meant) {}

    private static Optional<Slip> slip(Damage damage, DeviceProfile profile, List<String> lines, Random random) {
        List<Figure> figures = List.copyOf(profile.figures().values());
        Figure figure = figures.get(random.nextInt(figures.size()));
        int at = figure.line() - 1;
        switch (damage) {
            case KEY -> {
                lines.set(at, lines.get(at).replaceFirst(figure.key(), misspelt(figure.key(), random)));
                return Optional.of(new Slip(figure.line(), "'" + figure.key() + "'"));
            }
            case SECTION -> {
                int head = lines.indexOf("[" + figure.section() + "]");
                lines.set(head, "[" + misspelt(figure.section(), random) + "]");
                return Optional.of(new Slip(head + 1, "'" + figure.section() + "'"));
            }
            case NUMBER -> {
                if (!figure.value().matches("[0-9]+")) {
                    return Optional.empty();
                }
                lines.set(at, figure.key() + " = " + figure.value() + " KiB");
                return Optional.of(new Slip(figure.line(), "a number"));
            }
            case FAMILY -> {
                String family = profile.rules().family();
                int line = IntStream.range(0, lines.size())
                        .filter(i -> lines.get(i).matches("family\\s*=.*"))
                        .findFirst()
                        .orElse(-1);
                if (line < 0 || family.length() < 4) {
                    return Optional.empty();
                }
                lines.set(line, "family = " + misspelt(family, random));
                return Optional.of(new Slip(line + 1, "'" + family + "'"));
            }
        }
        throw new IllegalStateException("no such damage");
    }

    /** Two letters change places, which are not the same; where there are none, one is left out. */
    static String misspelt(String word, Random random) {
        int from = random.nextInt(word.length());
        for (int i = 0; i < word.length() - 1; i++) {
            int at = (from + i) % (word.length() - 1);
            if (Character.toLowerCase(word.charAt(at)) != Character.toLowerCase(word.charAt(at + 1))) {
                String swapped = word.substring(0, at) + word.charAt(at + 1) + word.charAt(at) + word.substring(at + 2);
                if (!swapped.toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT))) {
                    return swapped;
                }
            }
        }
        return word.substring(1);
    }
}
