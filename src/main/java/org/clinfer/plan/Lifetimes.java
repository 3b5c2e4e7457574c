package org.clinfer.plan;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The values of one memory space: from which step to which each needs memory, and which lie in the memory of another.
 */
final class Lifetimes {

    /** First and last step, both inclusive. */
    record Span(int first, int last) {}

    /**
     * The place of a value in another one's memory.
     *
     * @param whole the value whose memory it is
     * @param offset in bytes
     */
    record Part(String whole, long offset) {}

    private final Map<String, Span> spans = new LinkedHashMap<>();
    private final Map<String, Part> parts = new HashMap<>();

    /** {@return whether the value has memory here, its own or another one's} */
    boolean has(String value) {
        return spans.containsKey(value) || parts.containsKey(value);
    }

    /** {@return whether the value lies in the memory of another} */
    boolean isPart(String value) {
        return parts.containsKey(value);
    }

    /** The place of a value in the value that has memory of its own; a part of a part is followed to the end. */
    Part located(String value) {
        long offset = 0;
        String whole = value;
        for (Part part = parts.get(whole); part != null; part = parts.get(whole)) {
            offset += part.offset();
            whole = part.whole();
        }
        return new Part(whole, offset);
    }

    void define(String value, int step) {
        spans.put(value, new Span(step, step));
    }

    /** Extends a lifetime; a value that is not defined here is not kept here. */
    void touch(String value, int step) {
        spans.computeIfPresent(
                located(value).whole(), (name, span) -> new Span(span.first(), Math.max(span.last(), step)));
    }

    /** Lets a value that is not defined yet lie in the memory of another. */
    void defineIn(String value, String whole, long offset, int step) {
        parts.put(value, new Part(whole, offset));
        touch(value, step);
    }

    /** Moves a value that has memory of its own into the memory of another, which lives all that time from then on. */
    void moveInto(String value, String whole, long offset) {
        Span own = spans.remove(value);
        Span other = spans.get(whole);
        if (own == null || other == null) {
            throw new IllegalStateException("'" + value + "' or '" + whole + "' has no memory of its own");
        }
        parts.put(value, new Part(whole, offset));
        spans.put(whole, new Span(Math.min(own.first(), other.first()), Math.max(own.last(), other.last())));
    }

    /** The values with memory of their own. */
    Map<String, Span> spans() {
        return spans;
    }

    /** The values in the memory of others. */
    Map<String, Part> parts() {
        return parts;
    }
}
