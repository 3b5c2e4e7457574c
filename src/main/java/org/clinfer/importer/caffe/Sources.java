package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.text.Printable;

/**
 * Layers that take nothing and read their tops from elsewhere: what other layers take of them, the caller supplies. Sizes that
 * only the data would tell are open.
 */
final class Sources {

    /** Layers that take nothing either, but whose tops follow from the definition. */
    private static final Set<String> OWN_VALUES = Set.of("DummyData", "Parameter");

    private Sources() {}

    static boolean isSource(CaffeLayer layer) {
        return layer.bottoms().isEmpty() && !OWN_VALUES.contains(layer.type());
    }

    /** A shape for each top. */
    static List<Shape> shapes(CaffeLayer layer) {
        CaffeFields fields = new CaffeFields(layer.block(), layer.source(), "");
        int count = layer.tops().size();
        return switch (layer.type()) {
            case "Input" -> {
                CaffeFields input = fields.message("input_param");
                List<Shape> shapes = shapes(input.messages("shape"), count);
                for (String unread : input.unread()) {
                    throw input.wrong(Printable.shortened(unread), "an input has no such field");
                }
                yield shapes;
            }
            case "MemoryData" -> {
                CaffeFields data = fields.message("memory_data_param");
                Dim batch = dim(data, "batch_size");
                yield pictures(
                        new Shape(List.of(batch, dim(data, "channels"), dim(data, "height"), dim(data, "width"))),
                        count);
            }
            default -> pictures(cropped(fields), count);
        };
    }

    private static List<Shape> shapes(List<CaffeFields> given, int count) {
        List<Shape> shapes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            shapes.add(
                    given.isEmpty()
                            ? DefinitionReader.anyPicture()
                            : DefinitionReader.shape(given.get(Math.min(i, given.size() - 1))));
        }
        return shapes;
    }

    /** Pictures of which batch and size may be known. */
    private static Shape cropped(CaffeFields fields) {
        Dim batch = Dim.unknown();
        Dim side = dim(fields.message("transform_param"), "crop_size");
        for (String name : List.of("data_param", "image_data_param", "hdf5_data_param", "window_data_param")) {
            CaffeFields data = fields.message(name);
            batch = batch.isKnown() ? batch : dim(data, "batch_size");
            side = side.isKnown() ? side : dim(data, "crop_size");
        }
        return new Shape(List.of(batch, Dim.unknown(), side, side));
    }

    private static Dim dim(CaffeFields fields, String name) {
        long size = fields.size(name, 0, 0);
        return size == 0 ? Dim.unknown() : Dim.of(size);
    }

    /** Pictures first, then labels, one for each. */
    private static List<Shape> pictures(Shape first, int count) {
        List<Shape> shapes = new ArrayList<>(Collections.nCopies(count, DefinitionReader.anyPicture()));
        if (count > 0) {
            shapes.set(0, first);
        }
        return shapes;
    }
}
