package org.clinfer.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.describe.OpCatalog;
import org.clinfer.importer.Importers;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.json.JsonImporter;

/** Writes the page of the operators and layers of each model format, from the tables of its importer. */
final class FormatIndex {

    private static final String INTRODUCTION = """
            # Operators and layers by model format

            Generated from the importers' tables by `%s`; change these, not this file.

            What is not named here is refused by its name when a model is read, unless a folder of operators describes it
            ([descriptions.md](descriptions.md)). [formats.md](formats.md) says what is read of each, and how.
            """;

    private static final int WIDTH = 120;

    private FormatIndex() {}

    static String text(OpCatalog catalog) {
        StringBuilder page = new StringBuilder(INTRODUCTION.formatted(GeneratedFiles.COMMAND));
        for (ModelImporter importer : Importers.of(catalog).all()) {
            if (!(importer instanceof JsonImporter)) {
                page.append("\n## ").append(importer.format()).append('\n');
                byDomain(importer)
                        .forEach((domain, names) -> page.append('\n')
                                .append(domain.isEmpty() ? "" : "Domain `" + domain + "`:\n\n")
                                .append(lines(names)));
            }
        }
        return page.toString();
    }

    private static Map<String, List<String>> byDomain(ModelImporter importer) {
        Map<String, List<String>> domains = new TreeMap<>();
        importer.operators().stream()
                .sorted(String.CASE_INSENSITIVE_ORDER.thenComparing(name -> name))
                .forEach(name -> {
                    int dot = name.lastIndexOf('.') + 1;
                    domains.computeIfAbsent(name.substring(0, Math.max(dot - 1, 0)), key -> new ArrayList<>())
                            .add(name.substring(dot));
                });
        return domains;
    }

    private static String lines(List<String> names) {
        StringBuilder text = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (String name : names) {
            String item = "`" + name + "`";
            if (line.length() + item.length() + 1 > WIDTH) {
                text.append(line).append('\n');
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(item);
        }
        return text.append(line).append('\n').toString();
    }
}
