package org.clinfer.trace;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.function.Function;

/** Something that an engine did. Times are nanoseconds; begins are on the clock of {@link System#nanoTime()}. */
public sealed interface TraceEvent {

    /**
     * The time that something took on the host, or on a device by the host's clock.
     *
     * @param startNanos the begin
     * @param nanos the duration
     */
    record Time(long startNanos, long nanos) {

        /**
         * {@return the time from the start to the end}
         *
         * @param startNanos on the clock of {@link System#nanoTime()}
         * @param endNanos on the same clock
         */
        public static Time between(long startNanos, long endNanos) {
            return new Time(startNanos, endNanos - startNanos);
        }

        /** {@return the end, on the clock of {@link System#nanoTime()}} */
        public long endNanos() {
            return startNanos + nanos;
        }
    }

    /** {@return the time that it took by the host's clock} */
    Time time();

    /**
     * One run of a session, with the plans and builds that it had to wait for.
     *
     * @param number counted from 1, different for all runs in this process
     * @param network the network's name
     * @param isOneByOne whether the host waited for each step, and chains were launched node by node, as for
     *     {@code Session.profile}
     * @param time of the host
     * @param steps their number; 0 where steps were not asked for
     * @param device the time of all commands on the device; empty where steps were not asked for, or nothing ran there
     * @param failure what it threw; empty where it came to its end
     */
    record Run(
            long number,
            String network,
            boolean isOneByOne,
            Time time,
            int steps,
            OptionalLong device,
            Optional<String> failure)
            implements TraceEvent {}

    /** The kinds of steps. */
    enum StepKind {
        /** The kernels of one node. */
        KERNELS,
        /** The kernels of several nodes in one launch. */
        CHAIN,
        /** One node on the CPU. */
        CPU,
        /** A value goes to the device. */
        UPLOAD,
        /** A value comes from the device, because the CPU goes on with it. */
        DOWNLOAD,
        /** Results come from the device, and the host waits for everything that was begun. */
        RESULTS;

        /** {@return the name in lower case} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One step of a run.
     *
     * @param run the number of the run
     * @param index within the plan, counted from 0
     * @param kind of work
     * @param work the nodes that it computes, in order; none for a transfer
     * @param value the value that is transferred; empty otherwise
     * @param bytes of a transfer; else what the nodes read and write, each value once a node
     * @param time of the host: to start the commands, or to compute a node of the CPU
     * @param commands the commands of the device that it started
     * @param device the device; empty without commands
     * @param liveBytes memory of the values that are needed before, in and after this step, on host and device, without
     *     weights, inputs and results
     */
    record Step(
            long run,
            int index,
            StepKind kind,
            List<NodeWork> work,
            String value,
            long bytes,
            Time time,
            List<Command> commands,
            String device,
            long liveBytes)
            implements TraceEvent {

        public Step {
            work = List.copyOf(work);
            commands = List.copyOf(commands);
        }

        /** {@return the names of the nodes with a comma between, or the value} */
        public String label() {
            return work.isEmpty() ? value : joined(NodeWork::node);
        }

        /** {@return the operators of the nodes with a comma between, or the kind of transfer} */
        public String operators() {
            return work.isEmpty() ? kind.word() : joined(NodeWork::op);
        }

        /** {@return the kernel variants of the nodes with a comma between; empty where there are none} */
        public String variants() {
            return joined(NodeWork::variant);
        }

        private String joined(Function<NodeWork, String> part) {
            if (work.size() == 1) {
                return part.apply(work.get(0));
            }
            StringJoiner all = new StringJoiner(",");
            for (NodeWork each : work) {
                String text = part.apply(each);
                if (!text.isEmpty()) {
                    all.add(text);
                }
            }
            return all.toString();
        }

        /** {@return the nanoseconds of its commands on the device; 0 where none was measured} */
        public long deviceNanos() {
            long sum = 0;
            for (Command command : commands) {
                sum += command.device().map(Time::nanos).orElse(0L);
            }
            return sum;
        }

        /** {@return multiplications with an addition; empty where it is not known of a node that is counted} */
        public OptionalLong multiplyAdds() {
            long sum = 0;
            for (NodeWork each : work) {
                if (each.multiplyAdds().isEmpty()) {
                    return OptionalLong.empty();
                }
                sum += each.multiplyAdds().getAsLong();
            }
            return OptionalLong.of(sum);
        }
    }

    /**
     * A node that a step computes.
     *
     * @param node its name
     * @param op its operator
     * @param form the operator as which it runs, where that is another one; else as {@code op}
     * @param variant the kernel variant; empty on the CPU
     * @param fused the nodes whose work it does beside its own
     * @param launches its kernels
     * @param multiplyAdds multiplications with an addition; empty where not known; 0 for an operator without any worth
     *     counting
     * @param bytes that it reads and writes, each value once; 0 where its values lie where they have to
     * @param reasons why it does not run in a way that stands before this one: in the order of the operator's variants,
     *     fastest first; for the CPU, why not on the device
     */
    record NodeWork(
            String node,
            String op,
            String form,
            String variant,
            List<String> fused,
            List<KernelSize> launches,
            OptionalLong multiplyAdds,
            long bytes,
            List<String> reasons) {

        public NodeWork {
            fused = List.copyOf(fused);
            launches = List.copyOf(launches);
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * A kernel with its work size.
     *
     * @param kernel the kernel's name
     * @param global work-items in each dimension
     * @param local work-items of a group in each dimension; empty for the driver's choice
     */
    record KernelSize(String kernel, List<Long> global, List<Long> local) {

        public KernelSize {
            global = List.copyOf(global);
            local = List.copyOf(local);
        }
    }

    /**
     * A command of the device.
     *
     * @param name of the kernel, or {@code write}, {@code read}, {@code map} and so on
     * @param isKernel whether it is a kernel
     * @param bytes of a transfer
     * @param enqueued the host's call
     * @param device when it ran, brought onto the host's clock; empty where the driver gives no times of it
     */
    record Command(String name, boolean isKernel, long bytes, Time enqueued, Optional<Time> device) {}

    /**
     * A plan was made.
     *
     * @param network the network's name
     * @param device the device; empty where the CPU does everything
     * @param inputs the types of the inputs
     * @param onDevice nodes that run on the device
     * @param onCpu nodes that run on the CPU
     * @param launches kernels that a run launches
     * @param deviceBytes memory of values on the device
     * @param hostBytes memory of values on the host
     * @param time that making it took
     */
    record Plan(
            String network,
            String device,
            String inputs,
            int onDevice,
            int onCpu,
            int launches,
            long deviceBytes,
            long hostBytes,
            Time time)
            implements TraceEvent {}

    /**
     * A program was made.
     *
     * @param program the file and the options, or the names of several
     * @param device that it is for
     * @param isCached whether of a binary that was kept, and not of its source
     * @param time that making it took
     * @param failure why it does not build; empty where it does
     */
    record Build(String program, String device, boolean isCached, Time time, Optional<String> failure)
            implements TraceEvent {}

    /**
     * A node is planned for the CPU although there is a device.
     *
     * @param network the network's name
     * @param node the node's name
     * @param op its operator
     * @param reasons why the device does not take it, or why the CPU is to
     * @param time when it was decided
     */
    record Fallback(String network, String node, String op, List<String> reasons, Time time) implements TraceEvent {

        public Fallback {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * A step was taken after a failure of the device.
     *
     * @param device that failed
     * @param step what was done, and because of what
     * @param time that it took
     */
    record Recovery(String device, String step, Time time) implements TraceEvent {}

    /**
     * A use of an operator was measured in several variants.
     *
     * @param node the first node of this use
     * @param op the operator
     * @param nodes of this use in the network
     * @param variants the medians, in the order in which they are tried, the usual one first
     * @param chosen the variant that is used from now on
     * @param time that measuring took
     */
    record Trial(String node, String op, int nodes, List<VariantTime> variants, String chosen, Time time)
            implements TraceEvent {

        public Trial {
            variants = List.copyOf(variants);
        }
    }

    /**
     * The median time of a variant, in microseconds.
     *
     * @param variant the variant's name
     * @param micros the median
     */
    record VariantTime(String variant, double micros) {}

    /**
     * The measurement of what a device can do at most.
     *
     * @param device its name; {@link #CPU} for the CPU path
     * @param gflops billions of float32 operations a second
     * @param gigabytes read and written in a second, in billions of bytes
     * @param time that measuring took
     */
    record Peak(String device, double gflops, double gigabytes, Time time) implements TraceEvent {

        /** Stands for the CPU path. */
        public static final String CPU = "cpu";
    }
}
