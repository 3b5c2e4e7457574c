/**
 * Makes the network of {@code clinfer demo}: paints pictures of shapes with their true classes, trains a small fully
 * convolutional network on them, measures it on pictures it has never seen, and writes it as ONNX with a reference
 * output. A program of its own, no part of the Clinfer library.
 */
package org.clinfer.demo.training;
