/**
 * Chooses the layout of every value of a placed graph: NCHW as the model has it, or blocked channels (nChw16c), in which
 * processors with wide vectors compute faster, with as few changes between the two as a minimum cut finds. Pure; needs no
 * device.
 */
@NullMarked
package org.clinfer.plan.layout;

import org.jspecify.annotations.NullMarked;
