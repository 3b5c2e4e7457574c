/** Text for people: names that are safe to print, and the word that was meant. */
@NullMarked
package org.clinfer.text;

import org.jspecify.annotations.NullMarked;
