package org.clinfer.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as users write it: {@code 1048576}, {@code 1024K}, {@code 1M}. */
final class ByteCount implements ITypeConverter<Long> {

    private static final Pattern COUNT = Pattern.compile("([1-9][0-9]{0,17})([KMGkmg]?)");
    private static final String UNITS = "KMG";
    private static final int BITS = 10;

    @Override
    public Long convert(String text) {
        Matcher count = COUNT.matcher(text);
        if (!count.matches()) {
            throw new TypeConversionException("'" + text + "' is no number of bytes such as 500M or 2G");
        }
        String unit = count.group(2).toUpperCase(Locale.ROOT);
        int shift = unit.isEmpty() ? 0 : BITS * (UNITS.indexOf(unit) + 1);
        long number = Long.parseLong(count.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw new TypeConversionException("'" + text + "' is more than any memory");
        }
        return number << shift;
    }
}
