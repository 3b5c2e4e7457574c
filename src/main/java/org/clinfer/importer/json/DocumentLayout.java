package org.clinfer.importer.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.util.MinimalPrettyPrinter;

/** Line breaks that let people read a document: a few lines for an operator, one for each parameter. */
final class DocumentLayout extends MinimalPrettyPrinter {

    private static final long serialVersionUID = 1L;

    /** Nesting of a graph's fields, the list of operators, the fields of one, and its lists, in which graphs may follow. */
    private static final int DOCUMENT = 1;

    private static final int OPS = 2;
    private static final int OPERATOR = 3;
    private static final int LISTS = 4;

    /** Blanks in front of the lines of a graph within another. */
    private static final int INNER = 6;

    /** The number of graphs around the one that is written. */
    private static int graphs(JsonGenerator json) {
        int graphs = 0;
        TokenStreamContext list = json.streamWriteContext().getParent();
        while (list != null && list.getParent() != null) {
            list = list.getParent();
            graphs += "bodies".equals(list.currentName()) ? 1 : 0;
        }
        return graphs;
    }

    /** Nesting within that graph. */
    private static int depth(JsonGenerator json) {
        return json.streamWriteContext().getNestingDepth() - LISTS * graphs(json);
    }

    private static void line(JsonGenerator json, int indent) {
        json.writeRaw("\n" + " ".repeat(indent + INNER * graphs(json)));
    }

    @Override
    public void beforeObjectEntries(JsonGenerator json) {
        if (depth(json) == DOCUMENT) {
            line(json, 2);
        }
    }

    @Override
    public void writeObjectNameValueSeparator(JsonGenerator json) {
        json.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) {
        json.writeRaw(',');
        if (depth(json) == DOCUMENT) {
            line(json, 2);
        } else if (depth(json) == OPERATOR && json.streamWriteContext().getCurrentIndex() > 1) {
            line(json, 5);
        } else {
            json.writeRaw(' ');
        }
    }

    @Override
    public void writeEndObject(JsonGenerator json, int entries) {
        if (depth(json) == DOCUMENT) {
            line(json, 0);
        }
        json.writeRaw('}');
    }

    @Override
    public void beforeArrayValues(JsonGenerator json) {
        if (depth(json) == OPS) {
            line(json, 4);
        }
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) {
        json.writeRaw(',');
        if (depth(json) == OPS) {
            line(json, 4);
        } else if (depth(json) == LISTS && isParams(json)) {
            line(json, 16);
        } else {
            json.writeRaw(' ');
        }
    }

    private static boolean isParams(JsonGenerator json) {
        return "params".equals(json.streamWriteContext().getParent().currentName());
    }

    @Override
    public void writeEndArray(JsonGenerator json, int values) {
        if (depth(json) == OPS) {
            line(json, 2);
        }
        json.writeRaw(']');
    }
}
