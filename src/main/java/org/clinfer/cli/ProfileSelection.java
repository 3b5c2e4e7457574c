package org.clinfer.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.ProfileException;
import org.clinfer.profile.ProfileFinding;
import org.clinfer.profile.ProfileReview;
import org.clinfer.profile.Reading;
import org.clinfer.profile.RuleFileReview;
import org.clinfer.tensor.DType;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command that takes device profiles. */
final class ProfileSelection {

    private static final String ANY = "*";

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE",
            description =
                    "A device profile of 'clinfer profiles', or an .ini file such as one of CANN's platform_config; with"
                            + " * all profiles of that name: 'ascend910*'. May be repeated. Where networks run, nodes are judged as"
                            + " the file has them, as 'clinfer check --as-written' does, and each by itself: 'clinfer check' alone"
                            + " says whether a limit that all share, such as a memory of weights, is kept.")
    private List<String> profiles = List.of();

    @Option(
            names = "--reading",
            paramLabel = "document|published|code",
            description = "Read restrictions as the vendor's page of the operator has them (default), as all that it"
                    + " publishes has them, or as its own checks do.")
    private Optional<Reading> reading = Optional.empty();

    @Option(
            names = "--lenient",
            description =
                    "Use a profile in a file of your own, or rules in a folder of your own, even if 'clinfer profiles"
                            + " --validate' finds errors in them.")
    private boolean lenient;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    private Optional<List<DeviceProfile>> known = Optional.empty();

    /** The files of profiles that a pattern named, and nothing else. */
    private final Set<String> named = new HashSet<>();

    /**
     * The profiles in the order given.
     *
     * @throws org.clinfer.profile.ProfileException if one is not there, or is malformed
     */
    List<DeviceProfile> profiles() {
        if (known.isEmpty()) {
            requireUse();
            if (!profiles.isEmpty()) {
                ProfileCatalog.ownFolder().ifPresent(this::requireSoundRules);
            }
            Map<String, DeviceProfile> found = new LinkedHashMap<>();
            for (String wanted : profiles) {
                boolean isPattern = wanted.contains(ANY);
                for (DeviceProfile profile : isPattern ? named(wanted) : List.of(find(wanted))) {
                    if (!isPattern) {
                        named.remove(profile.file());
                    } else if (!found.containsKey(profile.file())) {
                        named.add(profile.file());
                    }
                    found.put(profile.file(), profile);
                }
            }
            known = Optional.of(List.copyOf(found.values()));
        }
        return known.get();
    }

    /**
     * The same without those that only a pattern named and whose networks are never quantized or converted to a type; a line
     * on stderr says which.
     *
     * @throws UsageException if none is left of some
     */
    List<DeviceProfile> profiles(DType asked) {
        List<DeviceProfile> all = profiles();
        List<DeviceProfile> taking = all.stream()
                .filter(profile ->
                        !named.contains(profile.file()) || profile.rules().takes(asked))
                .toList();
        if (taking.isEmpty() && !all.isEmpty()) {
            throw new UsageException("none of the profiles that were named takes networks of " + asked);
        }
        if (taking.size() < all.size()) {
            command.commandLine()
                    .getErr()
                    .println("clinfer: left out, as networks for them are not of " + asked + ": "
                            + all.stream()
                                    .filter(profile -> !taking.contains(profile))
                                    .map(DeviceProfile::name)
                                    .collect(Collectors.joining(", ")));
        }
        return taking;
    }

    /**
     * One profile, by its name or its file.
     *
     * @throws ProfileException if it is not there, is malformed, or has errors and is not taken leniently
     */
    DeviceProfile find(String wanted) {
        ProfileCatalog catalog = ProfileCatalog.builtIn();
        if (catalog.isKnown(wanted)) {
            return catalog.find(wanted);
        }
        DeviceProfile profile = catalog.find(wanted);
        ProfileReview review =
                ProfileReview.of(Path.of(wanted), catalog, ProfileValidation.operators(), Optional::empty);
        requireSound(review);
        return profile;
    }

    /** @throws ProfileException if it has errors and is not taken leniently */
    private void requireSound(ProfileReview review) {
        if (review.isSound()) {
            return;
        }
        String errors = errors(review);
        if (!lenient) {
            throw new ProfileException(errors + "; 'clinfer profiles --validate " + review.file()
                    + "' shows all, --lenient uses it all the same");
        }
        command.commandLine().getErr().println("clinfer: used with errors: " + errors);
    }

    /** Without a profile nothing would be read or taken leniently. */
    private void requireUse() {
        if (profiles.isEmpty() && (reading.isPresent() || lenient)) {
            throw new UsageException(
                    (lenient ? "--lenient" : "--reading") + " is for device profiles: give one with --profile");
        }
    }

    /** Those of a folder of one's own; the shipped ones are known to be sound. */
    private void requireSoundRules(Path folder) {
        RuleFileReview.ofFolder(folder, ProfileCatalog.builtIn(), ProfileValidation.operatorNames())
                .forEach(this::requireSound);
    }

    private static String errors(ProfileReview review) {
        List<ProfileFinding> errors = review.findings().stream()
                .filter(finding -> finding.level() == ProfileFinding.Level.ERROR)
                .toList();
        ProfileFinding first = errors.get(0);
        int more = errors.size() - 1;
        return review.file() + ":" + first.line() + ": " + first.message()
                + (more == 0 ? "" : "; and " + more + " more");
    }

    private static List<DeviceProfile> named(String pattern) {
        String regex = Arrays.stream(pattern.toLowerCase(Locale.ROOT).split(Pattern.quote(ANY), -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
        List<DeviceProfile> named = ProfileCatalog.builtIn().profiles().stream()
                .filter(profile -> profile.name().matches(regex))
                .toList();
        if (named.isEmpty()) {
            throw new UsageException("there is no profile '" + pattern + "'; 'clinfer profiles' lists them");
        }
        return named;
    }

    Reading reading() {
        return reading.orElse(Reading.DOCUMENT);
    }
}
