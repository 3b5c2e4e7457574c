/**
 * Data kept on disk between runs: programs as the driver compiled them, choices of kernel variants,
 * kernels that passed their self-test, and how matrix units are reached. Nothing here
 * ever fails a run: what cannot be read or written is as if it had never been kept.
 */
@NullMarked
package org.clinfer.cache;

import org.jspecify.annotations.NullMarked;
