package org.clinfer.graph;

/**
 * The origin of a node or value, as the user would look for it.
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
