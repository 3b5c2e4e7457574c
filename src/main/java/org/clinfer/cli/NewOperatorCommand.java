package org.clinfer.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.describe.OpCatalog;
import org.clinfer.tensor.Tensor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes an operator to begin with. */
@Command(
        name = "new-operator",
        description = "Writes an operator of your own to begin with: its description, a kernel, and a test. It computes"
                + " scale * x, and runs at once.")
final class NewOperatorCommand implements Callable<Integer> {

    private static final Pattern WORD = Pattern.compile("[A-Z][A-Za-z0-9]{0,63}");

    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}/._+-]+");

    @Parameters(index = "0", paramLabel = "NAME", description = "Its name, such as HardShrink.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIR",
            description = "The folder; made if it is missing (default: the current one).")
    private Path folder = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (!WORD.matcher(name).matches()) {
            throw new UsageException(
                    "the name of an operator is a capital letter and at most 63 letters and digits, but is '" + name
                            + "'");
        }
        if (OpCatalog.builtIn().meant(name).isPresent()
                || OpCatalog.builtIn().operators().stream()
                        .anyMatch(operator -> operator.optype().equalsIgnoreCase(name))) {
            throw new UsageException(
                    "there is an operator '" + name + "' already; 'clinfer ops " + name + "' shows it");
        }
        Map<Path, String> texts = new LinkedHashMap<>();
        OperatorTemplate.files(name).forEach((file, text) -> texts.put(folder.resolve(file), text));
        String test = OperatorTemplate.file(name) + "-test";
        Path input = folder.resolve(test).resolve("input_0.npy");
        Path output = folder.resolve(test).resolve("output_0.npy");
        List<Path> all = new ArrayList<>(texts.keySet());
        all.addAll(List.of(input, output));
        for (Path file : all) {
            if (Files.exists(file)) {
                throw new UsageException(file + ": exists already");
            }
        }
        Files.createDirectories(folder.resolve(test));
        for (Map.Entry<Path, String> each : texts.entrySet()) {
            byte[] bytes = each.getValue().getBytes(StandardCharsets.UTF_8);
            AtomicFile.create(each.getKey(), out -> out.write(bytes));
        }
        NpyFile.write(input, Tensor.of(OperatorTemplate.INPUT, OperatorTemplate.INPUT.length));
        NpyFile.write(output, Tensor.of(expected(), OperatorTemplate.INPUT.length));
        all.forEach(file -> spec.commandLine().getOut().println("wrote " + file));
        String shown = folder.toString().isEmpty() ? "." : quoted(folder);
        spec.commandLine().getOut().println("try its kernel: clinfer verify --operators " + shown);
        spec.commandLine()
                .getOut()
                .println("try it: clinfer verify " + quoted(folder.resolve(test)) + " --operators " + shown);
        return ExitCode.OK;
    }

    /** A path as a shell takes it. */
    private static String quoted(Path path) {
        String text = path.toString();
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private static float[] expected() {
        float[] expected = OperatorTemplate.INPUT.clone();
        for (int i = 0; i < expected.length; i++) {
            expected[i] *= OperatorTemplate.SCALE;
        }
        return expected;
    }
}
