package org.clinfer.text;

import java.util.regex.Pattern;

/** The message of a JSON parser for people. */
public final class JsonFault {

    /** The tokens that may stand there instead, where a token begins, and which of the parser's methods gives a limit. */
    private static final Pattern INTERNALS =
            Pattern.compile("(: was expecting)? ?\\(JSON String(?:[^()]|\\([^()]*\\))*\\)"
                    + "| ?\\(start marker at \\[Source: .*\\]\\)"
                    + "|, from `Stream\\w*\\.\\w*\\(\\)`");

    private JsonFault() {}

    /**
     * The first line of a message, without what only programmers of the parser know.
     *
     * @param message as the parser has it
     */
    public static String of(String message) {
        return INTERNALS
                .matcher(message.lines().findFirst().orElse("malformed"))
                .replaceAll("");
    }
}
