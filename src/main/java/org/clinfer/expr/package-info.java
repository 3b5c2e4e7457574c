/**
 * The expression language of operator descriptions and device rules: parsed once into an immutable tree, evaluated in
 * three-valued logic over dimensions that may not be known, and able to say why a condition is false. Depends on
 * {@code tensor} alone.
 */
@NullMarked
package org.clinfer.expr;

import org.jspecify.annotations.NullMarked;
