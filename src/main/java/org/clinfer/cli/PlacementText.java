package org.clinfer.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.Placement;
import org.clinfer.Precision;
import org.clinfer.report.TextTable;
import org.clinfer.text.Printable;

/** A placement as lines for people: where each node runs, and why not on the device, and in which precision. */
final class PlacementText {

    private static final int NODE_WIDTH = 48;

    /** Begins the log in the message of {@link org.clinfer.opencl.ClBuildException}. */
    private static final Pattern BUILD_LOG = Pattern.compile("\noptions: .*\nbuild log:\n");

    private PlacementText() {}

    /** On one line, but for what a compiler said. */
    private static void reason(TextTable table, String reason) {
        Matcher log = BUILD_LOG.matcher(reason);
        boolean hasLog = log.find();
        table.note("    " + Printable.message(hasLog ? reason.substring(0, log.start()) : reason));
        if (hasLog) {
            reason.substring(log.end()).lines().forEach(line -> table.note("        " + Printable.message(line)));
        }
    }

    static List<String> lines(Placement placement, int width) {
        TextTable table = new TextTable().row("NODE", "OPERATOR", "RUNS ON", "PRECISION", "VARIANT");
        for (Placement.Entry entry : placement.nodes()) {
            boolean device = entry.target() == Placement.Target.DEVICE;
            table.row(
                    TextTable.shortened(entry.node(), NODE_WIDTH),
                    TextTable.shortened(entry.op(), NODE_WIDTH),
                    device ? "device" : "cpu",
                    entry.precision().map(Precision::word).orElse(""),
                    entry.fusedInto().isEmpty()
                            ? entry.variant()
                            : "in " + TextTable.shortened(entry.fusedInto(), NODE_WIDTH));
            entry.reasons().forEach(reason -> reason(table, reason));
        }
        List<String> lines = new ArrayList<>(table.lines(width));
        long fused = placement.nodes().stream()
                .filter(entry -> !entry.fusedInto().isEmpty())
                .count();
        lines.add(placement.count(Placement.Target.DEVICE) + " on the device"
                + (placement.device().isEmpty() ? "" : " " + placement.device()) + ", "
                + placement.count(Placement.Target.CPU) + " on the CPU"
                + (fused == 0 ? "" : "; " + fused + " of these run as part of another one")
                + (placement.launches() == 0 ? "" : "; launches of kernels in a run: " + placement.launches()));
        return lines;
    }
}
