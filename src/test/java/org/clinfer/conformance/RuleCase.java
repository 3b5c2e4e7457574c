package org.clinfer.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.clinfer.check.CheckRequest;
import org.clinfer.check.CheckedGraph;
import org.clinfer.check.Checker;
import org.clinfer.check.ConstantEvaluator;
import org.clinfer.check.Finding;
import org.clinfer.check.ProfileJudge;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * One line of {@code test-data/rules}: a profile, an operator, and the rules of the profile that it breaks; see the README
 * there.
 *
 * @param of the operator with its inputs and parameters; its name is the profile
 * @param expected what is found, or nothing
 */
record RuleCase(String line, OperatorCase of, List<String> expected) {

    private static final Path FOLDER = Path.of("test-data", "rules");
    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    /** The cases of each family that has a file. */
    static Map<String, List<RuleCase>> byFamily() {
        Map<String, List<RuleCase>> cases = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".txt"))
                    .sorted()
                    .toList()) {
                String family = file.getFileName().toString().replace(".txt", "");
                cases.put(family, read(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    private static List<RuleCase> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(RuleCase::parse)
                .toList();
    }

    private static RuleCase parse(String line) {
        String[] head =
                line.substring(0, Math.max(line.indexOf('|'), 0)).strip().split(" ", -1);
        int last = line.lastIndexOf('|');
        if (head.length != 2 || line.chars().filter(c -> c == '|').count() != 3) {
            throw new IllegalArgumentException("not 'profile Operator | inputs | parameters | findings': " + line);
        }
        OperatorCase of = OperatorCase.parse(head[1] + " " + head[0] + line.substring(line.indexOf('|') - 1, last));
        String findings = line.substring(last + 1).strip();
        return new RuleCase(
                line,
                of,
                findings.equals("ok")
                        ? List.of()
                        : Stream.of(findings.split(";", -1)).map(String::strip).toList());
    }

    DeviceProfile profile() {
        return PROFILES.find(of.name());
    }

    /** What the profile says of the operator, as the line writes it. */
    List<String> found() {
        return findings().stream().map(RuleCase::written).toList();
    }

    private List<Finding> findings() {
        CheckedGraph checked = checked();
        if (!checked.findings().isEmpty()) {
            throw new IllegalArgumentException(line + ": " + checked.findings());
        }
        return new ProfileJudge(profile(), PROFILES.vocabulary(), Reading.DOCUMENT)
                .judge(checked.nodes().get(0));
    }

    private CheckedGraph checked() {
        DType type = of.types().map(types -> types.get(0)).orElse(DType.FLOAT32);
        GraphBuilder graph = new GraphBuilder("case", new SourceRef("case", ""));
        Map<String, TensorType> types = new HashMap<>();
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < of.inputs().size(); i++) {
            CaseInput input = of.inputs().get(i);
            String name = input.isLeftOut() ? "" : "in" + i;
            inputs.add(name);
            if (input.isConstant()) {
                graph.constant(name, input.tensor(type, new Random(0)));
            } else if (!input.isLeftOut()) {
                types.put(name, TensorType.of(input.type().orElse(type), input.dims()));
                graph.input(name, types.get(name));
            }
        }
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < of.outputs(); i++) {
            outputs.add("out" + i);
            graph.output("out" + i);
        }
        graph.node(of.op(), inputs, outputs, of.params());
        return Checker.check(
                new CheckRequest(graph.build(), types, Map.of(), new HashMap<>()),
                OpCatalog.builtIn(),
                ConstantEvaluator.NONE);
    }

    private static String written(Finding finding) {
        String rule = finding.rule().substring(finding.rule().indexOf('/') + 1);
        Optional<Finding.BrokenRule> broken = finding.broken();
        if (broken.isEmpty()) {
            return rule;
        }
        String unknown = broken.get().isDecided() ? "" : "?";
        String numbers = broken.get().actual().isEmpty()
                ? ""
                : " " + broken.get().actual() + " " + broken.get().limit();
        return unknown + rule + numbers;
    }

    @Override
    public String toString() {
        return line;
    }
}
