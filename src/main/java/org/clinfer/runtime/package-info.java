/**
 * The drive of the stages for an engine: from a network that it holds to the runs of its sessions.
 *
 * <p>An engine is opened by {@code DeviceSelection} and {@code DescriptionLoading}; what all its networks share is in
 * {@code EngineContext}. {@code PlanBuilder} takes a {@code Network} through check, place and plan, under {@code
 * PlanLimits} and within a {@code MemoryBudget}; {@code NodeFailures} says what is wrong with it, {@code LiveReport}
 * reports on it, {@code Tuner} measures it, {@code SelfTest} tries its kernels.
 *
 * <p>{@code Runs} are those of a session: {@code PlannedRuns} where the network is planned as a whole,
 * {@code StagedRuns} where data decide sizes or what runs, {@code SuppliedRuns} where the network has defaults. The
 * graphs of stages and nodes are networks of their own, whose runs are within those of the session. {@code Planning}
 * keeps plans in a {@code PlanCache} by {@code Signature}; those ready to run are in {@code ReadyPlans}, and
 * {@code Recovery} decides how to go on when the device fails.
 */
@NullMarked
package org.clinfer.runtime;

import org.jspecify.annotations.NullMarked;
