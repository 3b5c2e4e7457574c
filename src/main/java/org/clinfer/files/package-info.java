/** Files that come with the product, wherever they are packed. */
@NullMarked
package org.clinfer.files;

import org.jspecify.annotations.NullMarked;
