/**
 * Data kept on disk between runs: programs as the driver compiled them, and choices of kernel variants. Nothing here
 * ever fails a run: what cannot be read or written is as if it had never been kept.
 */
@NullMarked
package org.clinfer.cache;

import org.jspecify.annotations.NullMarked;
