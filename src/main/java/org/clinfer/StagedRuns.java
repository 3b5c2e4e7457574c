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
    private final List<Session> sessions = new ArrayList<>();

    StagedRuns(Model model, List<Stage> stages) {
        this.model = model;
        this.stages = stages;
    }

    /** What a stage is asked for; its outputs are the caller's. */
    @FunctionalInterface
    private interface Use {
        Map<String, Tensor> of(Session session, Map<String, Tensor> inputs);
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

    private Map<String, Tensor> run(Map<String, Tensor> inputs, Use use) {
        Set<String> wanted = new HashSet<>(model.outputs());
        Map<String, Tensor> made = new HashMap<>();
        try {
            for (int i = 0; i < stages.size(); i++) {
                Map<String, Tensor> given = new HashMap<>();
                for (String name : stages.get(i).inputs()) {
                    given.put(name, made.getOrDefault(name, inputs.get(name)));
                }
                made.putAll(use.of(session(i, given), given));
            }
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            model.outputs().forEach(name -> outputs.put(name, made.get(name)));
            made.keySet().removeAll(wanted);
            return outputs;
        } finally {
            made.values().forEach(Tensor::close);
        }
    }

    private Session session(int stage, Map<String, Tensor> given) {
        while (sessions.size() <= stage) {
            sessions.add(model.part(stage, given).session());
        }
        return sessions.get(stage);
    }

    /** Where the nodes of all stages ran in the latest run. */
    Placement placement() {
        requireRun();
        List<Placement> placements = sessions.stream().map(Session::placement).toList();
        return new Placement(
                placements.get(0).device(),
                placements.stream().flatMap(stage -> stage.nodes().stream()).toList());
    }

    /** The memory of all stages in the latest run. */
    MemoryUse memory() {
        requireRun();
        return sessions.stream().map(Session::memory).reduce(MemoryUse.NONE, MemoryUse::plus);
    }

    private void requireRun() {
        if (sessions.size() < stages.size()) {
            throw new IllegalStateException("no run came to its end yet");
        }
    }

    List<String> recoveries() {
        return sessions.stream()
                .flatMap(session -> session.recoveries().stream())
                .toList();
    }

    @Override
    public void close() {
        sessions.forEach(Session::close);
    }
}
