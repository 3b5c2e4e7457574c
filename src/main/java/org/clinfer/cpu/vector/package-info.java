/**
 * The innermost loops over floats: in plain Java, and in explicit vectors where the JDK's Vector API is there. The classes
 * that use it are in {@code src/vector}; {@link org.clinfer.cpu.vector.CpuPath} finds them.
 */
@NullMarked
package org.clinfer.cpu.vector;

import org.jspecify.annotations.NullMarked;
