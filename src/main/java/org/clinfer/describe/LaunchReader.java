package org.clinfer.describe;

import java.util.List;
import java.util.regex.Pattern;
import org.clinfer.expr.Expr;

/** Reads the kernel launches of a variant. */
final class LaunchReader {

    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_./-]*\\.cl");

    private LaunchReader() {}

    static LaunchDescription launch(JsonReader json) {
        String kernel = json.decisiveText("kernel");
        int hash = kernel.indexOf('#');
        String file = hash < 0 ? "" : kernel.substring(0, hash);
        String entry = kernel.substring(hash + 1);
        boolean wellFormed = FILE.matcher(file).matches() && !file.contains("..") && JsonReader.isName(entry);
        if (!wellFormed) {
            throw json.failureAt("kernel", "expected folder/file.cl#entry, found '" + kernel + "'");
        }
        List<Expr> global = json.expressions("global");
        List<Expr> local = json.expressions("local");
        if (global.isEmpty() || global.size() > 3) {
            throw json.failureAt("global", "expected one to three sizes, found " + global.size());
        }
        if (!local.isEmpty() && local.size() != global.size()) {
            throw json.failureAt("local", "expected " + global.size() + " sizes as in global, found " + local.size());
        }
        return new LaunchDescription(
                file,
                entry,
                json.namedExpressions("build"),
                json.namedExpressions("args"),
                global,
                local,
                json.text("each", ""),
                json.expression("when"));
    }
}
