package org.clinfer.generate;

import java.util.List;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ParamDescription;

/** Writes the class in which the optional fields of one operator are set. */
final class BuilderSource {

    private final OpModel model;
    private final EnumTypes enums;
    private final JavaFile file = new JavaFile("org.clinfer.ops");

    BuilderSource(OpModel model, EnumTypes enums) {
        this.model = model;
        this.enums = enums;
    }

    String text() {
        file.doc(
                List.of(
                        FieldDocs.sentence(model.op().doc()),
                        "One use of `" + model.op().optype() + "` while its optional fields are set; made by `Ops."
                                + model.method() + "`."),
                List.of());
        file.line(FactorySource.GENERATED);
        file.open("public final class " + model.type() + " extends OpBuilder<" + model.type() + ">");
        enums.own(model.op()).forEach((name, spellings) -> {
            file.blank();
            EnumSource.write(
                    file,
                    name,
                    spellings,
                    "The values of `" + name + "` of `" + model.op().optype() + "`.");
        });
        file.blank();
        file.method(model.type(), List.of("Ops ops"));
        file.line("super(ops, \"" + model.op().optype() + "\", " + model.neededOutputs() + ");");
        file.close();
        file.blank();
        file.line("@Override");
        file.method(model.type() + " self", List.of());
        file.line("return this;");
        file.close();
        model.optionalInputs().forEach(this::input);
        model.settings().forEach(this::setting);
        model.outputs().forEach(this::output);
        file.close();
        return file.text();
    }

    private void input(InputDescription input) {
        String name = JavaNames.member(input.name());
        String fed = model.fedBy(input);
        file.blank();
        List<String> fields = FieldDocs.of(input, "the input `" + input.name() + "`");
        String supplies =
                fed.isEmpty() ? "" : "supplies the parameter `" + fed + "`, and takes back what was given for it";
        setterDoc(name, fields, supplies);
        int position = model.position(input.name());
        if (input.variadic()) {
            file.use("java.util.List");
            file.method("public " + model.type() + " " + name, List.of("List<Edge> " + name));
            file.line("return inputs(" + position + ", " + name + ");");
        } else {
            file.method("public " + model.type() + " " + name, List.of("Edge " + name));
            file.line(
                    fed.isEmpty()
                            ? "return input(" + position + ", " + name + ");"
                            : "return supplier(" + position + ", " + name + ", \"" + fed + "\");");
        }
        file.close();
    }

    private void setting(ParamDescription param) {
        ParamCode code = ParamCode.of(param, enums.name(param));
        useTypes(file, param, code);
        file.blank();
        String takesBack = "";
        String supplier = "";
        if (!param.fromInput().isEmpty()) {
            takesBack = "takes back what was given for the input `" + param.fromInput() + "`";
            supplier = ", " + model.position(param.fromInput());
        }
        setterDoc(code.name(), FieldDocs.of(param, "the parameter `" + param.name() + "`"), takesBack);
        file.method("public " + model.type() + " " + code.name(), List.of(code.declaration(true)));
        file.line("return param(\"" + param.name() + "\", " + code.attribute() + supplier + ");");
        file.close();
    }

    /**
     * @param fields what it is, and what is known of its values
     * @param effect on other fields; may be empty
     */
    private void setterDoc(String name, List<String> fields, String effect) {
        List<String> paragraphs = effect.isEmpty() ? List.of(fields.get(0)) : List.of(fields.get(0), effect);
        file.doc(FieldDocs.sentences(paragraphs), List.of("@param " + name + " " + fields.get(1), "@return this"));
    }

    /** Imports what a parameter needs. */
    static void useTypes(JavaFile file, ParamDescription param, ParamCode code) {
        file.use("org.clinfer.graph.Attribute");
        if (EnumTypes.isDType(param)) {
            file.use("org.clinfer.tensor.DType");
        }
        if (code.attribute().contains("List.of")) {
            file.use("java.util.List");
        }
    }

    private void output(OutputDescription output) {
        String name = JavaNames.member(output.name());
        List<String> names =
                model.outputs().stream().map(OutputDescription::name).toList();
        int position = names.indexOf(output.name());
        List<String> doc =
                FieldDocs.of(output, "the output `" + output.name() + "`, which ends this use of the operator");
        file.blank();
        if (output.variadic()) {
            file.use("java.util.List");
            file.doc(
                    FieldDocs.sentences(doc.subList(0, 1)),
                    List.of("@param count how many there are", "@return its values; " + doc.get(1)));
            file.method("public List<Edge> " + name, List.of("int count"));
            file.line("return outputs(" + position + ", count);");
        } else {
            file.doc(FieldDocs.sentences(doc.subList(0, 1)), List.of("@return its value; " + doc.get(1)));
            file.method("public Edge " + name, List.of());
            file.line("return output(" + position + ");");
        }
        file.close();
    }
}
