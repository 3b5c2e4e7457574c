package org.clinfer.cli.image;

import java.awt.image.BufferedImage;
import java.util.Locale;
import java.util.Map;

/**
 * Letters of 3 by 5 dots, drawn without the fonts of the system, which a small board may not have. Small letters look
 * like capitals; what is not in the table is a blank.
 */
final class TinyFont {

    private static final int COLUMNS = 3;
    private static final int ROWS = 5;

    /** Five rows of three dots each, one octal digit a row. */
    private static final Map<Character, String> DOTS = Map.ofEntries(
            Map.entry('A', "25755"),
            Map.entry('B', "65656"),
            Map.entry('C', "34443"),
            Map.entry('D', "65556"),
            Map.entry('E', "74647"),
            Map.entry('F', "74644"),
            Map.entry('G', "34553"),
            Map.entry('H', "55755"),
            Map.entry('I', "72227"),
            Map.entry('J', "11152"),
            Map.entry('K', "55655"),
            Map.entry('L', "44447"),
            Map.entry('M', "57755"),
            Map.entry('N', "65555"),
            Map.entry('O', "25552"),
            Map.entry('P', "65644"),
            Map.entry('Q', "25573"),
            Map.entry('R', "65655"),
            Map.entry('S', "34216"),
            Map.entry('T', "72222"),
            Map.entry('U', "55557"),
            Map.entry('V', "55552"),
            Map.entry('W', "55775"),
            Map.entry('X', "55255"),
            Map.entry('Y', "55222"),
            Map.entry('Z', "71247"),
            Map.entry('0', "75557"),
            Map.entry('1', "26227"),
            Map.entry('2', "61247"),
            Map.entry('3', "61216"),
            Map.entry('4', "55711"),
            Map.entry('5', "74616"),
            Map.entry('6', "34757"),
            Map.entry('7', "71244"),
            Map.entry('8', "75757"),
            Map.entry('9', "75716"),
            Map.entry('.', "00002"),
            Map.entry('-', "00700"),
            Map.entry('%', "51245"));

    private TinyFont() {}

    /** Height of a line in pixels. */
    static int height(int scale) {
        return ROWS * scale;
    }

    /** Width of a text in pixels. */
    static int width(String text, int scale) {
        return text.length() * (COLUMNS + 1) * scale;
    }

    /** Draws a text with its upper left corner at {@code left, top}; dots outside the picture are left out. */
    static void draw(BufferedImage image, String text, int left, int top, int scale) {
        String capitals = text.toUpperCase(Locale.ROOT);
        for (int i = 0; i < capitals.length(); i++) {
            String dots = DOTS.getOrDefault(capitals.charAt(i), "00000");
            for (int dot = 0; dot < ROWS * COLUMNS; dot++) {
                int bits = dots.charAt(dot / COLUMNS) - '0';
                if ((bits >> (COLUMNS - 1 - dot % COLUMNS) & 1) == 1) {
                    int x = left + (i * (COLUMNS + 1) + dot % COLUMNS) * scale;
                    fill(image, x, top + dot / COLUMNS * scale, scale, 0xffffff);
                }
            }
        }
    }

    /** Paints a square; what is outside the picture is left out. */
    static void fill(BufferedImage image, int left, int top, int side, int colour) {
        for (int y = Math.max(0, top); y < Math.min(image.getHeight(), top + side); y++) {
            for (int x = Math.max(0, left); x < Math.min(image.getWidth(), left + side); x++) {
                image.setRGB(x, y, colour);
            }
        }
    }
}
