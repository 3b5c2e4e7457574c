/**
 * The classes that a user of the library sees, and those that hold the stages together.
 *
 * <p>A program opens an {@link org.clinfer.Engine} with {@link org.clinfer.EngineOptions}, loads a
 * {@link org.clinfer.Model}, and runs it in a {@link org.clinfer.Session}, which gives a {@link org.clinfer.Result}. A
 * session also tells where nodes run ({@link org.clinfer.Placement}), what memory they take
 * ({@link org.clinfer.MemoryUse}) and what time ({@link org.clinfer.RunProfile}); a model is tuned
 * ({@link org.clinfer.Tuning}). {@link org.clinfer.CapabilityChecker} holds networks against devices that are not there,
 * and {@link org.clinfer.DeviceProbe} asks one that is. What does not fit is an {@link org.clinfer.errors.InputException}, a
 * {@link org.clinfer.graph.GraphException} or a {@link org.clinfer.errors.DeviceUnavailableException}; none of them is checked.
 *
 * <p>The other classes are the engine's own. It is opened by {@code DeviceSelection} and {@code DescriptionLoading}, and
 * what its models and sessions share is in {@code Engine.Tools}. {@code PlanBuilder} takes a graph through check, place
 * and plan, under {@code PlanLimits} and within a {@code MemoryBudget}; {@code NodeFailures} says what is wrong with it,
 * {@code LiveReport} reports on it, {@code Tuner} measures it. A session keeps its plans in a {@code PlanCache} by
 * {@code Signature}, and those ready to run in {@code ReadyPlans}; {@code Recovery} decides how it goes on when the device fails, {@code StagedRuns} how where data
 * decide sizes.
 */
@NullMarked
package org.clinfer;

import org.jspecify.annotations.NullMarked;
