/**
 * The classes that a Java program sees.
 *
 * <p>A program opens an {@link org.clinfer.Engine} with {@link org.clinfer.EngineOptions}, loads a
 * {@link org.clinfer.Model}, and runs it in a {@link org.clinfer.Session}, which gives a {@link org.clinfer.Result}. A
 * session also tells where nodes run ({@link org.clinfer.Placement}), what memory they take
 * ({@link org.clinfer.MemoryUse}) and what time ({@link org.clinfer.RunProfile}); a model is tuned
 * ({@link org.clinfer.Tuning}). {@link org.clinfer.CapabilityChecker} holds networks against devices that are not there,
 * and {@link org.clinfer.DeviceProbe} asks one that is. All exceptions that explain
 * themselves are {@link org.clinfer.errors.ClinferException}s, and unchecked: what does not fit is an
 * {@link org.clinfer.errors.InputException} or a {@link org.clinfer.graph.GraphException}, and an
 * {@link org.clinfer.errors.DeviceUnavailableException} says that there is no device.
 *
 * <p>What drives the stages for them is in {@code org.clinfer.runtime}.
 */
@NullMarked
package org.clinfer;

import org.jspecify.annotations.NullMarked;
