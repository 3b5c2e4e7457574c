/** Errors as a user sees them: the base of all exceptions of the product, and text fit for one line. */
@NullMarked
package org.clinfer.errors;

import org.jspecify.annotations.NullMarked;
