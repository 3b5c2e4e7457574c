package org.clinfer.graph;

import java.util.List;

/** Nodes of a model would run on the CPU, although that was not to be. */
public final class FallbackException extends UnsupportedException {

    private static final long serialVersionUID = 1L;

    private final List<String> refusals;

    /**
     * The nodes, of which there is at least one.
     *
     * @param source the model
     * @param refusals of each node one line: where it stands, and why the device does not take it
     */
    public FallbackException(SourceRef source, List<String> refusals) {
        super(
                source,
                "fallback to the CPU",
                refusals.size() + (refusals.size() == 1 ? " node" : " nodes") + " cannot run on the device: "
                        + String.join("; ", refusals));
        this.refusals = List.copyOf(refusals);
    }

    /** {@return one line for each node: where it stands, and why the device does not take it} */
    public List<String> refusals() {
        return refusals;
    }
}
