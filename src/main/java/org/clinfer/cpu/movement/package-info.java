/** Operators that move elements, tell their indices, or make tensors from shapes and numbers. */
@NullMarked
package org.clinfer.cpu.movement;

import org.jspecify.annotations.NullMarked;
