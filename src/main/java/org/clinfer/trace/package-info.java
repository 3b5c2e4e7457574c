/**
 * The record of what an engine does and how long it takes: runs, their steps on the host and on the device, plans, builds of
 * kernels, nodes that fall back to the CPU, and recoveries. A {@link org.clinfer.trace.TraceSink} takes it.
 * {@link org.clinfer.trace.TraceFile} writes files that Chrome and Perfetto show; the sinks for the JDK's Flight Recorder and
 * for lines of text are internal.
 */
@NullMarked
package org.clinfer.trace;

import org.jspecify.annotations.NullMarked;
