/** Pictures that commands write. */
@NullMarked
package org.clinfer.cli.image;

import org.jspecify.annotations.NullMarked;
