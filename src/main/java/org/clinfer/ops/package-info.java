/**
 * Building graphs in Java: {@link org.clinfer.ops.Ops} has a method for every operator, so that a misspelt operator or field
 * does not compile, and a use of an operator that does not fit its description is refused as it is added. All but the few classes written by hand is generated from the operator descriptions.
 */
@NullMarked
package org.clinfer.ops;

import org.jspecify.annotations.NullMarked;
