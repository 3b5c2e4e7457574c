package org.clinfer.profile;

import java.util.Locale;

/**
 * Something to say of a profile.
 *
 * @param level how severe it is
 * @param line where, from 1; what is missing is said of the section where it belongs, or of the first line
 * @param key what about, as {@code Section.key}; empty where it is about a line or the whole file
 * @param message for people
 */
public record ProfileFinding(Level level, int line, String key, String message) {

    /** The severity of a finding. */
    public enum Level {
        /** The profile is wrong. */
        ERROR,
        /** It may be wrong, or rules cannot be decided with it. */
        WARNING,
        /** To be known. */
        NOTE;

        /** {@return the word in reports} */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
