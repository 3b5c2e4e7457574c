package org.clinfer.run;

/** Is told of the steps of a run as they are carried out. */
interface StepLog {

    /** Wants to know nothing. */
    StepLog NONE = new StepLog() {
        @Override
        public void begin(int step) {}

        @Override
        public void end(int step) {}
    };

    /**
     * A step begins.
     *
     * @param step counted from 0; the number of steps for what ends the run
     */
    void begin(int step);

    /** The step that has begun has come to its end; commands of the device go on. */
    void end(int step);
}
