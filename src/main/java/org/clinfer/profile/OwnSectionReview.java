package org.clinfer.profile;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.profile.ProfileFinding.Level;
import org.clinfer.text.Spelling;

/** Looks through the section {@code [clinfer]} of a profile. */
final class OwnSectionReview {

    private static final String OWN = DeviceProfile.OWN;

    private final ProfileCatalog catalog;
    private final FindingList findings;
    private boolean hasRefusedFamily;

    OwnSectionReview(ProfileCatalog catalog, FindingList findings) {
        this.catalog = catalog;
        this.findings = findings;
    }

    /** The section without what is wrong in it; empty where there is none. */
    Optional<IniFile.Section> sound(IniFile file) {
        List<IniFile.Section> own = file.sections().stream()
                .filter(section -> section.name().equals(OWN))
                .toList();
        own.stream()
                .skip(1)
                .forEach(again -> findings.add(
                        Level.ERROR,
                        again.line(),
                        "",
                        () -> "[" + OWN + "] stands in line " + own.get(0).line() + " already, which alone counts"));
        return own.stream().findFirst().map(this::sound);
    }

    private IniFile.Section sound(IniFile.Section section) {
        Set<String> seen = new HashSet<>();
        List<IniFile.Entry> entries = new ArrayList<>();
        boolean hasSource = false;
        for (IniFile.Entry entry : section.entries()) {
            Optional<String> wrong = wrong(entry);
            if (wrong.isPresent()) {
                error(entry, wrong.get());
            } else if (!seen.add(entry.key())) {
                error(entry, "'" + entry.key() + "' is given twice");
            } else {
                entries.add(entry);
                hasSource |= entry.key().startsWith("source") && !entry.value().isEmpty();
            }
        }
        if (!hasSource) {
            findings.add(
                    Level.NOTE, section.line(), OWN + ".source", () -> "it is not said where the figures come from");
        }
        return new IniFile.Section(OWN, section.line(), entries);
    }

    /** Tells whether the section that was looked through names a family that there is not. */
    boolean hasRefusedFamily() {
        return hasRefusedFamily;
    }

    private void error(IniFile.Entry entry, String message) {
        findings.add(Level.ERROR, entry.line(), OWN + "." + cut(entry.key()), () -> message);
    }

    private static String cut(String key) {
        return key.length() <= 60 ? key : key.substring(0, 60) + "…";
    }

    private Optional<String> wrong(IniFile.Entry entry) {
        String key = entry.key();
        if (!DeviceProfile.OWN_KEYS.contains(key) && !key.startsWith("source.")) {
            Set<String> known = new TreeSet<>(DeviceProfile.OWN_KEYS);
            known.remove("source.");
            return Optional.of("[" + OWN + "] has no key " + IniFile.shown(key) + ", only " + String.join(", ", known)
                    + " and source.Section.key" + Spelling.question(key, known));
        }
        String value = entry.value();
        if (key.equals("family") && !value.isEmpty() && catalog.family(value).isEmpty()) {
            hasRefusedFamily = true;
            List<String> families = catalog.familyNames();
            return Optional.of("there is no family " + IniFile.shown(value) + ", only " + String.join(", ", families)
                    + Spelling.question(value, families));
        }
        if (key.equals("reading") && !value.isEmpty() && Reading.of(value).isEmpty()) {
            return Optional.of("expected one of " + Reading.labels() + ", found " + IniFile.shown(value)
                    + Spelling.question(value, List.of(Reading.labels().split(", ", -1))));
        }
        return Optional.empty();
    }

    /** The entries that need the rest of the profile: the operators it runs, and sources of single figures. */
    void against(DeviceProfile profile, IniFile.Section own, Set<String> operators) {
        Set<String> known = new TreeSet<>(catalog.vocabulary().kinds());
        known.addAll(operators);
        for (IniFile.Entry entry : own.entries()) {
            if (entry.key().equals("operators")) {
                for (String item : entry.value().split(",", -1)) {
                    String name = item.strip();
                    if (!entry.value().isBlank() && !known.contains(name)) {
                        findings.add(
                                Level.ERROR,
                                entry.line(),
                                OWN + ".operators",
                                () -> name.isEmpty()
                                        ? "there is a comma too many"
                                        : IniFile.shown(name) + " is neither a kind of operators nor an operator"
                                                + Spelling.question(name, known));
                    }
                }
            }
            String figure = entry.key().startsWith("source.") ? entry.key().substring("source.".length()) : "";
            if (!figure.isEmpty() && profile.figure(figure).isEmpty()) {
                findings.add(
                        Level.WARNING,
                        entry.line(),
                        OWN + "." + cut(entry.key()),
                        () -> "the profile has no figure " + IniFile.shown(figure)
                                + Spelling.question(figure, profile.figures().keySet()));
            }
        }
    }
}
