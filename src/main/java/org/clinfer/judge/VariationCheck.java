package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.ParamDescription;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Says what rules would see of a node if it had other parameters or types. */
final class VariationCheck {

    private final OpCatalog catalog;
    private final RuleScope ruleScope;
    private final CheckedNode node;
    private final Map<String, Tensor> constants;
    private final Bindings bindings;

    /**
     * Prepares the variations of one node.
     *
     * @param constants the elements of inputs where they are known, by value name
     * @param bindings those of other rules' variations of the node, which mostly are the same
     */
    VariationCheck(
            OpCatalog catalog,
            RuleScope ruleScope,
            CheckedNode node,
            Map<String, Tensor> constants,
            Bindings bindings) {
        this.bindings = bindings;
        this.catalog = catalog;
        this.ruleScope = ruleScope;
        this.node = node;
        this.constants = constants;
    }

    /**
     * The node with those parameters that say something: one that is as it would be anyway follows the others, as the
     * size of a kernel follows the weights.
     *
     * @param unchanged the node as it is, in the words of the rules
     */
    NodeVariation alone(Vocabulary.Use unchanged) {
        Map<String, Attribute> params = new HashMap<>();
        for (ParamDescription param : node.op().params()) {
            ExpressionValue value = node.binding().params().getOrDefault(param.name(), ExpressionValue.absent());
            Attribute given = node.node().params().get(param.name());
            if (given != null && !value.equals(byDefault(param))) {
                params.put(param.name(), given);
            }
        }
        return withoutRedundant(new NodeVariation(params, node.inputTypes()), unchanged);
    }

    /** Without the lists of numbers that the node means anyway, as the size of a kernel that the weights have. */
    private NodeVariation withoutRedundant(NodeVariation given, Vocabulary.Use unchanged) {
        NodeVariation left = given;
        for (Map.Entry<String, Attribute> param : given.params().entrySet()) {
            if (param.getValue() instanceof Attribute.ListValue
                    && !unchanged.words().isEmpty()) {
                NodeVariation without = left.withoutParam(param.getKey());
                boolean isSame = use(without)
                        .filter(use -> use.words().equals(unchanged.words()))
                        .isPresent();
                left = isSame ? without : left;
            }
        }
        return left;
    }

    private ExpressionValue byDefault(ParamDescription param) {
        try {
            return param.byDefault()
                    .map(value -> value.evaluate(node.binding().scope()))
                    .orElse(ExpressionValue.absent());
        } catch (ExprException none) {
            return ExpressionValue.absent();
        }
    }

    /** The node so varied, in the words of the rules; empty where it is not sound. */
    Optional<Vocabulary.Use> use(NodeVariation variation) {
        GraphBuilder builder = new GraphBuilder("node", node.node().source());
        Map<String, TensorType> types = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < variation.types().size(); i++) {
            TensorType type = variation.types().get(i);
            String name = type == null ? "" : "in" + i;
            names.add(name);
            if (type == null) {
                continue;
            }
            Tensor constant = constants.get(node.node().inputs().get(i));
            if (constant != null && constant.type().equals(type) && isValue(i)) {
                builder.constant(name, constant);
            } else {
                builder.input(name, type);
                types.put(name, type);
            }
        }
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputTypes().size(); i++) {
            outputs.add("out" + i);
            builder.output("out" + i);
        }
        Graph graph = builder.node(node.node().op(), names, outputs, variation.params())
                .build();
        CheckedGraph checked = Checker.check(new CheckRequest(graph, types), catalog, ConstantEvaluator.NONE, bindings);
        return checked.findings().isEmpty() && checked.nodes().size() == 1
                ? Optional.of(ruleScope.of(checked.nodes().get(0)))
                : Optional.empty();
    }

    /** Tells whether the elements of an input, and not its size alone, decide what the node is. */
    boolean isValue(int input) {
        List<InputDescription> inputs = node.op().inputs();
        return inputs.get(Math.min(input, inputs.size() - 1)).value();
    }
}
