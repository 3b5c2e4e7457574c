package org.clinfer.profile;

import java.util.Arrays;
import java.util.List;

/** A formula of the section {@code [cost]} of a rule file, which is about the whole device. */
public enum CostFigure {
    /** Cycles of the clock in a second. */
    CLOCK_HZ("clock_hz"),
    /** Seconds in which a node's bytes go through the device's own memory; seen beside the figures: the node's amounts. */
    MEMORY_SECONDS("memory_seconds"),
    /** Seconds that a node takes beside computing and moving bytes. */
    NODE_SECONDS("node_seconds"),
    /** Seconds in which a partition is started and its end noticed. */
    START_SECONDS("start_seconds"),
    /** Bytes in a second between the device and the host. */
    LINK_BYTES_PER_SECOND("link_bytes_per_second"),
    /** Tells whether the network's own inputs and outputs cross that link: 1 or 0. */
    ENDS_CROSS("ends_cross"),
    /** Bytes of weights that stay on the device between runs; the others cross the link in each. */
    RESIDENT_WEIGHT_BYTES("resident_weight_bytes"),
    /** Multiply-adds of the host in a second, for nodes that fall back. */
    HOST_MULTIPLY_ADDS_PER_SECOND("host_multiply_adds_per_second"),
    /** Bytes that such nodes of the host without multiply-adds read and write in a second. */
    HOST_BYTES_PER_SECOND("host_bytes_per_second");

    private final String key;

    CostFigure(String key) {
        this.key = key;
    }

    /** {@return the key in rule files} */
    public String key() {
        return key;
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(CostFigure::key).toList();
    }
}
