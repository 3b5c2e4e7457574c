/** Files that come with the product, wherever they are packed, and JSON as plain Java values. */
@NullMarked
package org.clinfer.files;

import org.jspecify.annotations.NullMarked;
