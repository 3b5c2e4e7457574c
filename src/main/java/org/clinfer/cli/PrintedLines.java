package org.clinfer.cli;

import java.io.PrintWriter;
import java.io.Writer;

/** A document that is printed line by line as it is written, as other output of commands is. */
final class PrintedLines extends Writer {

    private final PrintWriter out;
    private final StringBuilder line = new StringBuilder();

    PrintedLines(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void write(char[] text, int from, int length) {
        int start = from;
        for (int i = from; i < from + length; i++) {
            if (text[i] == '\n') {
                line.append(text, start, i - start);
                print();
                start = i + 1;
            }
        }
        line.append(text, start, from + length - start);
    }

    private void print() {
        int end = line.length();
        if (end > 0 && line.charAt(end - 1) == '\r') {
            line.setLength(end - 1);
        }
        out.println(line.toString());
        line.setLength(0);
    }

    @Override
    public void flush() {
        out.flush();
    }

    /** Prints what is left; the output stays open. */
    @Override
    public void close() {
        if (line.length() > 0) {
            print();
        }
    }
}
