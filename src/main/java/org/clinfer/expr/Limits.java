package org.clinfer.expr;

/** The bounds that keep a hostile expression from taking memory, stack or time. */
final class Limits {

    /** Characters of one expression. */
    static final int SOURCE_LENGTH = 4096;
    /** Brackets, calls, prefix operators and conditionals inside each other. */
    static final int NESTING = 64;
    /** Height of the tree, which chains of operators of one precedence add to. */
    static final int TREE_HEIGHT = 512;
    /** Elements of one list, and characters of one string. */
    static final int LIST_SIZE = 1_000_000;
    /** Tree nodes visited by one evaluation. */
    static final int STEPS = 1_000_000;
    /** List elements, and characters of joined strings, made by one evaluation. */
    static final long ELEMENTS = 8L * LIST_SIZE;

    /** List elements, and sixteen characters each of strings, looked at by functions and comparisons in one evaluation. */
    static final long READS = 64L * LIST_SIZE;
    /** Lists inside each other. */
    static final int LIST_HEIGHT = 64;
    /** The multiple of one evaluation's steps and reads that those that share a {@link Budget} have together. */
    static final int SHARED = 8;

    /** Characters of a string, elements of a list and lists inside each other that messages show. */
    static final int SHOWN_TEXT = 1000;

    static final int SHOWN_ELEMENTS = 16;
    static final int SHOWN_HEIGHT = 3;

    private Limits() {}
}
