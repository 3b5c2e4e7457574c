package org.clinfer.generate;

import java.util.Locale;
import java.util.Set;
import javax.lang.model.SourceVersion;

/** Java names for the names of descriptions. */
final class JavaNames {

    /** Methods that every object or every builder has. */
    private static final Set<String> TAKEN = Set.of(
            "getClass",
            "hashCode",
            "equals",
            "toString",
            "notify",
            "notifyAll",
            "wait",
            "clone",
            "finalize",
            "named",
            "self",
            "param",
            "input",
            "inputs",
            "supplier",
            "output",
            "outputs",
            "constant",
            "build",
            "direct",
            "op",
            "ops");

    private JavaNames() {}

    /** {@code kernel_size} as {@code kernelSize}, {@code Conv2d} as {@code conv2d}; a name that is taken ends in Value. */
    static String member(String name) {
        String type = type(name);
        String member = type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
        return SourceVersion.isKeyword(member) || TAKEN.contains(member) ? member + "Value" : member;
    }

    /** {@code pad_mode} as {@code PadMode}. */
    static String type(String name) {
        StringBuilder type = new StringBuilder();
        for (String part : name.split("_", -1)) {
            if (!part.isEmpty()) {
                type.append(part.substring(0, 1).toUpperCase(Locale.ROOT)).append(part.substring(1));
            }
        }
        return type.toString();
    }

    /** {@code half_pixel} as {@code HALF_PIXEL}. */
    static String constant(String spelling) {
        String constant = spelling.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        return Character.isDigit(constant.charAt(0)) ? "_" + constant : constant;
    }
}
