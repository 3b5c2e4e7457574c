package org.clinfer.runtime;

import java.util.List;
import org.clinfer.run.RunTimes;
import org.clinfer.run.StepTime;

/**
 * The times of a plan's run.
 *
 * @param whole of a run as it usually is
 * @param steps of each step alone
 */
public record PartTimes(RunTimes whole, List<StepTime> steps) {}
