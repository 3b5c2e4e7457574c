package org.clinfer.check;

/**
 * One broken rule at one node.
 *
 * @param rule stable id: {@code operator/argument} for an operator's own description, {@code device/variant} for a
 *     refusal of a kernel
 * @param message what was found and what was expected
 */
public record Finding(String rule, String message) {}
