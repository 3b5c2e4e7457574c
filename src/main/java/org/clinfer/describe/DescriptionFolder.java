package org.clinfer.describe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operators and variants of the description files of one folder, and what is wrong with them so far. */
record DescriptionFolder(
        List<OpDescription> operators,
        List<VariantDescription> variants,
        List<DescriptionReader.Unused> unused,
        Mistakes mistakes) {

    /** Reads files, given as name to content. */
    static DescriptionFolder read(Map<String, byte[]> files) {
        DescriptionFolder folder =
                new DescriptionFolder(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new Mistakes());
        SharedFamilies shared = new SharedFamilies(file -> files.keySet().stream()
                .filter(path -> Path.of(path).endsWith(file))
                .findFirst()
                .map(files::get));
        files.forEach((name, json) -> folder.add(name, json, shared));
        return folder;
    }

    private void add(String name, byte[] json, SharedFamilies shared) {
        JsonReader.Origin origin = new JsonReader.Origin(name, false, mistakes);
        try {
            DescriptionReader.Contents contents = new DescriptionFile(json, origin, shared).read();
            operators.addAll(contents.operators());
            variants.addAll(contents.variants());
            unused.add(contents.unused());
        } catch (DescriptionException wrong) {
            mistakes.leaveOut(wrong);
        }
    }

    /** Unused descriptions are verified, too. */
    void verifyUnused(OpCatalog catalog) {
        Map<String, OpDescription> others = new HashMap<>();
        for (DescriptionReader.Unused file : unused) {
            file.operators().forEach(op -> NameRules.verify(op, mistakes));
            file.operators().forEach(op -> others.put(op.optype(), op));
        }
        for (DescriptionReader.Unused file : unused) {
            for (VariantDescription variant : file.variants()) {
                Optional<OpDescription> op =
                        catalog.find(variant.inherits()).or(() -> Optional.ofNullable(others.get(variant.inherits())));
                verify(variant, op, mistakes);
            }
        }
    }

    /** Adds what is wrong with a variant, also that there is no operator of which it is one. */
    static void verify(VariantDescription variant, Optional<OpDescription> op, Mistakes mistakes) {
        if (op.isPresent()) {
            NameRules.verify(variant, op.get(), mistakes);
        } else if (mistakes.leftOut() == 0) {
            // otherwise it may be one of those that were left out
            mistakes.add(variant.source() + ": " + variant.optype() + ": inherits '" + variant.inherits()
                    + "', which is not a known abstract operator");
        }
    }
}
