package org.clinfer.run;

import org.clinfer.plan.Step;

/** How long one step of a plan took by itself. */
public record StepTime(Step step, long nanos) {}
