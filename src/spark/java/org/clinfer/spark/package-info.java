/**
 * Networks over tables of Apache Spark: {@link org.clinfer.spark.ClinferModel} is a stage of a pipeline, {@link
 * org.clinfer.spark.ClinferFunctions} a function of SQL, {@link org.clinfer.spark.ExecutorModel} the same for code in {@code
 * mapPartitions}, {@link org.clinfer.spark.CapabilityTable} a check of many models for many devices.
 *
 * <p>An executor has one engine for each device that its tasks use, and one copy of the weights of each model; all its tasks
 * share them.
 */
@NullMarked
package org.clinfer.spark;

import org.jspecify.annotations.NullMarked;
