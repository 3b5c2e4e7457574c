package org.clinfer.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.ml.image.ImageSchema;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Spelling;

/** The columns that a model reads from a table and adds to it. */
final class SchemaPlan {

    private final ModelSignature model;
    private final StructType schema;
    private final List<TaskPlan.Fetch> fetches = new ArrayList<>();
    private final List<StructField> added = new ArrayList<>();

    SchemaPlan(ModelSignature model, StructType schema) {
        this.model = model;
        this.schema = schema;
    }

    /**
     * {@return a column for each input}
     *
     * @param feed columns by input; an input that is not in it takes the column of its own name
     * @param binary how binary columns have the elements
     * @throws InputException if a column is not there or has no such elements, or there is no such input
     */
    List<TaskPlan.Feed> feeds(Map<String, String> feed, ColumnKind binary) {
        List<String> inputs = model.inputs().stream().map(Graph.Input::name).toList();
        for (String input : feed.keySet()) {
            if (!inputs.contains(input)) {
                throw new InputException(
                        "the model has no input '" + input + "'; it has " + inputs + Spelling.question(input, inputs));
            }
        }
        List<TaskPlan.Feed> feeds = new ArrayList<>();
        for (Graph.Input input : model.inputs()) {
            requireRows(input);
            String column = feed.getOrDefault(input.name(), input.name());
            int place = place(column, "input '" + input.name() + "'");
            StructField field = schema.fields()[place];
            feeds.add(new TaskPlan.Feed(input.name(), place, column, field.dataType(), kind(field, binary)));
        }
        return feeds;
    }

    /** {@return an argument of a function for each input} */
    List<TaskPlan.Feed> arguments(ColumnKind binary) {
        List<TaskPlan.Feed> feeds = new ArrayList<>();
        for (Graph.Input input : model.inputs()) {
            requireRows(input);
            feeds.add(new TaskPlan.Feed(input.name(), feeds.size(), input.name(), DataTypes.NullType, binary));
        }
        return feeds;
    }

    private static void requireRows(Graph.Input input) {
        if (input.type().shape().rank() == 0) {
            throw new InputException("input '" + input.name() + "' is " + input.type()
                    + ", a single element: it has no first dimension along which rows could be");
        }
    }

    private int place(String column, String reader) {
        List<String> names = Arrays.asList(schema.fieldNames());
        int place = names.indexOf(column);
        if (place < 0) {
            throw new InputException(
                    "there is no column '" + column + "' for " + reader + Spelling.question(column, names));
        }
        return place;
    }

    private static ColumnKind kind(StructField column, ColumnKind binary) {
        DataType type = column.dataType();
        if (type instanceof BinaryType) {
            return binary;
        }
        if (isImage(type)) {
            return ColumnKind.PICTURE;
        }
        DataType element = type;
        while (element instanceof ArrayType array) {
            element = array.elementType();
        }
        if (element instanceof NumericType
                || element instanceof BooleanType
                || type.equals(SQLDataTypes.VectorType())) {
            return ColumnKind.NUMBERS;
        }
        throw new InputException("column '" + column.name() + "' is " + type.simpleString()
                + "; inputs are made of numbers, arrays of numbers, vectors, binary and images");
    }

    private static boolean isImage(DataType type) {
        return type instanceof StructType struct
                && Arrays.stream(ImageSchema.columnSchema().fields())
                        .allMatch(wanted -> Arrays.stream(struct.fields())
                                .anyMatch(field -> field.name().equals(wanted.name())
                                        && field.dataType().equals(wanted.dataType())));
    }

    /**
     * Adds columns of values.
     *
     * @param columns values by column
     * @param vectors those of them that become vectors
     * @param batchSize rows of a run at most
     * @throws InputException if a value has no rows, or a column is there already
     */
    void fetch(Map<String, String> columns, List<String> vectors, int batchSize) {
        for (String vector : vectors) {
            if (!columns.containsKey(vector)) {
                throw new InputException("there is no fetched column '" + vector + "' that could be a vector");
            }
        }
        columns.forEach((column, value) -> {
            TensorType type = rows(value, batchSize);
            DataType element = SparkType.of(type.dtype()).type();
            if (vectors.contains(column)) {
                add(column, value, TaskPlan.Form.VECTOR, SQLDataTypes.VectorType());
            } else if (type.shape().rank() == 1) {
                add(column, value, TaskPlan.Form.NUMBER, element);
            } else {
                add(column, value, TaskPlan.Form.ARRAY, DataTypes.createArrayType(element, false));
            }
        });
    }

    /**
     * Adds columns that are computed of fetched ones.
     *
     * @param columns new columns by the column that they are made of
     * @param fetched values by column
     */
    void derive(Map<String, String> columns, Map<String, String> fetched, TaskPlan.Form form) {
        columns.forEach((from, column) -> {
            String value = Optional.ofNullable(fetched.get(from))
                    .orElseThrow(() -> new InputException("there is no fetched column '" + from + "' for '" + column
                            + "'" + Spelling.question(from, fetched.keySet())));
            add(
                    column,
                    value,
                    form,
                    form == TaskPlan.Form.ARGMAX
                            ? DataTypes.DoubleType
                            : DataTypes.createArrayType(DataTypes.FloatType, false));
        });
    }

    private TensorType rows(String value, int batchSize) {
        TensorType type = model.type(value);
        if (type.shape().rank() == 0) {
            throw new InputException("value '" + value + "' is " + type + ", a single element for all rows of a run");
        }
        long rows = model.fixedRows().orElse(batchSize == 1 ? 1L : -1L);
        if (type.shape().dim(0) instanceof Dim.Known known && known.size() != rows) {
            throw new InputException(
                    "value '" + value + "' is " + type + ": its first dimension is not that of the rows"
                            + (known.size() == 1 ? "; a batchSize of 1 may do" : ""));
        }
        return type;
    }

    private void add(String column, String value, TaskPlan.Form form, DataType type) {
        fetches.add(new TaskPlan.Fetch(value, form));
        addField(column, type);
    }

    private void addField(String column, DataType type) {
        boolean there = Arrays.asList(schema.fieldNames()).contains(column)
                || added.stream().anyMatch(field -> field.name().equals(column));
        if (there) {
            throw new InputException("there is a column '" + column + "' already");
        }
        added.add(DataTypes.createStructField(column, type, true));
    }

    /** Adds the column of what is wrong with a row. */
    void errors(String column) {
        addField(column, DataTypes.StringType);
    }

    List<TaskPlan.Fetch> fetches() {
        return List.copyOf(fetches);
    }

    /** {@return the table with what was added so far} */
    StructType schema() {
        StructType all = schema;
        for (StructField field : added) {
            all = all.add(field);
        }
        return all;
    }

    /** {@return values by column: those asked for, or each output under its own name} */
    static Map<String, String> fetched(Map<String, String> fetch, ModelSignature model) {
        if (!fetch.isEmpty()) {
            return fetch;
        }
        Map<String, String> all = new LinkedHashMap<>();
        model.outputs().forEach(output -> all.put(output, output));
        return all;
    }
}
