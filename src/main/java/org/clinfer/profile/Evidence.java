package org.clinfer.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ground on which a rule stands.
 *
 * @param kind the way in which it is known
 * @param sdk the vendor's tools, or the document, with their version
 * @param read the date of the document, or of its reading: a year, a month or a day of ISO 8601
 */
public record Evidence(Kind kind, Optional<String> sdk, Optional<String> read) {

    private static final Pattern DATE = Pattern.compile("\\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?");

    /** The way in which a restriction is known. */
    public enum Kind {
        /** The vendor's documents say it. */
        DOCUMENT,
        /** Published code of the vendor's tools tests it. */
        CODE,
        /** Others have measured it. */
        MEASURED,
        /** A program has tried it on the device. */
        PROBED;

        /** {@return the word in rule files and reports} */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Kind> of(String label) {
            return Arrays.stream(values())
                    .filter(kind -> kind.label().equals(label))
                    .findFirst();
        }

        static String labels() {
            return Arrays.stream(values()).map(Kind::label).collect(Collectors.joining(", "));
        }
    }

    static boolean isDate(String text) {
        return DATE.matcher(text).matches();
    }

    /** The kind, the version and the date, as far as they are known. */
    @Override
    public String toString() {
        return Stream.of(Optional.of(kind.label()), sdk, read)
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
    }
}
