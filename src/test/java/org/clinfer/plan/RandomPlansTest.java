package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Plans for graphs and placements drawn at random. */
class RandomPlansTest extends PlanTests {

    private boolean sharesHost;

    @Test
    void randomGraphsFindTheirInputsWherePlacementPutsThem() {
        for (int seed = 0; seed < 300; seed++) {
            new RandomPlansTest().planRandomGraph(new Random(seed), 2, 8);
            RandomPlansTest shared = new RandomPlansTest();
            shared.sharesHost = true;
            shared.planRandomGraph(new Random(seed), 2, 8);
        }
    }

    @Test
    void randomGraphsOfBlockedChannelsDoSoToo() {
        for (int seed = 0; seed < 300; seed++) {
            RandomPlansTest test = new RandomPlansTest();
            test.host = MemoryLimits.host(Set.of("Relu", "Add"));
            test.planRandomGraph(new Random(seed), 1, 1, 1, 1, 16);
        }
    }

    private void planRandomGraph(Random random, long... sizes) {
        builder.constant("k", Tensor.of(new float[16], sizes))
                .input("z", DType.FLOAT32, sizes)
                .input("w", DType.FLOAT32, sizes);
        List<String> values = new ArrayList<>(List.of("w", "z", "k"));
        String[] operators = {"Relu", "Add", "Identity", "Sum", "Identity", "Exp"};
        for (int i = 0; i < 3 + random.nextInt(20); i++) {
            String op = operators[random.nextInt(operators.length)];
            int arity = op.equals("Sum") ? 1 + random.nextInt(4) : op.equals("Add") ? 2 : 1;
            List<String> inputs = new ArrayList<>();
            for (int k = 0; k < arity; k++) {
                int recent = random.nextBoolean() ? Math.min(4, values.size()) : values.size();
                inputs.add(values.get(values.size() - 1 - random.nextInt(recent)));
            }
            node((random.nextBoolean() ? "*" : "") + op, String.join(",", inputs), "v" + i);
            values.add("v" + i);
        }
        Set<String> outputs = new HashSet<>(List.of(values.get(values.size() - 1)));
        for (int k = random.nextInt(4); k > 0; k--) {
            outputs.add(values.get(random.nextInt(values.size())));
        }
        String[] all = outputs.toArray(new String[0]);
        ExecutionPlan plan = sharesHost ? sharedPlan(all) : plan(all);
        ArenaPlan arena = plan.hostArena();
        assertThat(outputs.stream().map(plan::owner)).noneMatch(arena::isInArray);
        for (Step step : plan.steps()) {
            assertThat(valuesOnHost(step, plan)).as(step.toString()).noneMatch(arena::isInArray);
        }
    }

    /** The values that a step needs in direct memory of the host, if operators of this set take others in arrays. */
    private List<String> valuesOnHost(Step step, ExecutionPlan plan) {
        if (step instanceof Step.Upload upload) {
            return List.of(plan.owner(upload.value()));
        }
        if (step instanceof Step.Download download) {
            return List.of(plan.owner(download.value()));
        }
        if (!(step instanceof Step.HostCall call)
                || call.done()
                || host.arrays().contains(call.node().form().op())) {
            return List.of();
        }
        return Stream.concat(call.node().form().inputs().stream(), call.node().form().outputs().stream())
                .map(plan::owner)
                .toList();
    }
}
