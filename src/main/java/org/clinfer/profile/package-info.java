/**
 * Device profiles and rules, read from {@code .ini} files: what a SoC has, and what operators must be like to run on it.
 * Stands before {@code judge}, which holds networks against them; needs no device.
 */
@NullMarked
package org.clinfer.profile;

import org.jspecify.annotations.NullMarked;
