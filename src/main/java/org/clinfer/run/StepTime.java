package org.clinfer.run;

import org.clinfer.plan.Step;

/** The time that one step of a plan took by itself. */
public record StepTime(Step step, long nanos) {}
