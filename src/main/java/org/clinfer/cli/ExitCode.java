package org.clinfer.cli;

/** The exit codes scripts rely on. */
final class ExitCode {

    /** All is well. */
    static final int OK = 0;

    /** The answer is no: a verification failed, or a check found what it was told to fail on. */
    static final int NO = 1;

    /** Bad usage or a bad input file. */
    static final int BAD_INPUT = 2;

    /** The device or the program itself failed. */
    static final int FAILURE = 3;

    private ExitCode() {}
}
