package org.clinfer.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Amount {

    private static final String[] BYTES = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final String[] COUNTS = {"k", "M", "G", "T", "P", "E"};

    private Amount() {}

    /** As {@code 512 bytes} or {@code 1.5 MiB}. */
    static String bytes(long bytes) {
        return bytes < 1024 ? bytes + (bytes == 1 ? " byte" : " bytes") : scaled(bytes, 1024, BYTES);
    }

    /** As {@code 512} or {@code 1.5 G}. */
    static String count(long count) {
        return count < 1000 ? Long.toString(count) : scaled(count, 1000, COUNTS);
    }

    /** As {@code 87 %}; rounded down, so that only all is 100. */
    static String percent(long part, long whole) {
        return whole == 0 ? "100 %" : (long) Math.floor(part * 100.0 / whole) + " %";
    }

    private static String scaled(long amount, int step, String[] units) {
        double value = amount;
        int unit = -1;
        while (unit + 1 < units.length && value >= step - 0.5) {
            value /= step;
            unit++;
        }
        return String.format(Locale.ROOT, value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    }
}
