package org.clinfer.cli.verify;

/** The outcome of one test case. */
public sealed interface Outcome {

    /** Every output is as recorded. */
    record Pass() implements Outcome {}

    /** Something is not; {@code why} is one line. */
    record Fail(String why) implements Outcome {}

    /** The case needs {@code feature}, which is not there. */
    record Unsupported(String feature) implements Outcome {}
}
