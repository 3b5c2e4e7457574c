package org.clinfer.text;

/**
 * Text of a file as messages and terminals may show it: on one line, where what would move the cursor, end the line or turn
 * the reading order stands as its escape, such as {@code \}{@code u001b}. The escapes are those of JSON.
 */
public final class Printable {

    private static final int ESCAPE_LENGTH = 6;

    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_MESSAGE = 2000;

    private Printable() {}

    /**
     * {@return the whole text}
     *
     * @param text of any characters
     */
    public static String of(String text) {
        return upTo(Integer.MAX_VALUE, text);
    }

    /**
     * {@return a name or a value: its beginning where it is long}
     *
     * @param text of any characters
     */
    public static String shortened(String text) {
        return upTo(LONGEST_NAME, text);
    }

    /**
     * {@return a message that may have several names and values: its beginning where it is long}
     *
     * @param text of any characters
     */
    public static String message(String text) {
        return upTo(LONGEST_MESSAGE, text);
    }

    /** As many characters as are asked for, an escape being six of them; more of the text stands as an ellipsis. */
    private static String upTo(int longest, String text) {
        StringBuilder shown = new StringBuilder(Math.min(longest, text.length()));
        int count = 0;
        for (int at = 0; at < text.length(); at = text.offsetByCodePoints(at, 1)) {
            int each = text.codePointAt(at);
            boolean printable = isPrintable(each);
            count += printable ? 1 : ESCAPE_LENGTH;
            if (count > longest) {
                return shown.append('…').toString();
            }
            if (printable) {
                shown.appendCodePoint(each);
            } else {
                shown.append(String.format("\\u%04x", each));
            }
        }
        return shown.toString();
    }

    /** All that is not printable has four hexadecimal digits. */
    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                false;
            case Character.FORMAT -> !isDirection(character);
            default -> true;
        };
    }

    private static boolean isDirection(int character) {
        return (character >= 0x202A && character <= 0x202E)
                || (character >= 0x2066 && character <= 0x2069)
                || character == 0x200E
                || character == 0x200F
                || character == 0x061C;
    }
}
