package org.clinfer.plan.rule;

/** Constants that broadcast to a tensor with one element for each of its channels. */
final class PerChannel {

    private PerChannel() {}

    /**
     * The channels' axis if a tensor of these sizes, which broadcasts to one of {@code rank} axes, differs along it alone or
     * has one element; else -1.
     */
    static int axis(long[] sizes, int rank, int channelAxis) {
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] != 1 && rank - sizes.length + i != channelAxis) {
                return -1;
            }
        }
        return sizes.length <= rank ? channelAxis : -1;
    }
}
