package org.clinfer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * An operator alone, and what device profiles say of it. Written as {@code Conv2d 1x16x8x8:int8 8x16x3x3 group=1}: the
 * operator, its inputs in order, {@code ?} for a size that is not known, {@code -} for an input that is left out,
 * {@code =2.0} behind a shape for a constant of equal elements; then its parameters. Inputs that do not name their data
 * type have that of the first one, float32 if it names none.
 */
public final class SingleOperator {

    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    private final CheckedNode node;

    private SingleOperator(CheckedNode node) {
        this.node = node;
    }

    /**
     * The operator that is written so.
     *
     * @throws IllegalArgumentException if the operator's own description does not take it
     */
    public static SingleOperator of(String text) {
        String[] words = text.strip().split(" +", -1);
        GraphBuilder graph = new GraphBuilder("net", new SourceRef("net", ""));
        Map<String, TensorType> types = new HashMap<>();
        Map<String, Attribute> params = new HashMap<>();
        List<String> inputs = new ArrayList<>();
        List<String> outputs = new ArrayList<>(List.of("y"));
        DType common = DType.FLOAT32;
        for (int i = 1; i < words.length; i++) {
            String[] sides = words[i].split("=", 2);
            if (words[i].equals("-")) {
                inputs.add("");
            } else if (Character.isLowerCase(words[i].charAt(0))) {
                params.put(sides[0], attribute(sides[1]));
            } else {
                String name = "in" + i;
                TensorType type = type(sides[0], common);
                common = i == 1 ? type.dtype() : common;
                inputs.add(name);
                if (sides.length == 2) {
                    graph.constant(name, filled(type, Double.parseDouble(sides[1])));
                } else {
                    graph.input(name, type);
                    types.put(name, type);
                }
            }
        }
        if (params.get("split") instanceof Attribute.ListValue parts) {
            for (int i = 1; i < parts.values().size(); i++) {
                outputs.add("y" + i);
            }
        }
        outputs.forEach(graph::output);
        graph.node(words[0], inputs, outputs, params);
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph.build(), types, Map.of(), new HashMap<>()),
                OpCatalog.builtIn(),
                ConstantEvaluator.NONE);
        if (!checked.findings().isEmpty()) {
            throw new IllegalArgumentException(text + ": " + checked.findings());
        }
        return new SingleOperator(checked.nodes().get(0));
    }

    private static TensorType type(String text, DType common) {
        String[] sides = text.split(":", 2);
        List<Dim> dims = Stream.of(sides[0].split("x", -1))
                .map(size -> size.equals("?") ? Dim.named("size") : Dim.of(Long.parseLong(size)))
                .toList();
        return new TensorType(
                sides.length < 2 ? common : DType.valueOf(sides[1].toUpperCase(Locale.ROOT)), new Shape(dims));
    }

    private static Tensor filled(TensorType type, double value) {
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, value);
        }
        return tensor;
    }

    private static Attribute attribute(String text) {
        if (text.startsWith("[")) {
            String[] items = text.substring(1, text.length() - 1).split(",", -1);
            return new Attribute.ListValue(
                    Stream.of(items).map(SingleOperator::attribute).toList());
        }
        if (text.equals("true") || text.equals("false")) {
            return Attribute.of(text.equals("true"));
        }
        if (text.matches("-?[0-9]+")) {
            return Attribute.of(Long.parseLong(text));
        }
        return text.matches("-?[0-9]+\\.[0-9]+") ? Attribute.of(Double.parseDouble(text)) : Attribute.of(text);
    }

    /** What the profile says of it under one reading. */
    public List<Finding> judge(DeviceProfile profile, Reading reading) {
        return new ProfileJudge(profile, PROFILES.vocabulary(), reading).judge(node);
    }

    /** As {@link #judge(DeviceProfile, Reading)}, for a profile that comes with Clinfer. */
    public List<Finding> judge(String profile, Reading reading) {
        return judge(PROFILES.find(profile), reading);
    }

    /**
     * The findings in the form {@code kind/rule actual limit; …}, without the numbers where the rule is no comparison,
     * with a {@code ?} before what cannot be decided; {@code ok} where there are none.
     */
    public static String written(List<Finding> findings) {
        return findings.isEmpty()
                ? "ok"
                : findings.stream().map(SingleOperator::written).collect(Collectors.joining("; "));
    }

    private static String written(Finding finding) {
        String rule = finding.rule().substring(finding.rule().indexOf('/') + 1);
        return finding.broken()
                .map(broken -> (broken.isDecided() ? "" : "?")
                        + rule
                        + (broken.actual().isEmpty() ? "" : " " + broken.actual() + " " + broken.limit()))
                .orElse(rule);
    }
}
