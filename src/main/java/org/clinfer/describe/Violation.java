package org.clinfer.describe;

/**
 * A rule of its description that a node breaks.
 *
 * @param argument the input, parameter, derived value or output it is about; {@code inputs}, {@code params} or
 *     {@code outputs} for their number; empty for a check of the whole operator
 * @param message operator type, node, argument, what was expected and what was found
 */
public record Violation(String argument, String message) {

    @Override
    public String toString() {
        return message;
    }
}
