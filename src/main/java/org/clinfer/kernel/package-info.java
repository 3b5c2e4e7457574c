/**
 * The catalogue of kernel variants as pure data: which variant takes an operator use on which device (yes, or no with
 * the reason), which source and build options it needs, its arguments by name and its launch shape. Reads the variants
 * from the operator descriptions; needs no device.
 */
@NullMarked
package org.clinfer.kernel;

import org.jspecify.annotations.NullMarked;
