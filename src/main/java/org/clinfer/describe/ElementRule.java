package org.clinfer.describe;

import org.clinfer.expr.Expr;

/**
 * The rule by which the CPU computes one output, element by element.
 *
 * @param output name of the output
 * @param value the element at the index {@code at}, a list of ints; {@code element(x, index)} reads an input
 */
public record ElementRule(String output, Expr value) {}
