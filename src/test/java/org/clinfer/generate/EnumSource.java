package org.clinfer.generate;

import java.util.List;
import org.clinfer.describe.OpDescription;

/** Writes an enum for a list of spellings. */
final class EnumSource {

    private EnumSource() {}

    /** The file of an enum that several operators share. */
    static String text(String name, List<String> spellings, List<OpDescription> operators) {
        JavaFile file = new JavaFile("org.clinfer.ops");
        List<String> users = operators.stream()
                .filter(op -> op.params().stream()
                        .anyMatch(param -> JavaNames.type(param.name()).equals(name)
                                && param.oneOf().equals(spellings)))
                .map(OpDescription::optype)
                .toList();
        write(file, name, spellings, "A choice in " + String.join(", ", users) + ".");
        return file.text();
    }

    /** Writes the declaration; {@code toString} gives the spelling of the descriptions. */
    static void write(JavaFile file, String name, List<String> spellings, String doc) {
        boolean equal = spellings.stream()
                .allMatch(spelling -> JavaNames.constant(spelling).equals(spelling));
        file.doc(List.of(doc, "`toString` gives the spelling of the operator's description."), List.of());
        file.line(FactorySource.GENERATED);
        file.open("public enum " + name);
        for (int i = 0; i < spellings.size(); i++) {
            boolean last = i == spellings.size() - 1;
            String spelling = spellings.get(i);
            file.doc(List.of("The spelling `" + spelling + "`."), List.of());
            file.line(JavaNames.constant(spelling)
                    + (equal ? "" : "(\"" + spelling + "\")")
                    + (last ? (equal ? "" : ";") : ","));
        }
        if (!equal) {
            file.blank();
            file.line("private final String spelling;");
            file.blank();
            file.method(name, List.of("String spelling"));
            file.line("this.spelling = spelling;");
            file.close();
            file.blank();
            file.line("@Override");
            file.method("public String toString", List.of());
            file.line("return spelling;");
            file.close();
        }
        file.close();
    }
}
