package org.clinfer.importer.caffe;

import org.clinfer.text.Printable;

/** One value of a field. */
sealed interface Item permits Block, Item.Word {

    /** A number, a name, or a string, as it stands in the file. */
    record Word(String text) implements Item {}

    /** The text of the item in messages. */
    default String shown() {
        if (this instanceof Word word) {
            return "'" + Printable.shortened(word.text()) + "'";
        }
        return "a message";
    }
}
