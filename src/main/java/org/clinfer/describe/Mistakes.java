package org.clinfer.describe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with descriptions that are read together, in the order in which it is found. */
final class Mistakes {

    /** Those that are told, if they are not long. */
    private static final int MOST = 50;
    /** Characters of all that are told but the first. */
    private static final int LONGEST = 8000;

    private final Set<String> found = new LinkedHashSet<>();
    private int length;
    private boolean more;
    private int leftOut;

    /** Something that may fail. */
    interface Step {
        void run();
    }

    /** Adds a mistake; one that was found already, as in a variant with another setting, is told once. */
    void add(String mistake) {
        if (found.contains(mistake)) {
            return;
        }
        boolean fits = found.size() < MOST && length + mistake.length() <= LONGEST;
        if (found.isEmpty() || fits) {
            found.add(mistake);
            length += mistake.length();
        } else {
            more = true;
        }
    }

    void add(DescriptionException wrong) {
        wrong.mistakes().forEach(this::add);
    }

    /** Adds the mistake that ends a step. */
    void collect(Step step) {
        try {
            step.run();
        } catch (DescriptionException wrong) {
            add(wrong);
        }
    }

    /** Adds a mistake for which an object is left out of what is read. */
    void leaveOut(DescriptionException wrong) {
        leftOut++;
        add(wrong);
    }

    /** The number of mistakes so far for which objects are left out. */
    int leftOut() {
        return leftOut;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /**
     * Ends the reading of wrong descriptions.
     *
     * @throws DescriptionException if there is a mistake
     */
    void throwIfAny() {
        if (!isEmpty()) {
            throw DescriptionException.of(List.copyOf(found), more);
        }
    }
}
