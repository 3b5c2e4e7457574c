package org.clinfer.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of a kernel that can run among others in one launch: it begins with {@link #IDS} and asks for nothing else of
 * its work-item. In programs of several it is a function {@code NAME_item} with {@code int3 at} as the last parameter,
 * which its file may also have itself.
 */
final class ItemFunction {

    private static final String SUFFIX = "_item";

    /** The statement that such a kernel begins with. */
    private static final String IDS = "const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));";

    private static final String HEAD_KEYWORD = "__kernel";
    private static final Pattern HEAD = Pattern.compile("__kernel\\s+void\\s+(\\w+)\\s*\\(([^()]*)\\)\\s*\\{\\s*");
    private static final String KEYWORD = "kernel";
    private static final Pattern KERNEL = Pattern.compile("\\b(?:__)?kernel\\b");
    private static final Pattern WORK_ITEM_FUNCTION = Pattern.compile(
            "\\b(get_(?:global|local|group|num|work|enqueued|sub)_\\w+|barrier|work_group_\\w+|sub_group_\\w+"
                    + "|async_work_group_\\w+|wait_group_events)\\s*\\(");

    /** The parts of names that all these functions have; most texts have none, which is seen sooner. */
    private static final List<String> MENTIONS = List.of("get_", "barrier", "_group_", "wait_group_events");

    private static final Pattern DEFINITION = Pattern.compile("#[ \\t]*define[ \\t]+(\\w+)");
    private static final Pattern INCLUDE = Pattern.compile("#[ \\t]*include\\b");
    private static final Pattern BRACKETS = Pattern.compile("\\s*\\(([^()]*)\\)\\s*\\{");
    private static final Pattern CONSTANT = Pattern.compile("\\b(?:__)?constant\\b");

    private ItemFunction() {}

    /** The name of the function that does one item of a kernel. */
    static String name(String entry) {
        return entry + SUFFIX;
    }

    /** A text without comments with the functions instead of the kernels that begin with {@link #IDS}. */
    static String functions(String code) {
        StringBuilder text = new StringBuilder();
        int done = 0;
        for (int ids = code.indexOf(IDS); ids >= 0; ids = code.indexOf(IDS, ids + 1)) {
            int start = code.lastIndexOf(HEAD_KEYWORD, ids);
            Matcher head = HEAD.matcher(code);
            if (start >= done && head.region(start, ids).matches()) {
                text.append(code, done, start)
                        .append("static void ")
                        .append(name(head.group(1)))
                        .append('(')
                        .append(head.group(2))
                        .append(", const int3 at) {");
                done = ids + IDS.length();
            }
        }
        return text.append(code, done, code.length()).toString();
    }

    /**
     * The reason why a kernel is not in this form, or empty if it is.
     *
     * @param own the text of its file alone, without comments
     * @param code the {@link #functions} of the same with what it includes
     */
    static Optional<String> refusal(String own, String code, KernelSignature signature) {
        String name = name(signature.entry());
        Optional<String> taken = definition(code, name);
        if (taken.isEmpty()) {
            return Optional.of("there is no function " + name);
        }
        if (CONSTANT.matcher(taken.get()).find()) {
            return Optional.of(name + " takes __constant memory");
        }
        List<KernelSignature.Parameter> parameters = KernelSignature.parameters(taken.get(), name);
        if (!takesTheSame(parameters, signature.parameters())) {
            return Optional.of(name + " does not take what " + signature.entry() + " takes, and 'int3 at' behind it: "
                    + parameters);
        }
        String outside = withoutKernels(code);
        if (MENTIONS.stream().anyMatch(outside::contains)) {
            Matcher asking = WORK_ITEM_FUNCTION.matcher(outside);
            if (asking.find()) {
                return Optional.of(asking.group(1) + " is called outside a kernel");
            }
        }
        return definesBeforeIncluding(own)
                ? Optional.of("a macro is defined before a file is included, which others include too")
                : Optional.empty();
    }

    /** The text between the brackets where a function is defined; empty where it is not. */
    private static Optional<String> definition(String code, String name) {
        for (int at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + 1)) {
            boolean beginsWord = at == 0 || !isOfWord(code.charAt(at - 1));
            Matcher brackets = BRACKETS.matcher(code).region(at + name.length(), code.length());
            if (beginsWord && brackets.lookingAt()) {
                return Optional.of(brackets.group(1));
            }
        }
        return Optional.empty();
    }

    private static boolean isOfWord(char character) {
        return character == '_' || Character.isLetterOrDigit(character);
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
        Matcher kernel = KERNEL.matcher(text).useTransparentBounds(true);
        int done = 0;
        for (int at = text.indexOf(KEYWORD); at >= 0; at = text.indexOf(KEYWORD, Math.max(at + 1, done))) {
            int start = text.startsWith("__", at - 2) ? at - 2 : at;
            int open = text.indexOf('{', at);
            if (start >= done
                    && open >= 0
                    && kernel.region(start, text.length()).lookingAt()) {
                rest.append(text, done, start);
                done = closing(text, open);
            }
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
        List<MatchResult> definitions = directives(own, DEFINITION);
        List<MatchResult> includes = directives(own, INCLUDE);
        return !definitions.isEmpty()
                && !includes.isEmpty()
                && definitions.get(0).start()
                        < includes.get(includes.size() - 1).start();
    }

    /** The lines of a text without comments that begin with a directive, from its sign on. */
    private static List<MatchResult> directives(String code, Pattern directive) {
        List<MatchResult> found = new ArrayList<>();
        Matcher matcher = directive.matcher(code).useTransparentBounds(true);
        for (int sign = code.indexOf('#'); sign >= 0; sign = code.indexOf('#', sign + 1)) {
            boolean beginsLine =
                    code.substring(code.lastIndexOf('\n', sign) + 1, sign).isBlank();
            if (beginsLine && matcher.region(sign, code.length()).lookingAt()) {
                found.add(matcher.toMatchResult());
            }
        }
        return found;
    }

    /** Lines that take back what a file defines itself, so that the next one finds it as it expects. */
    static String undefinitions(String own) {
        StringBuilder lines = new StringBuilder();
        directives(own, DEFINITION).stream()
                .map(found -> found.group(1))
                .distinct()
                .forEach(macro -> lines.append("#undef ").append(macro).append('\n'));
        return lines.toString();
    }
}
