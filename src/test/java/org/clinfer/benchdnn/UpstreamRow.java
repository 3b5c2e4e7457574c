package org.clinfer.benchdnn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * A row of {@code test-data/deconvolution/upstream-shapes.tsv}; see the README there.
 *
 * @param pads top, bottom, left, right; not four where that is the error
 * @param y the shape of the output; empty where there is none
 * @param types what x and the filter may be
 * @param kernel whether the caller says the shape of y and four pads
 */
@SuppressWarnings("ArrayRecordComponent")
record UpstreamRow(
        String text,
        long[] x,
        long[] filter,
        boolean bias,
        long[] stride,
        long[] pads,
        long group,
        long[] y,
        List<DType> types,
        boolean kernel,
        String expected) {

    private static final Path FILE = Path.of("test-data", "deconvolution", "upstream-shapes.tsv");

    static List<UpstreamRow> all() {
        try {
            return Files.readAllLines(FILE).stream()
                    .skip(1)
                    .map(UpstreamRow::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UpstreamRow parse(String line) {
        String[] cells = line.split("\t", -1);
        return new UpstreamRow(
                line.replace('\t', ' '),
                numbers(cells[0], "x"),
                numbers(cells[1], "x"),
                cells[2].equals("yes"),
                numbers(cells[3], ","),
                numbers(cells[4], ","),
                Long.parseLong(cells[5]),
                cells[6].equals("-") ? new long[0] : numbers(cells[6], "x"),
                cells[7].equals("int8") ? List.of(DType.INT8) : List.of(DType.FLOAT16, DType.FLOAT32),
                cells[8].equals("kernel"),
                cells[9]);
    }

    private static long[] numbers(String cell, String between) {
        return Stream.of(cell.split(between, -1)).mapToLong(Long::parseLong).toArray();
    }

    boolean isLegal() {
        return expected.equals("ok");
    }

    /** Whether Deconvolution can say this: both ends of an axis padded alike. */
    boolean isSymmetric() {
        return pads.length == 4 && pads[0] == pads[1] && pads[2] == pads[3];
    }

    /** The attributes of Deconvolution, as lists or as one number per axis. */
    Map<String, Attribute> deconvolution(boolean lists) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        if (lists) {
            attributes.put("stride", Attribute.ofInts(stride));
            attributes.put("pad", Attribute.ofInts(pads[0], pads[2]));
            attributes.put("dilation", Attribute.ofInts(1, 1));
        } else {
            attributes.put("stride_h", Attribute.of(stride[0]));
            attributes.put("stride_w", Attribute.of(stride[1]));
            attributes.put("pad_h", Attribute.of(pads[0]));
            attributes.put("pad_w", Attribute.of(pads[2]));
        }
        attributes.put("group", Attribute.of(group));
        return attributes;
    }

    /** The parameters of Conv2dTranspose, which is told the shape of its output where this says it. */
    Map<String, Attribute> transpose() {
        Map<String, Attribute> parameters = new LinkedHashMap<>();
        parameters.put("strides", Attribute.ofInts(stride));
        parameters.put("padding", Attribute.ofInts(pads));
        parameters.put("group", Attribute.of(group));
        if (y.length > 0) {
            parameters.put("output_shape", Attribute.ofInts(y));
        }
        return parameters;
    }

    /** Types of everything that goes in. */
    Map<String, TensorType> inputs(DType dtype, long batch) {
        long[] images = x.clone();
        images[0] = batch;
        Map<String, TensorType> types = new LinkedHashMap<>();
        types.put("x", TensorType.of(dtype, images));
        types.put("w", TensorType.of(dtype, filter));
        if (bias) {
            types.put("b", TensorType.of(dtype, y[1]));
        }
        return types;
    }

    /** The sizes of a legal row. */
    Problem problem() {
        List<Axis> axes = new ArrayList<>();
        for (int axis = 0; axis < 2; axis++) {
            axes.add(new Axis(x[axis + 2], y[axis + 2], filter[axis + 2], stride[axis], pads[2 * axis], 1));
        }
        return new Problem(true, "upstream", "", x[0], group, x[1], y[1], axes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UpstreamRow row && text.equals(row.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
