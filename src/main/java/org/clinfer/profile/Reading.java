package org.clinfer.profile;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The reading of a vendor's restrictions where what is published and the vendor's own checks differ. */
public enum Reading {
    /** The published page of the operator alone, with its evident misprints corrected. */
    DOCUMENT,
    /** All that the vendor publishes: the operator's page, general pages, and the prototypes of its operators. */
    PUBLISHED,
    /** The behaviour of the vendor's own checks. */
    CODE;

    /** {@return the word in files and on the command line} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The reading of this word. */
    static Optional<Reading> of(String label) {
        return Arrays.stream(values())
                .filter(reading -> reading.label().equals(label))
                .findFirst();
    }

    /** The words of all. */
    static String labels() {
        return Arrays.stream(values()).map(Reading::label).collect(Collectors.joining(", "));
    }

    /**
     * {@return the words of some readings; empty for all of them}
     *
     * @param readings the readings
     */
    public static String label(Collection<Reading> readings) {
        Set<Reading> said = EnumSet.noneOf(Reading.class);
        said.addAll(readings);
        if (said.size() == values().length) {
            return "";
        }
        return said.stream().map(Reading::label).collect(Collectors.joining(", "));
    }
}
