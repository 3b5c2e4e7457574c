package org.clinfer.importer.caffe;

/** Text of a file as messages may show it: short, and on one line. */
final class Printable {

    private static final int LONGEST = 200;

    private Printable() {}

    static String shortened(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(each -> {
            if (Character.isISOControl(each) || !Character.isDefined(each)) {
                shown.append(String.format("\\u%04x", each));
            } else {
                shown.appendCodePoint(each);
            }
        });
        return text.codePointCount(0, text.length()) > LONGEST
                ? shown.append('…').toString()
                : shown.toString();
    }
}
