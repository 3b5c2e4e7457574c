/**
 * The elements of tensors in the arrays in which they are computed: read and written, copied as bytes, broadcast, walked
 * by strides, wrapped, ordered.
 */
@NullMarked
package org.clinfer.cpu.memory;

import org.jspecify.annotations.NullMarked;
