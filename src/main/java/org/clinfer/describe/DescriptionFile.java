package org.clinfer.describe;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.files.JsonTree;
import org.clinfer.text.JsonFault;
import tools.jackson.core.JacksonException;

/** A description file, of which all operators are read, or single ones when they are asked for. */
final class DescriptionFile {

    private static final String OPS = "ops";

    private final JsonReader top;
    private final Families families;

    /**
     * The file with these bytes.
     *
     * @param shared the families of the files beside it
     * @throws DescriptionException if it is not one, or its families are not sound
     */
    DescriptionFile(byte[] json, JsonReader.Origin origin, SharedFamilies shared) {
        top = new JsonReader(tree(json, origin.file()), origin, "");
        families = new Families(top, shared);
        if (!top.has(OPS) && !top.has(Families.FIELD)) {
            throw new DescriptionException(origin.file() + ": field 'ops' is missing");
        }
        if (!origin.sound()) {
            families.verify();
        }
    }

    /** All that is in it. */
    DescriptionReader.Contents read() {
        Optional<Object> ops = top.find(OPS);
        JsonReader expanded = families.isEmpty() || ops.isEmpty()
                ? top
                : top.with(OPS, new FamilyExpander(top, families).valueAt(OPS, ops.get()));
        Families.skip(expanded);
        // for editors and readers
        expanded.text("$schema", "");
        expanded.text("doc", "");
        DescriptionReader reader = new DescriptionReader(top.file(), expanded.text("author", ""));
        expanded.objects(OPS, reader::operator);
        expanded.expectNothingElse();
        if (ops.isPresent()) {
            families.requireUse();
        }
        return reader.contents();
    }

    /** One operator of a sound file, with the variants in it. */
    synchronized DescriptionReader.Contents read(String optype) {
        DescriptionReader reader = new DescriptionReader(top.file(), top.text("author", ""));
        List<?> ops = top.find(OPS)
                .filter(List.class::isInstance)
                .map(List.class::cast)
                .orElse(List.of());
        for (int i = 0; i < ops.size(); i++) {
            if (ops.get(i) instanceof Map<?, ?> operator && optype.equals(operator.get("optype"))) {
                Object expanded = new FamilyExpander(top, families).element(OPS, i, operator);
                top.object(expanded, OPS + "[" + i + "]", reader::operator);
            }
        }
        return reader.contents();
    }

    /** The JSON of a file. */
    static Object tree(byte[] json, String file) {
        try {
            return JsonTree.read(json);
        } catch (JacksonException malformed) {
            String at = malformed.getLocation() == null
                    ? ""
                    : "line " + malformed.getLocation().getLineNr() + ", column "
                            + malformed.getLocation().getColumnNr() + ": ";
            throw new DescriptionException(
                    file + ": " + at + JsonFault.of(String.valueOf(malformed.getOriginalMessage())), malformed);
        }
    }
}
