/**
 * Writes a network so that a device runs more of it: looks for rewrites of the nodes that the device refuses, holds each
 * against the device's rules and against what it replaces, and puts those that hold into the network.
 *
 * <p>{@code Fixer} walks over the network in {@code FixRound}s; {@code FixSearch} looks for the smallest {@code Change} of
 * a part that passes {@code DeviceCheck} and whose results {@code Equality} finds to be the same; {@code NetworkFix} is
 * what comes out. {@code HalfNetwork} and {@code Int32Network} change the types of a network as a whole. All other classes
 * are the {@code Rewrite}s in {@code RewriteTable} and what they are written with: a {@code Site} in a {@code Region} is
 * what is rewritten, a {@code Draft} what is being written, a {@code Replacement} the result.
 */
@NullMarked
package org.clinfer.fix;

import org.jspecify.annotations.NullMarked;
