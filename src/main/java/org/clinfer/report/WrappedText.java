package org.clinfer.report;

import java.util.ArrayList;
import java.util.List;

/** Text in lines of a width, parted between words. */
public final class WrappedText {

    private static final int INDENT = 4;

    private WrappedText() {}

    /** The lines of one line; those that follow the first are indented by four more than it is. */
    public static List<String> lines(String line, int width) {
        int blanks = line.length() - line.stripLeading().length();
        return lines(line, width, " ".repeat(Math.min(blanks + INDENT, width / 2)));
    }

    /**
     * The lines of a text.
     *
     * @param width the largest number of characters of a line, more than those of the indent
     * @param indent begins each line but the first, in front of the blanks that the text begins with
     */
    static List<String> lines(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        int blanks = text.length() - text.stripLeading().length();
        String rest = text.stripTrailing();
        String begin = "";
        String others = indent.isEmpty() && blanks < width / 2 ? " ".repeat(blanks) : indent;
        while (begin.length() + rest.length() > width) {
            int room = width - begin.length();
            int end = end(rest, room, lines.isEmpty() ? blanks : 0);
            lines.add(begin + rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
            begin = others;
        }
        lines.add(begin + rest);
        return lines;
    }

    /** The place where a line ends: behind the last word that has room, else within a word. */
    private static int end(String text, int room, int blanks) {
        int blank = text.lastIndexOf(' ', room);
        if (blank > blanks) {
            return blank;
        }
        for (int at = room; at > Math.max(blanks, room / 2); at--) {
            if (",;:/_|=".indexOf(text.charAt(at - 1)) >= 0) {
                return at;
            }
        }
        boolean pair = Character.isLowSurrogate(text.charAt(room)) && Character.isHighSurrogate(text.charAt(room - 1));
        return pair && room > 1 ? room - 1 : room;
    }
}
