package org.clinfer.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;

/** What one run of the command line ended with: the exit code and the lines of stdout and stderr. */
record Ran(int code, List<String> out, List<String> err) {

    static Ran clinfer(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] texts = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), texts);
        return new Ran(
                code, out.toString().lines().toList(), err.toString().lines().toList());
    }
}
