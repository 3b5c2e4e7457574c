package org.clinfer.robustness;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Damages JSON documents: single values are replaced by others of the document or by odd ones. */
final class JsonMutator {

    private static final Pattern VALUE =
            Pattern.compile("(?<=[:,\\[]|[:,] )(-?[0-9][0-9.E-]*|\"[^\"]*\"|true|false|null)");

    private static final List<String> ODD = List.of(
            "0",
            "-1",
            "1",
            "2",
            "3",
            "1.5",
            "-0.0",
            "1e308",
            "4294967296",
            "9223372036854775807",
            "-9223372036854775808",
            "99999999999999999999",
            "true",
            "null",
            "[]",
            "{}",
            "\"\"",
            "\"NaN\"",
            "\"x\"");

    private final List<String> values;

    /** @param more values that mean something in the kind of document */
    JsonMutator(List<String> more) {
        values = Stream.concat(ODD.stream(), more.stream()).toList();
    }

    /** A document with one to three values changed. */
    byte[] change(byte[] document, Random random) {
        String text = new String(document, StandardCharsets.UTF_8);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            List<MatchResult> found = VALUE.matcher(text).results().toList();
            MatchResult at = found.get(random.nextInt(found.size()));
            MatchResult other = found.get(random.nextInt(found.size()));
            String value = random.nextInt(3) == 0 ? other.group() : values.get(random.nextInt(values.size()));
            text = text.substring(0, at.start()) + value + text.substring(at.end());
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
