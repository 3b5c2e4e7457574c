package org.clinfer.cli.verify;

import java.util.List;

/** The outcome of one test case. */
public sealed interface Outcome {

    /** Every output is as recorded; {@code how} says what was tried, or is empty. */
    record Pass(String how) implements Outcome {
        Pass() {
            this("");
        }
    }

    /** Something is not; {@code why} is one line, {@code log} what a compiler says beside, or nothing. */
    record Fail(String why, List<String> log) implements Outcome {
        public Fail(String why) {
            this(why, List.of());
        }
    }

    /** The case needs {@code feature}, which is not there. */
    record Unsupported(String feature) implements Outcome {}
}
