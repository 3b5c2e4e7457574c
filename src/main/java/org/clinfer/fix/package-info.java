/**
 * Writes a network so that a device runs more of it: looks for rewrites of the nodes that the device refuses, holds each
 * against the device's rules and against what it replaces, and puts those that hold into the network.
 */
@NullMarked
package org.clinfer.fix;

import org.jspecify.annotations.NullMarked;
