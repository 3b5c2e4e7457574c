/**
 * The OpenCL runtime: platforms, devices, contexts, queues, buffers, programs, kernels and events, each with one owner
 * and every call checked. It stands on {@link org.clinfer.opencl.ClApi}, which has two bindings; the session executor
 * stands on it.
 *
 * <p>Using something after it was closed throws {@link java.lang.IllegalStateException}; closing it while another
 * thread is inside a call on it is for the owner to prevent.
 */
@NullMarked
package org.clinfer.opencl;

import org.jspecify.annotations.NullMarked;
