package org.clinfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.clinfer.errors.InputException;
import org.clinfer.errors.StateLostException;
import org.clinfer.graph.Graph;
import org.clinfer.run.KeptValues;
import org.clinfer.run.LostValueException;
import org.clinfer.runtime.RunLock;
import org.clinfer.runtime.SessionRuns;
import org.clinfer.runtime.Signature;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Values that stay from one run of a session to the next: inputs that do not change, and outputs that become inputs. On a
 * device with memory of its own they stay there: the former are sent once, the latter do not pass through the host. Where
 * the CPU computes, or the device uses the host's memory, they are used where they lie.
 *
 * <pre>{@code
 * try (IoBinding decoder = session.bind()) {
 *     decoder.carry("present.0.key", "past.0.key").carry("present.0.value", "past.0.value");
 *     decoder.set("past.0.key", empty).set("past.0.value", empty);
 *     for (long token = first; token != end; ) {
 *         try (Result result = decoder.run(Map.of("input_ids", Tensor.of(new long[] {token}, 1, 1)))) {
 *             token = largest(result.get("logits"));
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>With several devices, all runs of a binding are on the one of the first as long as that can be used. Where the state is
 * on a device that is lost, a run fails with a {@link StateLostException}, and the binding goes on from values that are set
 * again. Usable from any thread; runs follow one another, and those of the session. Closed with the session at the latest.
 */
public final class IoBinding implements AutoCloseable {

    private final Graph graph;
    private final SessionRuns runs;
    private final RunLock lock;
    private final Consumer<IoBinding> released;
    private final KeptValues kept = new KeptValues();

    /** The values of inputs for the next run. */
    private final Map<String, Tensor> values = new HashMap<>();

    /** Those of them that earlier runs gave: they belong to the binding. */
    private final Map<String, Tensor> carried = new HashMap<>();

    /** By input, the output that it gets. */
    private final Map<String, String> carries = new LinkedHashMap<>();

    private @Nullable Set<String> fetched;
    private boolean closed;

    /** @param released told when the binding is closed */
    IoBinding(Graph graph, SessionRuns runs, RunLock lock, Consumer<IoBinding> released) {
        this.graph = graph;
        this.runs = runs;
        this.lock = lock;
        this.released = released;
    }

    /**
     * Sets an input for all runs from now on; of one that is {@link #carry carried}, for the next run.
     *
     * @param input by name
     * @param tensor as for {@link Session#run}; open and unchanged until the input is set again or the binding closed, and
     *     if it is carried until the next run has ended
     * @return this
     * @throws InputException if there is no such input, or it is of another type
     */
    public IoBinding set(String input, Tensor tensor) {
        return exclusively(() -> {
            fit(input, tensor.type());
            forget(input);
            values.put(input, tensor);
            if (!carries.containsKey(input)) {
                kept.fix(tensor);
            }
            return this;
        });
    }

    /**
     * Makes an output of each run an input of the next one. It does not come to the host unless it is {@link #fetch fetched}.
     *
     * @param output by name
     * @param input by name, of the same type
     * @return this
     * @throws InputException if there is no such output or input, or the input gets another output
     */
    public IoBinding carry(String output, String input) {
        return exclusively(() -> {
            requireOutput(output);
            requireInput(input);
            String other = carries.putIfAbsent(input, output);
            if (other != null && !other.equals(output)) {
                throw new InputException(
                        "input '" + input + "' gets output '" + other + "' already, so not '" + output + "'");
            }
            return this;
        });
    }

    /**
     * Names the outputs that runs give; none for no output at all. Without this call they are those that are not carried.
     *
     * @param outputs by name
     * @return this
     * @throws InputException if there is no such output
     */
    public IoBinding fetch(String... outputs) {
        return exclusively(() -> {
            Arrays.stream(outputs).forEach(this::requireOutput);
            fetched = Set.copyOf(List.of(outputs));
            return this;
        });
    }

    /** {@return the outputs of a run of the inputs that were set or carried; see {@link #run(Map)}} */
    public Result run() {
        return run(Map.of());
    }

    /**
     * One run. Where it fails, the binding is as it was before; but where it has begun to replace elements of a carried value in
     * its memory, that value is lost.
     *
     * @param inputs those of this run alone, in place of what was set or carried
     * @return the fetched outputs, which belong to the caller
     * @throws InputException if an input is missing, unknown, or of the wrong type, or an output does not fit the input that
     *     it becomes
     * @throws StateLostException if a value was on a device that was lost, or a run that failed had begun to change it
     * @throws IllegalStateException if the binding or the session is closed
     * @see Session#run for what else it throws
     */
    public Result run(Map<String, Tensor> inputs) {
        return exclusively(() -> {
            lock.requireOpen();
            Map<String, Tensor> given = new HashMap<>(values);
            given.putAll(inputs);
            requireWhole(given);
            Set<String> wanted = wanted();
            kept.outputs(new HashSet<>(carries.values()), wanted);
            kept.updatable(updatable(given));
            Map<String, Tensor> outputs = guarded(() -> runs.run(given, () -> false, kept));
            try {
                carries.forEach((input, output) -> fitCarried(output, input, tensor(outputs, output)));
                Map<String, Tensor> result = guarded(() -> result(outputs, wanted));
                carryOver(outputs);
                return new Result(result);
            } catch (RuntimeException | Error e) {
                outputs.values().forEach(this::giveUp);
                throw e;
            }
        });
    }

    private Set<String> wanted() {
        if (fetched != null) {
            return fetched;
        }
        Set<String> wanted = new HashSet<>(graph.outputs());
        wanted.removeAll(carries.values());
        return wanted;
    }

    private static Tensor tensor(Map<String, Tensor> outputs, String name) {
        return Objects.requireNonNull(outputs.get(name), name);
    }

    /** The outputs that the caller gets: the tensors of the run, but copies of those that the next run reads. */
    private Map<String, Tensor> result(Map<String, Tensor> outputs, Set<String> wanted) {
        Map<String, Tensor> result = new LinkedHashMap<>();
        for (String output : graph.outputs()) {
            if (wanted.contains(output)) {
                Tensor made = tensor(outputs, output);
                result.put(output, carries.containsValue(output) ? made.copy() : made);
            }
        }
        return result;
    }

    /** Takes the outputs of a run that has succeeded for the next one. */
    private void carryOver(Map<String, Tensor> outputs) {
        Set<Tensor> given = new HashSet<>();
        carries.forEach((input, output) -> {
            Tensor next = tensor(outputs, output);
            Tensor before = values.put(input, next);
            Tensor own = carried.put(input, next);
            if (own == next) {
                return; // written where it was
            }
            if (own != null) {
                discard(own);
            } else if (before != null) {
                given.add(before);
            }
        });
        given.removeAll(values.values());
        given.forEach(kept::release);
        Set<String> wanted = wanted();
        outputs.forEach((output, tensor) -> {
            if (!carries.containsValue(output) && !wanted.contains(output)) {
                discard(tensor);
            }
        });
    }

    /** By output, what becomes of no other use once it is there: the value of the one input that gets it, from an earlier run. */
    private Map<String, Tensor> updatable(Map<String, Tensor> given) {
        Map<String, Tensor> updatable = new HashMap<>();
        carries.forEach((input, output) -> {
            Tensor own = carried.get(input);
            long uses = given.values().stream().filter(value -> value == own).count();
            if (own != null && given.get(input) == own && uses == 1) {
                updatable.put(output, own);
            }
        });
        return updatable;
    }

    /** Forgets values that a run has left half changed, and refuses to go on with them. */
    private void requireWhole(Map<String, Tensor> given) {
        List<String> lost = new ArrayList<>(given.keySet());
        lost.removeIf(input -> !kept.isUnfinished(Objects.requireNonNull(given.get(input))));
        lost.forEach(this::forget);
        if (!lost.isEmpty()) {
            throw StateLostException.byRun(lost.stream().sorted().toList());
        }
    }

    /** Gives an output of a run up that has failed at its end. */
    private void giveUp(Tensor output) {
        if (carried.containsValue(output)) {
            kept.begin(output); // it has the elements of a run that did not happen
        } else {
            discard(output);
        }
    }

    private void discard(Tensor tensor) {
        kept.release(tensor);
        tensor.close();
    }

    private void fitCarried(String output, String input, Tensor tensor) {
        try {
            fit(input, tensor.type());
        } catch (InputException e) {
            throw new InputException("output '" + output + "' cannot become the next run's input: " + e.getMessage());
        }
    }

    private void fit(String input, TensorType type) {
        requireInput(input);
        if (isInput(graph.inputs(), input)) {
            Signature.types(graph, Map.of(input, type));
        }
    }

    private void requireInput(String input) {
        if (!isInput(graph.inputs(), input) && !isInput(graph.defaults(), input)) {
            throw new InputException("the model has no input '" + input + "'; it has "
                    + graph.inputs().stream().map(Graph.Input::name).toList());
        }
    }

    private static boolean isInput(Collection<Graph.Input> inputs, String name) {
        return inputs.stream().anyMatch(input -> input.name().equals(name));
    }

    private void requireOutput(String output) {
        if (!graph.outputs().contains(output)) {
            throw new InputException("the model has no output '" + output + "'; it has " + graph.outputs());
        }
    }

    /**
     * The value that an input has in the next run, in memory of its own, which is the caller's: a state to be looked at or
     * kept, and perhaps {@link #set} again.
     *
     * @param input by name
     * @return the value
     * @throws InputException if the input has no value
     * @throws StateLostException if it was on a device that was lost, or a run that failed had begun to change it
     */
    public Tensor value(String input) {
        return exclusively(() -> {
            Tensor tensor = values.get(input);
            if (tensor == null) {
                throw new InputException("input '" + input + "' has no value; those that have are " + values.keySet());
            }
            requireWhole(Map.of(input, tensor));
            return guarded(tensor::copy);
        });
    }

    /** {@return the tensor that an input has, as it is held} */
    @Nullable
    Tensor held(String input) {
        return values.get(input);
    }

    /** The number of times that memory was taken on a device for what stays there. */
    int allocations() {
        return kept.allocations();
    }

    /** The result of a call; values that were lost are forgotten. */
    private <T> T guarded(Supplier<T> use) {
        try {
            return use.get();
        } catch (LostValueException e) {
            List<String> lost = new ArrayList<>(carried.keySet());
            lost.removeIf(input -> !kept.isLost(Objects.requireNonNull(carried.get(input))));
            lost.forEach(this::forget);
            throw new StateLostException(lost.stream().sorted().toList(), e);
        }
    }

    private void forget(String input) {
        Tensor before = values.remove(input);
        if (before != null && !values.containsValue(before)) {
            kept.release(before);
        }
        Tensor own = carried.remove(input);
        if (own != null && !carried.containsValue(own)) {
            own.close();
        }
    }

    private <T> T exclusively(Supplier<T> use) {
        lock.begin();
        try {
            if (closed) {
                throw new IllegalStateException("the binding is closed");
            }
            return use.get();
        } finally {
            lock.end();
        }
    }

    /** Waits for a run in progress and gives the values back; more calls do nothing. */
    @Override
    public void close() {
        lock.begin();
        try {
            if (!closed) {
                closed = true;
                carried.values().forEach(Tensor::close);
                carried.clear();
                values.clear();
                kept.close();
                released.accept(this);
            }
        } finally {
            lock.end();
        }
    }
}
