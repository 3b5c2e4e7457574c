package org.clinfer.importer.tensorflow.savedmodel;

import java.util.List;

/** The graphs of a node of control flow which data decide. Its inputs are those of the record, then what the graphs capture. */
public sealed interface FrozenControl {

    List<FrozenModel> graphs();

    /** An If, whose first input is the condition; its branches take nothing but what they capture. */
    record Branches(FrozenModel yes, FrozenModel no) implements FrozenControl {

        @Override
        public List<FrozenModel> graphs() {
            return List.of(yes, no);
        }
    }

    /**
     * A While, whose first inputs are its states.
     *
     * @param states the outputs of the node that the states are after the last iteration
     * @param body takes the states and gives their next ones
     * @param next the condition, as it stands behind the body
     * @param first the condition again, as it stands before the loop, with names of its own
     */
    record Loop(List<Integer> states, FrozenModel body, FrozenModel next, FrozenModel first) implements FrozenControl {

        public Loop {
            states = List.copyOf(states);
        }

        @Override
        public List<FrozenModel> graphs() {
            return List.of(body, next, first);
        }
    }
}
