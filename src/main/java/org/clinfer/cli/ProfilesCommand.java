package org.clinfer.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.clinfer.cli.io.JsonText;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.report.TextTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists device profiles, shows one, compares two, or looks files through. */
@Command(
        name = "profiles",
        description =
                "Lists device profiles, shows the figures of one, compares two (--diff A B), or says what is wrong"
                        + " with files (--validate FILE...).")
final class ProfilesCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "NAME|FILE", description = "A profile, such as ascend310.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--diff", arity = "2", paramLabel = "NAME|FILE", description = "What differs between two profiles.")
    private List<String> diff = List.of();

    @Option(
            names = "--validate",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Say what is wrong with profiles of your own, or missing; exit with 1 if there is an error.")
    private List<Path> validate = List.of();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Screen screen = Screen.of(spec);
        if (!validate.isEmpty()) {
            if (name.isPresent() || !diff.isEmpty()) {
                throw new UsageException("--validate takes files alone");
            }
            return new ProfileValidation(ProfileCatalog.sound(), spec.commandLine()).of(validate, json);
        }
        ProfileCatalog catalog = ProfileCatalog.builtIn();
        if (diff.size() == 2) {
            if (name.isPresent()) {
                throw new UsageException("--diff takes its two profiles alone");
            }
            differences(catalog.find(diff.get(0)), catalog.find(diff.get(1)), screen);
        } else if (json) {
            List<DeviceProfile> shown =
                    name.isPresent() ? List.of(catalog.find(name.get())) : List.copyOf(catalog.profiles());
            JsonText.of(Map.of(
                            "profiles",
                            shown.stream().map(ProfilesCommand::document).toList()))
                    .lines()
                    .forEach(out::println);
        } else if (name.isPresent()) {
            show(catalog.find(name.get()), screen);
        } else {
            TextTable table = new TextTable().row("PROFILE", "DEVICE", "VENDOR", "RULES");
            catalog.profiles()
                    .forEach(profile -> table.row(
                            profile.name(),
                            profile.title(),
                            profile.vendor(),
                            profile.rules().family()));
            screen.print(table);
        }
        return ExitCode.OK;
    }

    private static void show(DeviceProfile profile, Screen screen) {
        screen.print(profile.title() + ", " + profile.vendor());
        screen.print("rules: " + profile.rules().rules().size() + " of "
                + profile.rules().title());
        if (!profile.source().isEmpty()) {
            screen.print("source: " + profile.source());
        }
        if (!profile.note().isEmpty()) {
            screen.print("note: " + profile.note());
        }
        screen.print("operators: " + (profile.operators().isEmpty() ? "all" : String.join(", ", profile.operators())));
        TextTable table = new TextTable();
        profile.figures()
                .forEach((key, figure) ->
                        table.row("  " + key, figure.value().isEmpty() ? "not stated" : figure.value()));
        screen.print(table);
    }

    /** One line for each figure that is not the same in both. */
    private void differences(DeviceProfile first, DeviceProfile second, Screen screen) {
        TreeSet<String> keys = new TreeSet<>(first.figures().keySet());
        keys.addAll(second.figures().keySet());
        List<String> different = keys.stream()
                .filter(key -> !shown(first, key).equals(shown(second, key)))
                .toList();
        if (json) {
            JsonText.of(document(first, second, different))
                    .lines()
                    .forEach(spec.commandLine().getOut()::println);
            return;
        }
        TextTable table = new TextTable().row("FIGURE", first.name(), second.name());
        different.forEach(key -> table.row(key, shown(first, key), shown(second, key)));
        if (!different.isEmpty()) {
            screen.print(table);
        }
        screen.print(different.size() + " of " + keys.size() + " figures differ");
    }

    /** The values of both; empty where one is not stated, null where the profile does not have the figure. */
    private static Map<String, Object> document(DeviceProfile first, DeviceProfile second, List<String> different) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (String key : different) {
            figures.put(key, Arrays.asList(value(first, key), value(second, key)));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("profiles", List.of(first.name(), second.name()));
        document.put("different", figures);
        return document;
    }

    private static @Nullable String value(DeviceProfile profile, String key) {
        return profile.figure(key).map(DeviceProfile.Figure::value).orElse(null);
    }

    private static String shown(DeviceProfile profile, String key) {
        return profile.figure(key)
                .map(figure -> figure.value().isEmpty() ? "not stated" : figure.value())
                .orElse("-");
    }

    private static Map<String, Object> document(DeviceProfile profile) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", profile.name());
        document.put("title", profile.title());
        document.put("vendor", profile.vendor());
        document.put("family", profile.rules().family());
        document.put("source", profile.source());
        document.put("operators", profile.operators());
        Map<String, String> figures = new LinkedHashMap<>();
        profile.figures().forEach((key, figure) -> figures.put(key, figure.value()));
        document.put("figures", figures);
        return document;
    }
}
