package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.clinfer.graph.Graph;
import org.clinfer.infer.Stages.Stage;
import org.clinfer.tensor.Tensor;

/** Runs of a network in stages: each stage is planned for the sizes that the ones before have found. */
final class StagedRuns implements Runs {

    private final Graph graph;
    private final InnerNetworks inner;
    private final List<Stage> stages;
    private final RunLock lock;
    private final List<StageRun> runs = new ArrayList<>();

    StagedRuns(InnerNetworks inner, List<Stage> stages, RunLock lock) {
        this.graph = inner.graph();
        this.inner = inner;
        this.stages = stages;
        this.lock = lock;
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return run(inputs, (runs, given) -> runs.run(given, stopped));
    }

    /** The times of all stages. */
    @Override
    public List<PartTimes> profile(Map<String, Tensor> inputs) {
        List<PartTimes> times = new ArrayList<>();
        Map<String, Tensor> outputs = run(inputs, (runs, given) -> {
            times.addAll(runs.profile(given));
            return runs.run(given, () -> false);
        });
        outputs.values().forEach(Tensor::close);
        return times;
    }

    private Map<String, Tensor> run(Map<String, Tensor> inputs, StageRun.Use use) {
        Signature.of(graph, inputs, Set.of());
        lock.begin();
        try {
            lock.requireOpen();
            return inStages(inputs, use);
        } finally {
            lock.end();
        }
    }

    private Map<String, Tensor> inStages(Map<String, Tensor> inputs, StageRun.Use use) {
        Set<String> wanted = new HashSet<>(graph.outputs());
        Map<String, Tensor> made = new HashMap<>();
        try {
            for (int i = 0; i < stages.size(); i++) {
                Map<String, Tensor> given = new HashMap<>();
                for (String name : stages.get(i).inputs()) {
                    given.put(name, made.getOrDefault(name, inputs.get(name)));
                }
                made.putAll(stage(i, given).run(given, use));
            }
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            graph.outputs().forEach(name -> outputs.put(name, made.get(name)));
            made.keySet().removeAll(wanted);
            return outputs;
        } finally {
            made.values().forEach(Tensor::close);
        }
    }

    private StageRun stage(int stage, Map<String, Tensor> given) {
        while (runs.size() <= stage) {
            runs.add(stages.get(stage)
                    .control()
                    .<StageRun>map(node -> new ControlRun(inner, node, stages.get(stage)))
                    .orElseGet(() -> new StageRun.Planned(inner.stageRuns(stage, given))));
        }
        return runs.get(stage);
    }

    /** The parts of all stages in the latest run. */
    @Override
    public List<RunPart> parts() {
        if (!hasRun()) {
            throw new IllegalStateException(
                    "there was no run yet: where data decide sizes, only a run says what it needs");
        }
        return runs.stream().flatMap(run -> run.parts().stream()).toList();
    }

    @Override
    public boolean hasRun() {
        return runs.size() == stages.size();
    }

    @Override
    public List<String> recoveries() {
        return runs.stream().flatMap(run -> run.recoveries().stream()).toList();
    }

    @Override
    public void close() {
        runs.forEach(StageRun::close);
    }
}
