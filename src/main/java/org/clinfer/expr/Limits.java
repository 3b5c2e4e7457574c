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
    /** List elements made by one evaluation. */
    static final long ELEMENTS = 8L * LIST_SIZE;

    private Limits() {}
}
