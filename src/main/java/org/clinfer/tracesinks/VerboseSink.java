package org.clinfer.tracesinks;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.clinfer.errors.InputException;
import org.clinfer.text.Printable;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/**
 * One line for each event, made for {@code grep} and {@code awk}: {@code clinfer,KIND,} and then {@code key=value} with
 * commas between, always the same keys for a kind. What would end a field or a line stands as a blank.
 */
final class VerboseSink implements TraceSink {

    /** The environment variable that names the kinds, and the Java property, which comes first. */
    static final String VARIABLE = "CLINFER_VERBOSE";

    static final String PROPERTY = "clinfer.verbose";

    private static final double NANOS_PER_MICRO = 1e3;

    /** The subjects of lines. */
    enum Kind {
        /** A line for each run. */
        RUN,
        /** A line for each step of a run, with the variant of its kernels. */
        DISPATCH,
        /** A line for each plan. */
        PLAN,
        /** A line for each program that is built. */
        BUILD,
        /** A line for each node that is planned for the CPU although there is a device. */
        FALLBACK,
        /** A line for each step after a failure of a device. */
        RECOVERY,
        /** A line for each use of an operator that is tuned, and one for the peak that is measured. */
        TUNE
    }

    private final Set<Kind> kinds;
    private final Consumer<String> lines;

    /** @param lines takes each line; called from any thread */
    VerboseSink(Set<Kind> kinds, Consumer<String> lines) {
        this.kinds = EnumSet.copyOf(kinds);
        this.lines = lines;
    }

    /**
     * The sink that the property asks for, or else the environment variable; empty if neither does.
     *
     * @throws InputException if there is no such kind
     */
    static Optional<TraceSink> find(Consumer<String> lines) {
        String asked = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        return kinds(asked == null ? "" : asked).map(kinds -> new VerboseSink(kinds, lines));
    }

    /**
     * Kinds from their names with commas between, or {@code all}; empty for none.
     *
     * @throws InputException if there is no such kind
     */
    static Optional<Set<Kind>> kinds(String names) {
        List<String> given = Arrays.stream(names.split(",", -1))
                .map(name -> name.strip().toUpperCase(Locale.ROOT))
                .filter(name -> !name.isEmpty() && !name.equals("NONE"))
                .toList();
        if (given.isEmpty()) {
            return Optional.empty();
        }
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (String name : given) {
            if (name.equals("ALL")) {
                kinds.addAll(EnumSet.allOf(Kind.class));
            } else {
                kinds.add(kind(name));
            }
        }
        return Optional.of(kinds);
    }

    private static Kind kind(String name) {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InputException(VARIABLE + " or the property " + PROPERTY + " names '"
                        + name.toLowerCase(Locale.ROOT) + "', but there are "
                        + Arrays.stream(Kind.values())
                                .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))
                        + ", all and none"));
    }

    @Override
    public Detail detail() {
        if (kinds.contains(Kind.DISPATCH)) {
            return Detail.STEPS;
        }
        return kinds.contains(Kind.RUN) ? Detail.RUNS : Detail.NONE;
    }

    @Override
    public void accept(TraceEvent event) {
        if (event instanceof TraceEvent.Run run && kinds.contains(Kind.RUN)) {
            line(
                    "run",
                    event.time(),
                    "run",
                    run.number(),
                    "network",
                    run.network(),
                    "mode",
                    run.isOneByOne() ? "one_by_one" : "usual",
                    "steps",
                    run.steps(),
                    "device_us",
                    micros(run.device().orElse(0)),
                    "failure",
                    run.failure().orElse(""));
        } else if (event instanceof TraceEvent.Step step && kinds.contains(Kind.DISPATCH)) {
            dispatch(step);
        } else if (event instanceof TraceEvent.Plan plan && kinds.contains(Kind.PLAN)) {
            line(
                    "plan",
                    event.time(),
                    "network",
                    plan.network(),
                    "device",
                    plan.device(),
                    "inputs",
                    plan.inputs(),
                    "on_device",
                    plan.onDevice(),
                    "on_cpu",
                    plan.onCpu(),
                    "launches",
                    plan.launches(),
                    "device_bytes",
                    plan.deviceBytes(),
                    "host_bytes",
                    plan.hostBytes());
        } else if (event instanceof TraceEvent.Build build && kinds.contains(Kind.BUILD)) {
            line(
                    "build",
                    event.time(),
                    "program",
                    build.program(),
                    "device",
                    build.device(),
                    "from",
                    build.isCached() ? "binary" : "source",
                    "failure",
                    build.failure().orElse(""));
        } else if (event instanceof TraceEvent.Fallback node && kinds.contains(Kind.FALLBACK)) {
            line(
                    "fallback",
                    event.time(),
                    "network",
                    node.network(),
                    "node",
                    node.node(),
                    "op",
                    node.op(),
                    "why",
                    String.join("; ", node.reasons()));
        } else if (event instanceof TraceEvent.Recovery recovery && kinds.contains(Kind.RECOVERY)) {
            line("recovery", event.time(), "device", recovery.device(), "step", recovery.step());
        } else if (event instanceof TraceEvent.Trial trial && kinds.contains(Kind.TUNE)) {
            line(
                    "tune",
                    event.time(),
                    "node",
                    trial.node(),
                    "op",
                    trial.op(),
                    "nodes",
                    trial.nodes(),
                    "chosen",
                    trial.chosen(),
                    "variants",
                    trial.variants().stream()
                            .map(each -> each.variant() + ":" + format(each.micros()))
                            .collect(Collectors.joining(" ")));
        }
    }

    private void dispatch(TraceEvent.Step step) {
        line(
                "dispatch",
                step.time(),
                "run",
                step.run(),
                "step",
                step.index(),
                "kind",
                step.kind().word(),
                "op",
                step.operators().replace(',', ' '),
                "node",
                step.label().replace(',', ' '),
                "variant",
                step.variants().replace(',', ' '),
                "device_us",
                micros(step.deviceNanos()),
                "bytes",
                step.bytes(),
                "multiply_adds",
                step.multiplyAdds().orElse(0));
    }

    private void line(String kind, TraceEvent.Time time, Object... fields) {
        StringBuilder line = new StringBuilder("clinfer,").append(kind);
        for (int i = 0; i < fields.length; i += 2) {
            line.append(',').append(fields[i]).append('=').append(text(fields[i + 1]));
        }
        lines.accept(line.append(",us=").append(micros(time.nanos())).toString());
    }

    private static String text(Object value) {
        return Printable.of(value.toString().replace(',', ' ').replace('\n', ' '));
    }

    private static String micros(long nanos) {
        return format(nanos / NANOS_PER_MICRO);
    }

    private static String format(double micros) {
        return String.format(Locale.ROOT, "%.3f", micros);
    }

    @Override
    public String toString() {
        return VARIABLE;
    }
}
