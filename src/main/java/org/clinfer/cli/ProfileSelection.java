package org.clinfer.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import picocli.CommandLine.Option;

/** The options of every command that takes device profiles. */
final class ProfileSelection {

    private static final String ANY = "*";

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE",
            description =
                    "A device profile of 'clinfer profiles', or an .ini file such as one of CANN's platform_config; with"
                            + " * all profiles of that name: 'ascend910*'. May be repeated.")
    private List<String> profiles = List.of();

    @Option(
            names = "--reading",
            paramLabel = "document|published|code",
            description = "Read restrictions as the vendor's page of the operator has them (default), as all that it"
                    + " publishes has them, or as its own checks do.")
    private Reading reading = Reading.DOCUMENT;

    /**
     * The profiles in the order given.
     *
     * @throws org.clinfer.profile.ProfileException if one is not there, or is malformed
     */
    List<DeviceProfile> profiles() {
        Map<String, DeviceProfile> found = new LinkedHashMap<>();
        for (String wanted : profiles) {
            for (DeviceProfile profile : wanted.contains(ANY) ? named(wanted) : List.of(find(wanted))) {
                found.put(profile.file(), profile);
            }
        }
        return List.copyOf(found.values());
    }

    private static DeviceProfile find(String wanted) {
        return ProfileCatalog.builtIn().find(wanted);
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
        return reading;
    }
}
