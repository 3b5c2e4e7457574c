package org.clinfer.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.describe.FieldText;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ParamDescription;

/** What the documentation of a Java method says about the fields of an operator. */
final class FieldDocs {

    private static final Pattern STARTS_WITH_WORD =
            Pattern.compile("(an? (list|number|int|string|bool)|[a-z]{2,})[,;:]?( [a-zA-Z0-9(`].*)?");

    private FieldDocs() {}

    /** What an input is, its types and its shape. */
    static List<String> of(InputDescription input, String title) {
        List<String> facts = new ArrayList<>(List.of("types: " + FieldText.types(input)));
        facts.addAll(FieldText.rules(input));
        return paragraphs(input.doc().isEmpty() ? title : input.doc(), facts);
    }

    /** What a parameter is, its default and what it must be. */
    static List<String> of(ParamDescription param, String title) {
        List<String> facts = new ArrayList<>(List.of(param.expected()));
        facts.add((param.byDefault().isPresent() ? "default " : "") + FieldText.byDefault(param));
        facts.addAll(FieldText.rules(param));
        return paragraphs(param.doc().isEmpty() ? title : param.doc(), facts);
    }

    /** What an output is, its type and its shape. */
    static List<String> of(OutputDescription output, String title) {
        return paragraphs(
                output.doc().isEmpty() ? title : output.doc(),
                List.of("type: " + FieldText.type(output), "dims: " + FieldText.dims(output)));
    }

    private static List<String> paragraphs(String doc, List<String> facts) {
        return List.of(doc, String.join("; ", facts));
    }

    /** All of it in one line, for a tag. */
    static String line(List<String> paragraphs) {
        return paragraphs.stream().filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
    }

    /** Each text with a capital letter, unless it starts with a formula, and a full stop. */
    static List<String> sentences(List<String> texts) {
        return texts.stream().map(FieldDocs::sentence).toList();
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** The text with a capital letter, unless it starts with a formula, and a full stop. */
    static String sentence(String text) {
        String start = STARTS_WITH_WORD.matcher(text).matches() ? capital(text) : text;
        return start.endsWith(".") ? start : start + ".";
    }
}
