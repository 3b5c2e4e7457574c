package org.clinfer.graph;

/**
 * Where a node or value comes from, as the user would look for it.
 *
 * @param file file name
 * @param element what in the file, for example {@code node 17 'conv1' (Conv)}
 */
public record SourceRef(String file, String element) {

    @Override
    public String toString() {
        return element.isEmpty() ? file : file + ": " + element;
    }
}
