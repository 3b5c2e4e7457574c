package org.clinfer.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The text of a generated Java file, broken into lines as the formatter would. */
final class JavaFile {

    private static final int WIDTH = 120;

    private final TreeSet<String> imports = new TreeSet<>(List.of("javax.annotation.processing.Generated"));
    private final List<String> lines = new ArrayList<>();
    private final String packageName;
    private String indent = "";

    JavaFile(String packageName) {
        this.packageName = packageName;
    }

    void use(String className) {
        imports.add(className);
    }

    /** A line at the depth of the open blocks. */
    void line(String text) {
        lines.add((indent + text).stripTrailing());
    }

    /** A line that opens a block. */
    void open(String text) {
        line(text + " {");
        indent += "    ";
    }

    void close() {
        indent = indent.substring(4);
        line("}");
    }

    /** The end of a block that is an expression. */
    void closeStatement() {
        close();
        lines.set(lines.size() - 1, lines.get(lines.size() - 1) + ";");
    }

    void blank() {
        lines.add("");
    }

    /** Opens the body of a method or constructor; one that is too long for a line is broken at its arguments. */
    void method(String head, List<String> arguments) {
        String whole = head + "(" + String.join(", ", arguments) + ")";
        if (indent.length() + whole.length() + 2 <= WIDTH) {
            open(whole);
            return;
        }
        line(head + "(");
        String list = String.join(", ", arguments) + ")";
        if (indent.length() + 8 + list.length() + 2 <= WIDTH) {
            line("        " + list + " {");
        } else {
            for (int i = 0; i < arguments.size(); i++) {
                boolean last = i == arguments.size() - 1;
                line("        " + arguments.get(i) + (last ? ") {" : ","));
            }
        }
        indent += "    ";
    }

    /** A documentation comment: paragraphs in the markup of descriptions, then tags. */
    void doc(List<String> paragraphs, List<String> tags) {
        List<String> texts = new ArrayList<>();
        for (String paragraph : paragraphs) {
            texts.add((texts.isEmpty() ? "" : "<p>") + html(paragraph));
        }
        if (texts.size() == 1
                && tags.isEmpty()
                && indent.length() + texts.get(0).length() + 7 <= WIDTH) {
            line("/** " + texts.get(0) + " */");
            return;
        }
        line("/**");
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                line(" *");
            }
            wrapped(texts.get(i), "");
        }
        if (!tags.isEmpty()) {
            line(" *");
            tags.forEach(tag -> wrapped(html(tag), "    "));
        }
        line(" */");
    }

    private void wrapped(String text, String further) {
        int width = WIDTH - indent.length() - 3;
        String start = "";
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                line(" * " + line);
                start = further;
                line.setLength(0);
                line.append(start);
                line.append(word);
            } else {
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
        }
        line(" * " + line);
    }

    /** Text as Javadoc has it: what stands in backquotes as code, the rest with the characters of markup escaped. */
    static String html(String text) {
        String[] parts = text.split("`", -1);
        StringBuilder html = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            boolean code = i % 2 == 1 && i < parts.length - 1;
            String safe = parts[i].replace("*/", "* /");
            html.append(code ? "{@code " + safe + "}" : escaped(safe, i == 0));
        }
        return html.toString();
    }

    private static String escaped(String text, boolean atStart) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return atStart && escaped.startsWith("@") ? escaped : escaped.replace("@", "{@literal @}");
    }

    /** The file. */
    String text() {
        return imports.stream()
                        .map(name -> "import " + name + ";\n")
                        .collect(Collectors.joining("", "package " + packageName + ";\n\n", "\n"))
                + String.join("\n", lines)
                + "\n";
    }
}
