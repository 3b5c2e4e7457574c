package org.clinfer;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Reading;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * Says of networks whether they fit devices that are not there, by the devices' profiles; needs no OpenCL.
 *
 * <pre>{@code
 * CapabilityChecker checker = CapabilityChecker.builtIn();
 * Graph graph = checker.read(Path.of("net.onnx"));
 * DeviceProfile soc = ProfileCatalog.builtIn().find("ascend310");
 * CheckReport report = checker.check(graph, Map.of(), soc, Reading.DOCUMENT);
 * report.nodes().forEach(node -> System.out.println(node.node() + " " + node.verdict().label()));
 * }</pre>
 */
public final class CapabilityChecker {

    private final NetworkChecker networks;

    private CapabilityChecker(NetworkChecker networks) {
        this.networks = networks;
    }

    /** {@return a checker for the operators that come with Clinfer} */
    public static CapabilityChecker builtIn() {
        return new CapabilityChecker(NetworkChecker.builtIn());
    }

    /**
     * {@return a checker for those of further folders as well}
     *
     * @param further each with descriptions of operators
     */
    public CapabilityChecker withOperators(List<Path> further) {
        return new CapabilityChecker(networks.withOperators(further));
    }

    /**
     * {@return a checker for networks that are converted or quantized before they are put on a device: rules see
     * tensors of float32 as the family's own quantization makes them, where it is known, else all as this type} Bytes
     * are still counted as the network has them.
     *
     * @param dtype the type that float32 becomes
     */
    public CapabilityChecker withFloat32As(DType dtype) {
        return new CapabilityChecker(networks.withFloat32As(dtype));
    }

    /**
     * {@return a checker for networks as their files have them: without what the converter of a family does before
     * the device is asked}
     */
    public CapabilityChecker asWritten() {
        return new CapabilityChecker(networks.asWritten());
    }

    /**
     * {@return a checker for reports without the nearest values of a node that would pass, whose search takes longer
     * than the verdicts}
     */
    public CapabilityChecker withoutPassing() {
        return new CapabilityChecker(networks.withoutPassing());
    }

    /**
     * Reads a model file as it can be judged: {@link org.clinfer.graph.Opaque opaque} nodes stand for what Clinfer does not
     * have, and weights whose file is missing have no values. The constants of the graph are the caller's.
     *
     * @param file the model
     * @return its graph; the constants are the caller's
     * @throws org.clinfer.graph.GraphException if the file is not a sound model
     */
    public Graph read(Path file) {
        return Importers.of(networks.operators()).read(file, UnsupportedLayers.OPAQUE);
    }

    /**
     * Holds a network against a profile. Where a dimension, an element or a limit is not known the verdict is not known
     * either, unless it does not depend on that.
     *
     * @param graph the network
     * @param inputTypes types of some inputs instead of the model's own; empty for the {@linkplain Graph.Input#usualType usual ones}
     * @param profile the device
     * @param reading how its restrictions are read
     * @return the verdict on each node, and on the network
     * @throws InputException if a type does not fit the model, or the network cannot be quantized or converted as asked
     */
    public CheckReport check(Graph graph, Map<String, TensorType> inputTypes, DeviceProfile profile, Reading reading) {
        return networks.check(graph, inputTypes, profile, reading);
    }

    /**
     * {@return the same for several profiles; the network is walked once}
     *
     * @param graph the network
     * @param inputTypes types of some inputs; of others the graph's own count
     * @param profiles the devices
     * @param reading how their restrictions are read
     */
    public List<CheckReport> check(
            Graph graph, Map<String, TensorType> inputTypes, List<DeviceProfile> profiles, Reading reading) {
        return networks.check(graph, inputTypes, profiles, reading);
    }

    /**
     * {@return the parts of a network that do not run on the device, each a network of its own whose nodes hand
     * values to each other} Their constants are those of the graph.
     *
     * @param report what was found
     * @param graph what it was found of
     */
    public List<Graph> failing(CheckReport report, Graph graph) {
        return networks.failing(report, graph);
    }

    /**
     * {@return the type of each output of a network, in its order, by shape inference alone; empty where it cannot be
     * known before a run} Sizes that the inputs leave open keep their names.
     *
     * @param graph the network
     */
    public Map<String, Optional<TensorType>> outputTypes(Graph graph) {
        return networks.outputTypes(graph);
    }
}
