package org.clinfer.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.clinfer.cli.io.JsonText;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.TypeSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the operators, or describes one. */
@Command(
        name = "ops",
        description = "Lists the operators, or describes one: its tensors, parameters, and where it runs.")
final class OpsCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "OPERATOR", description = "An operator, such as Conv2d.")
    private Optional<String> name = Optional.empty();

    @Mixin
    private OperatorFolders folders = new OperatorFolders();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        OpCatalog catalog = folders.catalog();
        CpuOperators cpu = CpuOperators.builtIn();
        Optional<String> wanted = name.map(
                given -> catalog.meant(given).map(OpDescription::optype).orElse(given));
        List<OpDescription> operators = catalog.operators().stream()
                .filter(operator ->
                        wanted.map(operator.optype()::equalsIgnoreCase).orElse(!operator.isOfLayout()))
                .sorted(Comparator.comparing(OpDescription::optype))
                .toList();
        if (operators.isEmpty()) {
            throw OperatorFolders.unknown(name.orElse(""), catalog);
        }
        PrintWriter out = spec.commandLine().getOut();
        Screen screen = Screen.of(spec);
        List<OperatorText> texts = new ArrayList<>();
        for (OpDescription operator : operators) {
            String computed = catalog.lowered(operator).optype();
            texts.add(new OperatorText(
                    operator,
                    cpu.names().contains(computed)
                            || !catalog.elementForms(computed).isEmpty(),
                    catalog.variants(computed),
                    catalog.compositions(operator.optype()),
                    TypeSupport.of(catalog, operator, cpu.names())));
        }
        if (json) {
            JsonText.of(Map.of(
                            "operators",
                            texts.stream().map(OperatorText::document).toList()))
                    .lines()
                    .forEach(out::println);
        } else if (name.isPresent()) {
            texts.forEach(text -> screen.print(text.lines(screen.width())));
        } else {
            new OperatorTable(texts).print(screen);
        }
        return ExitCode.OK;
    }
}
