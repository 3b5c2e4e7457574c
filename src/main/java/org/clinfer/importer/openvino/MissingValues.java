package org.clinfer.importer.openvino;

/** The output of a layer depends on elements of a weights file that is not there. */
final class MissingValues extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param input the number of the input whose elements are missing, counted from 0 */
    MissingValues(int input) {
        super("the values of its input " + input, null, false, false);
    }
}
