package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The document for authors of descriptions names the functions there are, and no others. */
class DocumentedFunctionsTest {

    private static final Pattern CALL = Pattern.compile("`([a-z_]+)\\(");

    @Test
    void everyFunctionIsNamedAndNoOther() throws IOException {
        String text = Files.readString(Path.of("docs/descriptions.md"));
        String functions = text.substring(text.indexOf("| functions |"), text.indexOf("## Types"));
        Set<String> named = new TreeSet<>();
        Matcher call = CALL.matcher(functions);
        while (call.find()) {
            named.add(call.group(1));
        }

        assertThat(named).containsExactlyInAnyOrderElementsOf(Functions.names());
    }
}
