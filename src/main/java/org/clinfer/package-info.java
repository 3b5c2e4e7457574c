/**
 * What a user of the library sees: open an {@link org.clinfer.Engine}, load a {@link org.clinfer.Model}, run a
 * {@link org.clinfer.Session}. Everything behind it is reached through these types.
 */
@NullMarked
package org.clinfer;

import org.jspecify.annotations.NullMarked;
