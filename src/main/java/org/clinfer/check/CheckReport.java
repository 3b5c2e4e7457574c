package org.clinfer.check;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.ConverterStep;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * The capability report of a network on one device.
 *
 * @param model the model's name
 * @param device the device it was checked for, as people call it; {@code cpu} if none
 * @param profile short name of the device profile; empty where a live device was asked
 * @param inputs type of every graph input it was checked with
 * @param sized the inputs whose sizes the model leaves open, and that were checked with sizes nevertheless
 * @param nodes one report per node, in execution order
 * @param summary what it all comes to
 * @param wholes the composed node of the network, by the names of its parts among {@code nodes}
 * @param basis what the report rests on; empty where a live device was asked
 * @param cost what a run costs
 * @param findings what speaks against the network as a whole: limits that its nodes share
 */
public record CheckReport(
        String model,
        String device,
        String profile,
        Map<String, TensorType> inputs,
        List<String> sized,
        List<NodeReport> nodes,
        Summary summary,
        Map<String, Whole> wholes,
        Optional<Basis> basis,
        NetworkCost cost,
        List<Finding> findings) {

    /**
     * A report of a network without composed nodes on a live device.
     *
     * @param model the model's name
     * @param device the device's name
     * @param profile short name of the device profile; empty for a live device
     * @param inputs type of every graph input
     * @param nodes one report per node, in execution order
     * @param summary what it all comes to
     */
    public CheckReport(
            String model,
            String device,
            String profile,
            Map<String, TensorType> inputs,
            List<NodeReport> nodes,
            Summary summary) {
        this(
                model,
                device,
                profile,
                inputs,
                List.of(),
                nodes,
                summary,
                Map.of(),
                Optional.empty(),
                NetworkCost.NONE,
                List.of());
    }

    /**
     * The profile, its rules and the options that a report rests on.
     *
     * @param profileFile the file of the profile
     * @param profileHash SHA-256 of its content, in hexadecimal digits
     * @param rulesFile the file of the family's rules
     * @param rulesHash SHA-256 of its content, in hexadecimal digits
     * @param reading how restrictions are read
     * @param float32As the type to which the network was taken to be quantized or converted; empty: as it is
     * @param countedAs the type that values of float32 have where bytes and times are counted; empty: as it is
     * @param passingTypes the types to which the network would have to be quantized or converted for more than half of its
     *     multiply-adds to pass that do not as float32; empty where there are none, or a type was asked for
     * @param asWritten whether the network was judged as its file has it, without the family's converter
     * @param conversions the steps of the converter that changed something, with the number of nodes that each changed
     */
    public record Basis(
            String profileFile,
            String profileHash,
            String rulesFile,
            String rulesHash,
            Reading reading,
            Optional<DType> float32As,
            Optional<DType> countedAs,
            List<DType> passingTypes,
            boolean asWritten,
            Map<ConverterStep, Integer> conversions) {

        public Basis {
            passingTypes = List.copyOf(passingTypes);
            conversions = Collections.unmodifiableMap(new TreeMap<>(conversions));
        }
    }

    /**
     * A composed node as it stands in the network.
     *
     * @param node its name
     * @param op its operator
     * @param source where it comes from
     * @param inputs what it takes
     * @param outputs what it gives
     */
    public record Whole(String node, String op, SourceRef source, List<Value> inputs, List<Value> outputs) {

        public Whole {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }
    }

    /**
     * A value that a node takes or gives; nodes with a value of the same name are connected.
     *
     * @param name in the network
     * @param type its type where that could be inferred; dimensions may be unknown
     */
    public record Value(String name, Optional<TensorType> type) {

        @Override
        public String toString() {
            return name + ": " + type.map(TensorType::toString).orElse("?");
        }
    }

    /**
     * The work of one run of a node.
     *
     * @param multiplyAdds multiplications with an addition, 0 where none are worth counting; empty where sizes, or
     *     what the node does, are not known
     * @param weightBytes bytes of its constants
     */
    public record Work(OptionalLong multiplyAdds, long weightBytes) {

        /** Nothing. */
        public static final Work NONE = new Work(OptionalLong.of(0), 0);
    }

    /**
     * The report on one node.
     *
     * @param node the node's name
     * @param op its canonical operator
     * @param source where it comes from
     * @param verdict where it can run
     * @param variant kernel variant on the device, {@link #CONSTANT} for a node whose results are computed beforehand, or
     *     empty
     * @param findings everything that speaks against the device, or against the node itself
     * @param inputs what it takes; optional inputs that are left out are not among it
     * @param outputs what it gives, with the inferred types
     * @param work what computing it takes
     * @param converted what the family's converter made of it; empty for a node that is there as it stands
     * @param isAdded whether the file does not have it: reading it made a transpose between layouts, a conversion
     *     between quantized numbers and floats, or another name of a value, for another node
     */
    public record NodeReport(
            String node,
            String op,
            SourceRef source,
            Verdict verdict,
            String variant,
            List<Finding> findings,
            List<Value> inputs,
            List<Value> outputs,
            Work work,
            Optional<Converted> converted,
            boolean isAdded) {

        /** The variant of a node whose results are computed beforehand. */
        public static final String CONSTANT = "constant";

        /**
         * A node of the file, which is there as it stands.
         *
         * @param node the node's name
         * @param op its canonical operator
         * @param source where it comes from
         * @param verdict where it can run
         * @param variant kernel variant on the device, or empty
         * @param findings everything that speaks against the device, or against the node itself
         * @param inputs what it takes
         * @param outputs what it gives
         * @param work what it computes and moves
         */
        public NodeReport(
                String node,
                String op,
                SourceRef source,
                Verdict verdict,
                String variant,
                List<Finding> findings,
                List<Value> inputs,
                List<Value> outputs,
                Work work) {
            this(node, op, source, verdict, variant, findings, inputs, outputs, work, Optional.empty(), false);
        }

        public NodeReport {
            findings = List.copyOf(findings);
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }

        /**
         * {@return the same node with another decision}
         *
         * @param other where it can run
         * @param kernel kernel variant on the device, or empty
         * @param reasons everything that speaks against the device
         */
        public NodeReport with(Verdict other, String kernel, List<Finding> reasons) {
            return new NodeReport(node, op, source, other, kernel, reasons, inputs, outputs, work, converted, isAdded);
        }

        /** {@return whether it runs on the device, or nothing of it is left to run} */
        public boolean isOnDevice() {
            return verdict == Verdict.ON_DEVICE;
        }

        /** {@return whether its results are computed beforehand, so that nothing of it is left to run} */
        public boolean isConstant() {
            return variant.equals(CONSTANT);
        }

        /** {@return whether it is part of another node on the device, and no node of its own} */
        public boolean isPart() {
            return converted.filter(of -> !of.into.isEmpty()).isPresent();
        }

        /** {@return whether it counts as a node: it is one of the file, runs, and is not part of another} */
        public boolean isCounted() {
            return !isPart() && !isConstant() && !isAdded;
        }
    }

    /**
     * A change to a node that a converter makes.
     *
     * @param step the step that changed it
     * @param into the node that it is part of then; {@code ""} where it stays a node, as another operator
     */
    public record Converted(ConverterStep step, String into) {

        @Override
        public String toString() {
            return into.isEmpty() ? step.word() : step.deed() + " " + into + " (" + step.word() + ")";
        }
    }

    /**
     * The network as a whole; bytes are those of the types that values have on the device. Nodes whose results are computed beforehand, those that are part of others, and those that the file does not have, count nowhere;
     * what is unknown, unsupported or invalid counts as not on the device.
     *
     * @param nodesOnDevice how many nodes run on the device
     * @param nodes how many nodes there are
     * @param multiplyAddsOnDevice multiplications with an addition on the device; empty where sizes are not known
     * @param multiplyAdds of all nodes but those whose operators or inputs are not known; empty where sizes are not known
     * @param partitions pieces that the device runs without waiting for the CPU in between
     * @param crossingBytes bytes of the values that cross between device and host, which are those of the cost; empty where
     *     sizes are not known
     * @param weightBytes bytes of the constants that nodes on the device use
     * @param peakActivationBytes the most that is alive at once of the values that nodes on the device take and give, when
     *     the nodes run in their order; empty where sizes are not known
     * @param memoryBytes what the device has; empty where the profile does not say
     */
    public record Summary(
            long nodesOnDevice,
            long nodes,
            OptionalLong multiplyAddsOnDevice,
            OptionalLong multiplyAdds,
            int partitions,
            OptionalLong crossingBytes,
            long weightBytes,
            OptionalLong peakActivationBytes,
            OptionalLong memoryBytes) {

        /** {@return whether weights and activations fit into the device's memory; empty where that is not known} */
        public Optional<Boolean> fitsMemory() {
            return peakActivationBytes.isEmpty() || memoryBytes.isEmpty()
                    ? Optional.empty()
                    : Optional.of(weightBytes + peakActivationBytes.getAsLong() <= memoryBytes.getAsLong());
        }
    }

    public CheckReport {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        sized = List.copyOf(sized);
        nodes = List.copyOf(nodes);
        wholes = Map.copyOf(wholes);
        findings = List.copyOf(findings);
    }

    /**
     * {@return the same report with what speaks against the network as a whole}
     *
     * @param others the findings
     */
    public CheckReport withFindings(List<Finding> others) {
        return new CheckReport(model, device, profile, inputs, sized, nodes, summary, wholes, basis, cost, others);
    }

    /**
     * {@return the same report with another cost}
     *
     * @param other the cost
     */
    public CheckReport withCost(NetworkCost other) {
        return new CheckReport(model, device, profile, inputs, sized, nodes, summary, wholes, basis, other, findings);
    }

    /** {@return the report in which composed nodes stand for their parts, where these have one verdict} */
    public CheckReport ofWholes() {
        return new WholeReports(this).report();
    }

    /**
     * {@return the number of nodes with each verdict, of those that {@linkplain NodeReport#isCounted count}; verdicts that do
     * not occur count 0}
     */
    public Map<Verdict, Long> counts() {
        Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            counts.put(
                    verdict,
                    nodes.stream()
                            .filter(node -> node.isCounted() && node.verdict() == verdict)
                            .count());
        }
        return counts;
    }
}
