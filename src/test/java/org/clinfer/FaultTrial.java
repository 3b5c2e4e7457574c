package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;

/**
 * The life of an engine with one network, in one moment of which OpenCL calls fail: that moment gives the right answer, or
 * where it may not a typed error; after it a run is right, and in the end nothing is left.
 *
 * @param network what runs
 * @param binding by which OpenCL is called
 * @param memory of the device
 */
record FaultTrial(Network network, ClBinding binding, Memory memory) {

    static final String RIGHT = "right";

    /** A network, what it is given, and what the CPU makes of that. */
    record Network(String name, Graph graph, Map<String, Tensor> inputs, Map<String, Tensor> expected) {

        static Network of(String name, Graph graph, Map<String, Tensor> inputs) {
            try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                    Model model = engine.load(graph);
                    Session session = model.session();
                    Result result = session.run(inputs)) {
                Map<String, Tensor> expected = new HashMap<>();
                result.outputs().forEach((output, tensor) -> expected.put(output, tensor.copy()));
                return new Network(name, graph, inputs, expected);
            }
        }
    }

    /** The memory of a device, which decides the transfers that there are. */
    enum Memory {
        /** As the device says. */
        AS_IT_IS,
        /** In memory of its own. */
        OWN
    }

    /** When calls fail. */
    enum Moment {
        OPEN,
        FIRST_RUN,
        LATER_RUN,
        PROFILE,
        TUNE,
        CLOSE;

        /** Whether the network has run before. */
        boolean isLater() {
            return this == LATER_RUN || this == PROFILE || this == CLOSE;
        }
    }

    /**
     * Calls that fail.
     *
     * @param first the number of the first in its moment, counted from 1
     * @param burst how many follow one another
     * @param status what they give
     */
    record Fault(int first, int burst, int status) {
        static final Fault NONE = new Fault(0, 0, 0);
    }

    /**
     * How a trial ended.
     *
     * @param calls those made in the moment
     * @param end {@link #RIGHT}, or the name of the error's type
     */
    record Outcome(int calls, String end) {}

    /**
     * One life.
     *
     * @throws AssertionError if a result is wrong or something is left over
     * @throws RuntimeException that the moment must not throw
     */
    Outcome run(Moment moment, Fault fault) {
        CountingClApi counting = CountingClApi.over(binding);
        Outcome outcome = moment == Moment.OPEN ? opening(counting, fault) : living(counting, moment, fault);
        counting.assertAllReleased();
        return outcome;
    }

    private Engine open(CountingClApi counting) {
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        ClApi api = memory == Memory.OWN ? DeviceAnswers.separateMemory(counting.api()) : counting.api();
        return Engine.open(options, () -> OpenCl.over(api));
    }

    private Outcome opening(CountingClApi counting, Fault fault) {
        counting.failAny(fault.first(), fault.burst(), fault.status());
        try (Engine engine = open(counting)) {
            int calls = counting.calls();
            counting.failNoMore();
            try (Model model = engine.load(network.graph());
                    Session session = model.session()) {
                checkRun(session);
            }
            return new Outcome(calls, RIGHT);
        } catch (DeviceUnavailableException | ClException told) {
            return new Outcome(counting.calls(), told.getClass().getSimpleName());
        }
    }

    private Outcome living(CountingClApi counting, Moment moment, Fault fault) {
        Engine engine = open(counting);
        try (engine) {
            Model model = engine.load(network.graph());
            Session session = model.session();
            if (moment.isLater()) {
                checkRun(session);
            }
            int before = counting.calls();
            counting.failAny(fault.first(), fault.burst(), fault.status());
            String end = during(moment, engine, model, session);
            int calls = counting.calls() - before;
            counting.failNoMore();
            if (moment != Moment.CLOSE) {
                checkRun(session);
            }
            return new Outcome(calls, end);
        }
    }

    private String during(Moment moment, Engine engine, Model model, Session session) {
        switch (moment) {
            case FIRST_RUN, LATER_RUN -> checkRun(session);
            case PROFILE ->
                assertThat(session.profile(network.inputs()).entries()).isNotEmpty();
            case TUNE -> {
                try {
                    model.tune(Map.of());
                } catch (ClException told) {
                    return told.getClass().getSimpleName();
                }
            }
            case CLOSE -> {
                session.close();
                model.close();
                engine.close();
            }
            case OPEN -> throw new IllegalArgumentException("the engine is open");
        }
        return RIGHT;
    }

    private void checkRun(Session session) {
        try (Result result = session.run(network.inputs())) {
            assertThat(result.outputs().keySet()).isEqualTo(network.expected().keySet());
            network.expected()
                    .forEach((name, tensor) -> assertThat(
                                    TensorComparison.difference(tensor, result.get(name), Tolerance.DEFAULT))
                            .as("output %s", name)
                            .isEmpty());
        }
    }
}
