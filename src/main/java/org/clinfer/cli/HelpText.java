package org.clinfer.cli;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.report.TextTable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The form of what {@code --help} prints: options in groups, an example for every command. */
final class HelpText {

    private static final String OWN = "";
    private static final String ANY = "Any command";
    private static final Map<Class<?>, String> GROUPS = groups();

    private HelpText() {}

    /** The groups of options that several commands have, by the class that declares them, in order. */
    private static Map<Class<?>, String> groups() {
        Map<Class<?>, String> groups = new LinkedHashMap<>();
        groups.put(ImageOptions.class, "Pictures");
        groups.put(EngineSelection.class, "Where and how to compute");
        groups.put(PrecisionSelection.class, "Where and how to compute");
        groups.put(ProfileSelection.class, "Device profiles");
        groups.put(OperatorFolders.class, "Operators of your own");
        groups.put(Main.class, ANY);
        return groups;
    }

    /** The examples of each command. */
    static List<String> examples(String command) {
        return switch (command) {
            case "devices" -> List.of("clinfer devices", "clinfer devices --save-profile gpu.ini");
            case "profiles" -> List.of("clinfer profiles ascend310", "clinfer profiles --diff ascend310 ascend910b1");
            case "ops" -> List.of("clinfer ops Conv2d", "clinfer ops --operators my-operators");
            case "run" ->
                List.of(
                        "clinfer run net.onnx --input photo.jpg --top 5 --labels labels.txt",
                        "clinfer run net.onnx --input x=x.npy -o out --placement");
            case "show" -> List.of("clinfer show net.onnx");
            case "verify" ->
                List.of(
                        "clinfer verify models/",
                        "clinfer verify models/ --device cpu --summary",
                        "clinfer verify --operators my-operators");
            case "check" ->
                List.of(
                        "clinfer check net.onnx --input image=1x3x224x224",
                        "clinfer check net.onnx --profile ascend310 --format html -o report.html");
            case "bench" -> List.of("clinfer bench net.onnx --by-operator");
            case "serve" -> List.of("clinfer serve models/ --max-batch 16 --max-delay 2");
            case "tune" -> List.of("clinfer tune net.onnx --input data=1x3x224x224");
            case "cache" -> List.of("clinfer cache", "clinfer cache --clear");
            case "convert" -> List.of("clinfer convert net.caffemodel -o net.onnx");
            case "demo" -> List.of("clinfer demo");
            case "new-operator" -> List.of("clinfer new-operator Cube my-operators");
            case "completion" -> List.of("source <(clinfer completion bash)", "source <(clinfer completion zsh)");
            case "help" -> List.of("clinfer help run");
            default -> List.of();
        };
    }

    /** Has the help of a program and its commands printed in this form. */
    static void form(CommandLine program) {
        form(program, List.of("clinfer check net.onnx", "clinfer run net.onnx --input photo.jpg", "clinfer help run"));
        program.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        program.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpText::commands);
        program.getSubcommands().forEach((name, command) -> form(command, examples(name)));
    }

    private static void form(CommandLine command, List<String> examples) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.abbreviateSynopsis(true);
        Screen.asked().ifPresent(command::setUsageHelpWidth);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpText::options);
        if (!examples.isEmpty()) {
            usage.footerHeading("%nExamples:%n");
            usage.footer(examples.stream().map(example -> "  " + example).toArray(String[]::new));
        }
    }

    private static String options(Help help) {
        Map<String, List<OptionSpec>> byGroup = new LinkedHashMap<>();
        byGroup.put(OWN, new ArrayList<>());
        GROUPS.values().forEach(title -> byGroup.put(title, new ArrayList<>()));
        for (OptionSpec option : help.commandSpec().options()) {
            if (!option.hidden()) {
                byGroup.computeIfAbsent(group(option), title -> new ArrayList<>())
                        .add(option);
            }
        }
        StringBuilder text = new StringBuilder();
        byGroup.forEach((title, options) -> {
            if (!options.isEmpty()) {
                Layout layout = help.createDefaultLayout();
                layout.addAllOptions(options, help.parameterLabelRenderer());
                String line = System.lineSeparator();
                text.append(title.isEmpty() ? "" : line + title + ":" + line).append(layout);
            }
        });
        return text.toString();
    }

    private static String group(OptionSpec option) {
        boolean isCommon = option.inherited() || option.usageHelp() || option.versionHelp();
        if (isCommon) {
            return ANY;
        }
        return option.userObject() instanceof Field field ? GROUPS.getOrDefault(field.getDeclaringClass(), OWN) : OWN;
    }

    /** A line for each command, with the first sentence of its description. */
    private static String commands(Help help) {
        TextTable table = new TextTable();
        help.subcommands().forEach((name, command) -> table.row("  " + name, sentence(command)));
        String line = System.lineSeparator();
        return line + "Commands:" + line
                + String.join(
                        line, table.lines(help.commandSpec().usageMessage().width())) + line;
    }

    private static String sentence(Help command) {
        String text = String.join(" ", command.commandSpec().usageMessage().description());
        return text.split("(?<=[a-zA-Z])[:;.] |[.]$", 2)[0];
    }
}
