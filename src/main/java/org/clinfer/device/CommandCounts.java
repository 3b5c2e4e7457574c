package org.clinfer.device;

/**
 * Calls by which the host keeps a device busy, of all queues together.
 *
 * @param launches kernels that were launched
 * @param transfers copies between host and device memory; memory that is shown by a map is one, too
 * @param waits calls that return only when commands are done
 */
public record CommandCounts(long launches, long transfers, long waits) {

    /** No calls. */
    public static final CommandCounts NONE = new CommandCounts(0, 0, 0);

    /**
     * {@return the calls since the earlier counts}
     *
     * @param earlier counts of the same engine
     */
    public CommandCounts since(CommandCounts earlier) {
        return new CommandCounts(launches - earlier.launches, transfers - earlier.transfers, waits - earlier.waits);
    }
}
