package org.clinfer.fix;

import java.util.List;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;

/**
 * A network of which the device runs more, and how it came about. Closing it closes the constants that were made for it; those
 * of the network before belong to whoever read that.
 */
public final class NetworkFix implements AutoCloseable {

    private final Graph network;
    private final CheckReport before;
    private final List<Applied> applied;
    private final List<Dropped> dropped;
    private final Optional<ResultDifference> difference;
    private final MadeTensors made;

    NetworkFix(
            Graph network,
            CheckReport before,
            List<Applied> applied,
            List<Dropped> dropped,
            Optional<ResultDifference> difference,
            MadeTensors made) {
        this.network = network;
        this.before = before;
        this.applied = List.copyOf(applied);
        this.dropped = List.copyOf(dropped);
        this.difference = difference;
        this.made = made;
    }

    /**
     * A change that was made.
     *
     * @param nodes the nodes that went, in execution order, as {@code 'name' (operator)}
     * @param steps what was done, in order
     * @param operators the operators that came, in execution order
     * @param difference the difference of the results on random inputs
     */
    public record Applied(List<String> nodes, List<String> steps, List<String> operators, ResultDifference difference) {
        public Applied {
            nodes = List.copyOf(nodes);
            steps = List.copyOf(steps);
            operators = List.copyOf(operators);
        }
    }

    /**
     * A change that was found and not made.
     *
     * @param node the node that stays, as {@code 'name' (operator)}
     * @param steps what would have been done
     * @param reason why it was not
     */
    public record Dropped(String node, List<String> steps, String reason) {
        public Dropped {
            steps = List.copyOf(steps);
        }
    }

    /** The network with the changes; as it was where there are none. Its inputs have the types it was checked with. */
    public Graph network() {
        return network;
    }

    /** The report of the network as it was. */
    public CheckReport before() {
        return before;
    }

    /** The changes, in execution order of each round. */
    public List<Applied> applied() {
        return applied;
    }

    /** The changes that were found and not made. */
    public List<Dropped> dropped() {
        return dropped;
    }

    /** The difference of the results of the whole networks; empty where nothing was changed or the network cannot run. */
    public Optional<ResultDifference> difference() {
        return difference;
    }

    @Override
    public void close() {
        made.close();
    }
}
