/**
 * Decides for every node of a checked graph where it runs, device or CPU, and keeps the reason for every refusal. The
 * same decision serves the checker's report and the executor. Pure; needs no device, only facts of one.
 */
@NullMarked
package org.clinfer.place;

import org.jspecify.annotations.NullMarked;
