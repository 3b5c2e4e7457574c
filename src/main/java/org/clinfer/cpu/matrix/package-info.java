/** Products of matrices. */
@NullMarked
package org.clinfer.cpu.matrix;

import org.jspecify.annotations.NullMarked;
