/**
 * Makes the reports of checked networks: the verdict on each node by the rules of a profile or by where it was placed, what
 * a family's converter makes of it, the nearest values that would pass, and costs. Needs no device.
 */
@NullMarked
package org.clinfer.judge;

import org.jspecify.annotations.NullMarked;
