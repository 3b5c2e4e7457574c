package org.clinfer.cpu.vector;

/**
 * The left matrix of {@link VectorKernels#multiplyStrips}.
 *
 * @param rows of a tile
 * @param terms of a row at most: what a tile reads stays in the first cache level
 * @param pitch distance of rows, a number that compilers know
 */
public record StripShape(int rows, int terms, int pitch) {}
