package org.clinfer.generate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ParamDescription;

/** Writes the class with one method, or several, for each operator. */
final class FactorySource {

    static final String GENERATED = "@Generated(\"org.clinfer.generate.GeneratedFiles\")";

    private final EnumTypes enums;
    private final JavaFile file = new JavaFile("org.clinfer.ops");

    FactorySource(EnumTypes enums) {
        this.enums = enums;
    }

    String text(List<OpModel> models) {
        file.use("java.util.List");
        file.doc(List.of("The operators as methods; `Ops` is what to use."), List.of());
        file.line(GENERATED);
        file.open("public abstract sealed class OperatorMethods permits Ops");
        file.blank();
        file.line("OperatorMethods() {}");
        file.blank();
        file.line("abstract Ops self();");
        file.blank();
        file.line("/** A node without parameters and with one output. */");
        file.line("abstract Edge direct(String op, List<Edge> inputs);");
        models.stream()
                .sorted(Comparator.comparing(model -> model.op().optype()))
                .forEach(this::methods);
        file.close();
        return file.text();
    }

    private void methods(OpModel model) {
        boolean onlyVariadic = model.neededInputs().size() == 1
                && model.neededInputs().get(0).variadic()
                && model.neededParams().isEmpty();
        if (onlyVariadic) {
            String name = JavaNames.member(model.neededInputs().get(0).name());
            head(model, List.of("Edge... " + name), false);
            file.line("return " + model.method() + "(List.of(" + name + "));");
            file.close();
        }
        List<String> arguments = inputs(model);
        List<ParamDescription> params = model.neededParams();
        for (int i = 0; i < params.size(); i++) {
            arguments.add(code(model, params.get(i)).declaration(i == params.size() - 1));
        }
        head(model, arguments, false);
        body(model, false);
        if (model.hasSuppliedParams()) {
            head(model, suppliedArguments(model), true);
            body(model, true);
        }
    }

    private static List<String> inputs(OpModel model) {
        List<String> arguments = new ArrayList<>();
        for (InputDescription input : model.neededInputs()) {
            arguments.add((input.variadic() ? "List<Edge> " : "Edge ") + JavaNames.member(input.name()));
        }
        return arguments;
    }

    private List<String> suppliedArguments(OpModel model) {
        List<String> arguments = inputs(model);
        for (ParamDescription param : model.neededParams()) {
            arguments.add(
                    param.fromInput().isEmpty()
                            ? code(model, param).declaration(false)
                            : "Edge " + JavaNames.member(param.fromInput()));
        }
        return arguments;
    }

    private ParamCode code(OpModel model, ParamDescription param) {
        ParamCode code = ParamCode.of(param, enums.nameOutside(model, param));
        BuilderSource.useTypes(file, param, code);
        return code;
    }

    private void head(OpModel model, List<String> arguments, boolean supplied) {
        OpDescription op = model.op();
        List<String> tags = new ArrayList<>();
        for (InputDescription input : model.neededInputs()) {
            tags.add(tag(JavaNames.member(input.name()), FieldDocs.line(FieldDocs.of(input, "a tensor"))));
        }
        for (ParamDescription param : model.neededParams()) {
            String name = supplied && !param.fromInput().isEmpty() ? param.fromInput() : param.name();
            String about = name.equals(param.name()) ? "" : "supplies `" + param.name() + "`: ";
            tags.add(tag(JavaNames.member(name), about + FieldDocs.line(FieldDocs.of(param, ""))));
        }
        if (model.isDirect()) {
            OutputDescription output = op.outputs().get(0);
            tags.add("@return " + FieldDocs.line(FieldDocs.of(output, "the output `" + output.name() + "`")));
        } else {
            tags.add("@return this use of the operator, whose methods set what is optional and give its outputs");
        }
        file.blank();
        file.doc(List.of(FieldDocs.sentence(op.doc())), tags);
        file.method("public final " + (model.isDirect() ? "Edge" : model.type()) + " " + model.method(), arguments);
    }

    private static String tag(String name, String text) {
        return "@param " + name + " " + text;
    }

    private void body(OpModel model, boolean supplied) {
        if (model.isDirect()) {
            String inputs = model.neededInputs().stream()
                    .map(input -> JavaNames.member(input.name()))
                    .collect(Collectors.joining(", "));
            boolean variadic = model.neededInputs().stream().anyMatch(InputDescription::variadic);
            if (variadic && model.neededInputs().size() > 1) {
                throw new IllegalStateException(
                        model.op().optype() + ": inputs before a variadic one have no Java yet");
            }
            file.line("return direct(\"" + model.op().optype() + "\", "
                    + (variadic ? inputs : "List.of(" + inputs + ")") + ");");
            file.close();
            return;
        }
        file.line(model.type() + " op = new " + model.type() + "(self());");
        for (InputDescription input : model.neededInputs()) {
            file.line((input.variadic() ? "op.inputs(" : "op.input(") + model.position(input.name()) + ", "
                    + JavaNames.member(input.name()) + ");");
        }
        for (ParamDescription param : model.neededParams()) {
            boolean fed = supplied && !param.fromInput().isEmpty();
            file.line(
                    fed
                            ? "op.supplier(" + model.position(param.fromInput()) + ", "
                                    + JavaNames.member(param.fromInput()) + ", \"" + param.name() + "\");"
                            : "op.param(\"" + param.name() + "\", "
                                    + code(model, param).attribute() + ");");
        }
        file.line("return op;");
        file.close();
    }
}
