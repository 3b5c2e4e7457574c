package org.clinfer.profile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.device.DeviceFacts;
import org.clinfer.profile.ProfileFinding.Level;

/**
 * The review of the file of a profile, of rules, or of a vocabulary.
 *
 * @param kind what is in it
 * @param file the file's name
 * @param family the family it belongs to; empty where that is not known
 * @param findings in the order of their lines; of each level the first hundred, and how many more
 */
public record ProfileReview(Kind kind, String file, String family, List<ProfileFinding> findings) {

    /** The contents of a file of {@code device-profiles}. */
    public enum Kind {
        /** A device profile. */
        PROFILE,
        /** The rules of a family of devices. */
        RULES,
        /** The words that rules are written in. */
        VOCABULARY
    }

    public ProfileReview {
        findings = List.copyOf(findings);
    }

    /** {@return whether nothing in it is wrong; there may be warnings and notes} */
    public boolean isSound() {
        return findings.stream().noneMatch(finding -> finding.level() == Level.ERROR);
    }

    /**
     * Looks through a file, whatever stands in it.
     *
     * @param file the file
     * @param catalog the families
     * @param operators the names of the operators that there are
     * @param device the device to hold the limits of a profile of the family {@code opencl} against; asked for where the
     *     file is one
     * @return everything that was found in it
     * @throws ProfileException if it cannot be read, is too large or is no text
     */
    public static ProfileReview of(
            Path file, ProfileCatalog catalog, Set<String> operators, Supplier<Optional<DeviceFacts>> device) {
        FindingList findings = new FindingList();
        String name = file.toString();
        IniFile ini = IniFile.parse(
                name, ProfileCatalog.text(file), (line, message) -> findings.add(Level.ERROR, line, "", () -> message));
        OwnSectionReview ownReview = new OwnSectionReview(catalog, findings);
        Optional<IniFile.Section> own = ownReview.sound(ini);
        Optional<DeviceProfile> profile =
                profile(catalog, new IniFile(name, ini.hash(), sound(ini, own, findings)), ownReview, findings);
        profile.ifPresent(found -> {
            FamilyKeys family = new FamilyKeys(found, catalog.profiles(found.rules()));
            own.ifPresent(section -> ownReview.against(found, section, operators));
            new KeyReview(found, ini, family, findings).review();
            LimitReview limits = new LimitReview(found, family, findings);
            limits.review();
            if (found.rules().family().equals(ProfileDraft.FAMILY)) {
                device.get()
                        .ifPresentOrElse(
                                limits::against,
                                () -> findings.add(
                                        Level.NOTE,
                                        1,
                                        "",
                                        () -> "there is no OpenCL device here to hold the limits against"));
            }
        });
        return new ProfileReview(
                Kind.PROFILE, name, profile.map(found -> found.rules().family()).orElse(""), findings.all());
    }

    /** The sections without what no profile can be made of. */
    private static List<IniFile.Section> sound(IniFile file, Optional<IniFile.Section> own, FindingList findings) {
        List<IniFile.Section> sections = new ArrayList<>();
        own.ifPresent(sections::add);
        for (IniFile.Section section : file.sections()) {
            if (section.name().equals(DeviceProfile.OWN)) {
                continue;
            }
            List<IniFile.Entry> entries = new ArrayList<>();
            for (IniFile.Entry entry : section.entries()) {
                if (DeviceProfile.isTooLong(entry.value())) {
                    findings.add(Level.ERROR, entry.line(), "", () -> "a list has too many values");
                } else {
                    entries.add(entry);
                }
            }
            sections.add(new IniFile.Section(section.name(), section.line(), entries));
        }
        return sections;
    }

    /** Empty where it is not known of which family it is; where the section of our own has said so, that is enough. */
    private static Optional<DeviceProfile> profile(
            ProfileCatalog catalog, IniFile file, OwnSectionReview own, FindingList findings) {
        try {
            return Optional.of(catalog.profile(file.name(), file));
        } catch (ProfileException unknown) {
            if (!own.hasRefusedFamily()) {
                findings.add(
                        Level.ERROR,
                        1,
                        "",
                        () -> "the family of the profile is not known: write [" + DeviceProfile.OWN
                                + "] with family = one of " + String.join(", ", catalog.familyNames()));
            }
            return Optional.empty();
        }
    }
}
