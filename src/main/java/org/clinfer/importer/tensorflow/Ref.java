package org.clinfer.importer.tensorflow;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One output of a node, as inputs name it: {@code name} or {@code name:1}. */
record Ref(String node, int port) {

    private static final Pattern FORM = Pattern.compile("([^:^][^:]*)(?::([0-9]{1,6}))?");

    /** The output that an input names; empty if it is not of this form. */
    static Optional<Ref> parse(String input) {
        Matcher matcher = FORM.matcher(input);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String port = matcher.group(2);
        return Optional.of(new Ref(matcher.group(1), port == null ? 0 : Integer.parseInt(port)));
    }

    /** The name as TensorFlow writes it, without the number of the first output. */
    @Override
    public String toString() {
        return port == 0 ? node : node + ":" + port;
    }
}
