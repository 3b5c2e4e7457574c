package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.profile.Rule;
import org.clinfer.profile.RuleSet;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * Single operators held against device profiles, written as tables: {@code profile | operator | what it breaks}.
 *
 * <p>An operator is {@code Conv2d x=1x3x8x8 weights=4x3x3x3:int8 strides=[2,2]}; a tensor without a type is float32.
 * What it breaks are all rules in the order of their file, as {@code kind/rule actual limit} where the rule is a
 * comparison, with commas between them and {@code ?} in front of what cannot be decided. {@code code} before the
 * profile is the reading.
 */
final class RuleCases {

    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();
    private static final OpCatalog OPERATORS = OpCatalog.builtIn();

    /** One line of a table. */
    record Case(String profile, Reading reading, String operator, String broken) {
        @Override
        public String toString() {
            return (reading == Reading.CODE ? "code " : "") + profile + ": " + operator;
        }
    }

    private RuleCases() {}

    /** The lines of a table; empty ones and those that begin with # do not count. */
    static List<Case> table(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> {
                    String[] columns = line.split("\\|", -1);
                    assertThat(columns).as(line).hasSize(3);
                    String profile = columns[0].strip();
                    boolean isCode = profile.startsWith("code ");
                    return new Case(
                            isCode ? profile.substring("code ".length()) : profile,
                            isCode ? Reading.CODE : Reading.DOCUMENT,
                            columns[1].strip(),
                            columns[2].strip());
                })
                .toList();
    }

    /** What the operator of a case breaks. */
    static String broken(Case one) {
        return findings(one.profile, one.reading, one.operator).stream()
                .map(RuleCases::shown)
                .collect(Collectors.joining(", "));
    }

    private static String shown(Finding finding) {
        String id = finding.rule().substring(finding.rule().indexOf('/') + 1);
        boolean isDecided = finding.broken().map(Finding.BrokenRule::isDecided).orElse(true);
        return (isDecided ? "" : "?")
                + id
                + finding.broken()
                        .filter(broken -> !broken.actual().isEmpty())
                        .map(broken -> " " + broken.actual() + " " + broken.limit())
                        .orElse("");
    }

    /** All findings for one operator. */
    static List<Finding> findings(String profile, Reading reading, String operator) {
        return new ProfileJudge(PROFILES.find(profile), PROFILES.vocabulary(), reading).judge(node(operator));
    }

    /** Every rule of a family, and its list of operators, is broken or left open by a case of the table. */
    static void reachEveryRule(String family, List<Case> table) {
        RuleSet rules = PROFILES.families().stream()
                .filter(each -> each.family().equals(family))
                .findFirst()
                .orElseThrow();
        Set<String> expected = new TreeSet<>(Set.of("operators"));
        for (Rule rule : rules.rules()) {
            rule.kinds().forEach(kind -> expected.add(kind + "/" + rule.id()));
        }
        Set<String> reached = new TreeSet<>();
        table.forEach(one -> Arrays.stream(one.broken.split(", ", -1))
                .filter(found -> !found.isEmpty())
                .map(found -> found.split(" ", -1)[0].replace("?", ""))
                .forEach(reached::add));
        assertThat(reached).isEqualTo(expected);
    }

    /** A node of one operator. */
    static CheckedNode node(String operator) {
        String[] words = operator.split(" +", -1);
        OpDescription op = OPERATORS.find(words[0]).orElseThrow(() -> new AssertionError("no operator " + words[0]));
        Map<String, List<TensorType>> tensors = new LinkedHashMap<>();
        op.inputs().forEach(input -> tensors.put(input.name(), new ArrayList<>()));
        Map<String, Attribute> params = new HashMap<>();
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            String name = word.substring(0, word.indexOf('='));
            String value = word.substring(name.length() + 1);
            List<TensorType> given = tensors.get(name);
            if (given == null) {
                params.put(name, attribute(value));
            } else {
                given.add(type(value));
            }
        }
        return node(op, tensors, params);
    }

    private static CheckedNode node(
            OpDescription op, Map<String, List<TensorType>> tensors, Map<String, Attribute> params) {
        GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", ""));
        Map<String, TensorType> types = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (InputDescription input : op.inputs()) {
            List<TensorType> given = tensors.getOrDefault(input.name(), List.of());
            if (given.isEmpty()) {
                names.add("");
            }
            for (int i = 0; i < given.size(); i++) {
                String name = input.name() + i;
                names.add(name);
                builder.input(name, given.get(i));
                types.put(name, given.get(i));
            }
        }
        while (!names.isEmpty() && names.get(names.size() - 1).isEmpty()) {
            names.remove(names.size() - 1);
        }
        CheckedGraph checked = Checker.check(
                new CheckRequest(
                        builder.node(op.optype(), names, List.of("result"), params)
                                .output("result")
                                .build(),
                        types,
                        Map.of(),
                        new HashMap<>()),
                OPERATORS,
                ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        assertThat(checked.nodes()).hasSize(1);
        return checked.nodes().get(0);
    }

    private static TensorType type(String text) {
        String[] parts = text.split(":", -1);
        long[] sizes = parts[0].isEmpty()
                ? new long[0]
                : Arrays.stream(parts[0].split("x", -1))
                        .mapToLong(Long::parseLong)
                        .toArray();
        DType dtype = parts.length == 1
                ? DType.FLOAT32
                : Arrays.stream(DType.values())
                        .filter(each -> each.label().equals(parts[1]))
                        .findFirst()
                        .orElseThrow();
        return new TensorType(dtype, Shape.of(sizes));
    }

    private static Attribute attribute(String text) {
        if (text.startsWith("[")) {
            return new Attribute.ListValue(
                    Arrays.stream(text.substring(1, text.length() - 1).split(",", -1))
                            .map(RuleCases::attribute)
                            .toList());
        }
        if (text.matches("-?[0-9]+")) {
            return Attribute.of(Long.parseLong(text));
        }
        if (text.matches("-?[0-9]+\\.[0-9]+")) {
            return Attribute.of(Double.parseDouble(text));
        }
        return text.equals("true") || text.equals("false") ? Attribute.of(text.equals("true")) : Attribute.of(text);
    }
}
