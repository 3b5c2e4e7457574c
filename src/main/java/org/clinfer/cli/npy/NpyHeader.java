package org.clinfer.cli.npy;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * The header of a {@code .npy} file.
 *
 * @param type element type and shape
 * @param order byte order of the elements
 * @param columnMajor whether the first index runs fastest ({@code fortran_order})
 */
record NpyHeader(TensorType type, ByteOrder order, boolean columnMajor) {

    private static final int MAX_RANK = 32;
    private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([^']{1,16})'");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9,\\sL]*)\\)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})L?");

    /**
     * Reads the dictionary of a header.
     *
     * @throws IllegalArgumentException saying which entry is missing or not understood
     */
    static NpyHeader parse(String text) {
        String dictionary = text.strip();
        if (!dictionary.startsWith("{") || !dictionary.endsWith("}")) {
            throw new IllegalArgumentException("the header is not a dictionary");
        }
        String descr = only(DESCR, dictionary, "descr");
        boolean columnMajor = only(FORTRAN, dictionary, "fortran_order").equals("True");
        Shape shape = shape(only(SHAPE, dictionary, "shape"));
        return new NpyHeader(new TensorType(dtype(descr), shape), order(descr), columnMajor);
    }

    private static String only(Pattern entry, String dictionary, String name) {
        Matcher matcher = entry.matcher(dictionary);
        if (!matcher.find()) {
            throw new IllegalArgumentException("the header has no valid '" + name + "' entry");
        }
        String value = matcher.group(1);
        if (matcher.find()) {
            throw new IllegalArgumentException("the header has two '" + name + "' entries");
        }
        return value;
    }

    private static Shape shape(String list) {
        List<Long> sizes = new ArrayList<>();
        for (String item : list.split(",", -1)) {
            String size = item.strip();
            if (size.isEmpty()) {
                continue;
            }
            Matcher matcher = SIZE.matcher(size);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("'" + size + "' is not a dimension");
            }
            sizes.add(Long.valueOf(matcher.group(1)));
        }
        if (sizes.size() > MAX_RANK) {
            throw new IllegalArgumentException(sizes.size() + " dimensions are more than the " + MAX_RANK + " allowed");
        }
        return Shape.of(sizes);
    }

    private static ByteOrder order(String descr) {
        return descr.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private static DType dtype(String descr) {
        String element = "<>|=".indexOf(descr.charAt(0)) >= 0 ? descr.substring(1) : descr;
        return switch (element) {
            case "f2" -> DType.FLOAT16;
            case "f4" -> DType.FLOAT32;
            case "f8" -> DType.FLOAT64;
            case "i1" -> DType.INT8;
            case "i2" -> DType.INT16;
            case "i4" -> DType.INT32;
            case "i8" -> DType.INT64;
            case "u1" -> DType.UINT8;
            case "u2" -> DType.UINT16;
            case "u4" -> DType.UINT32;
            case "u8" -> DType.UINT64;
            case "b1" -> DType.BOOL;
            default ->
                throw new IllegalArgumentException("elements of type '" + descr
                        + "' are not supported; expected one of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1");
        };
    }

    /** The type code of elements as written by this package: little-endian. */
    static String descr(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> "<f2";
            case FLOAT32 -> "<f4";
            case FLOAT64 -> "<f8";
            case INT8 -> "|i1";
            case INT16 -> "<i2";
            case INT32 -> "<i4";
            case INT64 -> "<i8";
            case UINT8 -> "|u1";
            case UINT16 -> "<u2";
            case UINT32 -> "<u4";
            case UINT64 -> "<u8";
            case BOOL -> "|b1";
            default -> throw new IllegalArgumentException(dtype + " has no NumPy type");
        };
    }
}
