package org.clinfer.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.clinfer.profile.ProfileFinding.Level;

/** Findings as they are made; of each level the first hundred are kept and the others counted. */
final class FindingList {

    private static final int MOST = 100;

    /** The findings that were not kept. */
    private record Left(int count, int firstLine) {}

    private final List<ProfileFinding> kept = new ArrayList<>();
    private final Map<Level, Integer> counts = new EnumMap<>(Level.class);
    private final Map<Level, Left> left = new EnumMap<>(Level.class);

    /** @param message asked for where the finding is kept */
    void add(Level level, int line, String key, Supplier<String> message) {
        int count = counts.merge(level, 1, Integer::sum);
        if (count <= MOST) {
            kept.add(new ProfileFinding(level, line, printable(key), printable(message.get())));
        } else {
            left.merge(level, new Left(1, line), (old, one) -> new Left(old.count() + 1, old.firstLine()));
        }
    }

    /** Names from a file may hold anything, also what would move the cursor. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /** In the order of their lines. */
    List<ProfileFinding> all() {
        List<ProfileFinding> all = new ArrayList<>(kept);
        left.forEach((level, rest) -> all.add(new ProfileFinding(
                level,
                rest.firstLine(),
                "",
                "and " + rest.count() + " more of this level, from here on, that are not shown")));
        all.sort(Comparator.comparingInt(ProfileFinding::line).thenComparing(ProfileFinding::level));
        return all;
    }
}
