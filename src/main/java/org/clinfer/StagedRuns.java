package org.clinfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.clinfer.check.Stages.Stage;
import org.clinfer.tensor.Tensor;

/** Runs of a network in stages: each stage is planned for the sizes that the ones before have found. */
final class StagedRuns implements AutoCloseable {

    private final Model model;
    private final List<Stage> stages;
    private final List<StageRun> runs = new ArrayList<>();

    StagedRuns(Model model, List<Stage> stages) {
        this.model = model;
        this.stages = stages;
    }

    Result run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return new Result(
                run(inputs, (session, given) -> session.run(given, stopped).outputs()));
    }

    /** The times of all stages. */
    RunProfile profile(Map<String, Tensor> inputs) {
        List<RunProfile> profiles = new ArrayList<>();
        Map<String, Tensor> outputs = run(inputs, (session, given) -> {
            profiles.add(session.profile(given));
            return session.run(given).outputs();
        });
        outputs.values().forEach(Tensor::close);
        return new RunProfile(
                profiles.stream().flatMap(stage -> stage.entries().stream()).toList(),
                profiles.stream().mapToLong(RunProfile::runNanos).sum(),
                profiles.stream().mapToLong(RunProfile::kernelNanos).sum());
    }

    private Map<String, Tensor> run(Map<String, Tensor> inputs, StageRun.Use use) {
        Set<String> wanted = new HashSet<>(model.outputs());
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
            model.outputs().forEach(name -> outputs.put(name, made.get(name)));
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
                    .<StageRun>map(node -> new ControlRun(model, node, stages.get(stage)))
                    .orElseGet(
                            () -> new StageRun.Planned(model.part(stage, given).session())));
        }
        return runs.get(stage);
    }

    /** The placement of the nodes of all stages in the latest run. */
    Placement placement() {
        requireRun();
        return Placement.joined(runs.stream().map(StageRun::placement).toList());
    }

    /** The memory of all stages in the latest run. */
    MemoryUse memory() {
        requireRun();
        return runs.stream().map(StageRun::memory).reduce(MemoryUse.NONE, MemoryUse::plus);
    }

    boolean hasRun() {
        return runs.size() == stages.size();
    }

    private void requireRun() {
        if (!hasRun()) {
            throw new IllegalStateException("no run came to its end yet");
        }
    }

    List<String> recoveries() {
        return runs.stream().flatMap(run -> run.recoveries().stream()).toList();
    }

    @Override
    public void close() {
        runs.forEach(StageRun::close);
    }
}
