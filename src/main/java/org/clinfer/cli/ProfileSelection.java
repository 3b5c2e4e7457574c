package org.clinfer.cli;

import java.util.List;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import picocli.CommandLine.Option;

/** The options of every command that takes device profiles. */
final class ProfileSelection {

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE",
            description =
                    "A device profile of 'clinfer profiles', or an .ini file such as one of CANN's platform_config.")
    private List<String> profiles = List.of();

    @Option(
            names = "--reading",
            paramLabel = "document|code",
            description = "Read restrictions as the vendor's document has them (default), or as its own checks do.")
    private Reading reading = Reading.DOCUMENT;

    /**
     * The profiles in the order given.
     *
     * @throws org.clinfer.profile.ProfileException if one is not there, or is malformed
     */
    List<DeviceProfile> profiles() {
        return profiles.stream().map(ProfileCatalog.builtIn()::find).toList();
    }

    Reading reading() {
        return reading;
    }
}
