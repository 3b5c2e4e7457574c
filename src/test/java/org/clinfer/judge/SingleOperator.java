package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.check.Finding;
import org.clinfer.conformance.CaseInput;
import org.clinfer.conformance.OperatorCase;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * An operator alone, and what device profiles say of it. Written as {@code Conv2d | 1x16x8x8 8x16x3x3 | group=1}; see
 * the README of {@code test-data/rules}.
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
        String[] cells = text.split("\\|", -1);
        if (cells.length != 3) {
            throw new IllegalArgumentException("not 'Operator | inputs | parameters': " + text);
        }
        CheckedGraph checked = checked(OperatorCase.of(cells[0].strip(), "alone", cells[1], cells[2]));
        if (!checked.findings().isEmpty()) {
            throw new IllegalArgumentException(text + ": " + checked.findings());
        }
        return new SingleOperator(checked.nodes().get(0));
    }

    private static CheckedGraph checked(OperatorCase of) {
        DType common = of.types().map(types -> types.get(0)).orElse(DType.FLOAT32);
        GraphBuilder graph = new GraphBuilder("net", new SourceRef("net", ""));
        Map<String, TensorType> types = new HashMap<>();
        List<String> inputs = new ArrayList<>();
        for (CaseInput input : of.inputs()) {
            String name = input.isLeftOut() ? "" : "in" + inputs.size();
            inputs.add(name);
            if (input.isConstant()) {
                graph.constant(name, input.tensor(common, new Random(0)));
            } else if (!input.isLeftOut()) {
                TensorType type = new TensorType(input.type().orElse(common), input.shape());
                graph.input(name, type);
                types.put(name, type);
            }
        }
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < of.outputs(); i++) {
            outputs.add("out" + i);
            graph.output("out" + i);
        }
        graph.node(of.op(), inputs, outputs, of.params());
        return Checker.check(new CheckRequest(graph.build(), types), OpCatalog.builtIn(), ConstantEvaluator.NONE);
    }

    /** What a profile says of it, by its name or file, under one reading. */
    public List<Finding> judge(String profile, Reading reading) {
        return new ProfileJudge(PROFILES.find(profile), PROFILES.vocabulary(), reading).judge(node);
    }
}
