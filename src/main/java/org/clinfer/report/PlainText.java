package org.clinfer.report;

/**
 * Texts from a model on one line: what would move the cursor, end the line or turn the reading order is written out.
 */
final class PlainText {

    private PlainText() {}

    /** The text with such characters as their escapes, such as {@code \}{@code u001b}. */
    static String of(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            if (isPlain(character)) {
                plain.appendCodePoint(character);
            } else {
                plain.append(String.format("\\u%04x", character));
            }
        });
        return plain.toString();
    }

    private static boolean isPlain(int character) {
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
