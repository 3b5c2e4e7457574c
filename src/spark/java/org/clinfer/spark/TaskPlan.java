package org.clinfer.spark;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * The work of a task, made on the driver.
 *
 * @param engine the engine that runs the model
 * @param network the model
 * @param feeds a column for each input of the model
 * @param fetches the columns that are added, in order
 * @param preprocessing of pictures, as {@link JsonParams#preprocessing} reads it
 * @param batchSize rows of a run at most, where the model leaves it open
 * @param maxBatchMillis the time that the first row of a batch waits at most for others while rows come; 0: any time
 * @param hasErrors whether a last column has what is wrong with a row, whose other new columns are null then
 */
record TaskPlan(
        EngineSettings engine,
        NetworkChoice network,
        List<Feed> feeds,
        List<Fetch> fetches,
        String preprocessing,
        int batchSize,
        int maxBatchMillis,
        boolean hasErrors)
        implements Serializable {

    TaskPlan {
        feeds = List.copyOf(feeds);
        fetches = List.copyOf(fetches);
    }

    /**
     * A column that an input is taken from.
     *
     * @param input its name
     * @param column the place in the row
     * @param name of the column
     * @param type of the column; null's type for an argument of a function, whose objects tell theirs
     * @param kind how the column has the elements
     */
    record Feed(String input, int column, String name, DataType type, ColumnKind kind) implements Serializable {}

    /**
     * A column that is added.
     *
     * @param value of the network
     * @param form what becomes of it
     */
    record Fetch(String value, Form form) implements Serializable {}

    /** The forms in which a row's part of a value becomes a column. */
    enum Form {
        /** A number, where there is one for each row. */
        NUMBER,
        /** An array of the elements, row-major. */
        ARRAY,
        /** A vector of Spark's machine learning. */
        VECTOR,
        /** An array of probabilities. */
        SOFTMAX,
        /** The index of the largest element, as a double, which is what Spark's evaluators take. */
        ARGMAX
    }
}
