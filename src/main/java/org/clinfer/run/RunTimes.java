package org.clinfer.run;

import java.util.List;

/**
 * How long a run takes.
 *
 * @param steps each step by itself, in order
 * @param runNanos a whole run as usual, by the host's clock
 * @param kernelNanos the kernels of this run, by the device's clock
 */
public record RunTimes(List<StepTime> steps, long runNanos, long kernelNanos) {

    public RunTimes {
        steps = List.copyOf(steps);
    }
}
