package org.clinfer.kernel;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of a kernel that can run among others in one launch: beside {@code NAME} its file has {@code NAME_item}, with
 * the same parameters and {@code int3 at} behind them, which does one work-item and asks for none of its own.
 */
final class ItemFunction {

    private static final String SUFFIX = "_item";
    private static final Pattern KERNEL = Pattern.compile("\\b(?:__)?kernel\\b");
    private static final Pattern WORK_ITEM_FUNCTION = Pattern.compile(
            "\\b(get_(?:global|local|group|num|work|enqueued|sub)_\\w+|barrier|work_group_\\w+|sub_group_\\w+"
                    + "|async_work_group_\\w+|wait_group_events)\\s*\\(");
    private static final Pattern DEFINITION = Pattern.compile("(?m)^[ \\t]*#[ \\t]*define[ \\t]+(\\w+)");
    private static final Pattern INCLUDE = Pattern.compile("(?m)^[ \\t]*#[ \\t]*include\\b");
    private static final Pattern CONSTANT = Pattern.compile("\\b(?:__)?constant\\b");

    private ItemFunction() {}

    /** The name of the function that does one item of a kernel. */
    static String name(String entry) {
        return entry + SUFFIX;
    }

    /**
     * Why a kernel is not in this form, or empty if it is.
     *
     * @param own the text of its file alone
     * @param code the same with what it includes, without comments
     */
    static Optional<String> refusal(String own, String code, KernelSignature signature) {
        String name = name(signature.entry());
        Matcher head = Pattern.compile("\\b" + Pattern.quote(name) + "\\s*\\(([^()]*)\\)\\s*\\{")
                .matcher(code);
        if (!head.find()) {
            return Optional.of("there is no function " + name);
        }
        if (CONSTANT.matcher(head.group(1)).find()) {
            return Optional.of(name + " takes __constant memory");
        }
        List<KernelSignature.Parameter> parameters = KernelSignature.parameters(head.group(1), name);
        if (!takesTheSame(parameters, signature.parameters())) {
            return Optional.of(name + " does not take what " + signature.entry() + " takes, and 'int3 at' behind it: "
                    + parameters);
        }
        Matcher asking = WORK_ITEM_FUNCTION.matcher(withoutKernels(code));
        if (asking.find()) {
            return Optional.of(asking.group(1) + " is called outside a kernel");
        }
        return definesBeforeIncluding(KernelSignature.withoutComments(own))
                ? Optional.of("a macro is defined before a file is included, which others include too")
                : Optional.empty();
    }

    private static boolean takesTheSame(List<KernelSignature.Parameter> item, List<KernelSignature.Parameter> kernel) {
        if (item.size() != kernel.size() + 1) {
            return false;
        }
        for (int i = 0; i < kernel.size(); i++) {
            if (item.get(i).kind() != kernel.get(i).kind()
                    || !item.get(i).type().equals(kernel.get(i).type())) {
                return false;
            }
        }
        KernelSignature.Parameter at = item.get(kernel.size());
        return at.kind() == KernelSignature.Kind.SCALAR && at.type().equals("int3");
    }

    /** The text with the bodies of all kernels taken out. */
    private static String withoutKernels(String text) {
        StringBuilder rest = new StringBuilder();
        Matcher kernel = KERNEL.matcher(text);
        int done = 0;
        while (kernel.find(done)) {
            int open = text.indexOf('{', kernel.end());
            if (open < 0) {
                break;
            }
            rest.append(text, done, kernel.start());
            done = closing(text, open);
        }
        return rest.append(text, done, text.length()).toString();
    }

    private static int closing(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return text.length();
    }

    static boolean definesBeforeIncluding(String own) {
        Matcher definition = DEFINITION.matcher(own);
        return definition.find() && INCLUDE.matcher(own).find(definition.end());
    }

    /** Lines that take back what a file defines itself, so that the next one finds it as it expects. */
    static String undefinitions(String own) {
        StringBuilder lines = new StringBuilder();
        DEFINITION
                .matcher(KernelSignature.withoutComments(own))
                .results()
                .map(found -> found.group(1))
                .distinct()
                .forEach(macro -> lines.append("#undef ").append(macro).append('\n'));
        return lines.toString();
    }
}
