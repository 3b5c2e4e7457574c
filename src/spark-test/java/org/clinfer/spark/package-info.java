/** Tests of networks over tables of Apache Spark. */
@NullMarked
package org.clinfer.spark;

import org.jspecify.annotations.NullMarked;
