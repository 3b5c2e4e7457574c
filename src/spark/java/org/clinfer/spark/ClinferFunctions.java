package org.clinfer.spark;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.clinfer.errors.InputException;

/** Models as functions of SQL. A function runs a row at a time; {@link ClinferModel#transform} runs many at once. */
public final class ClinferFunctions {

    private ClinferFunctions() {}

    /**
     * Makes a model a function of SQL: {@code SELECT classify(content) FROM pictures}. Its arguments are the model's inputs in
     * their order, of the types that columns may have for {@link ClinferModel}. It gives what the stage would add as a column,
     * or a struct of several. A row that cannot be read fails the query; with an error column in the stage the struct has
     * that instead.
     *
     * @param session whose functions it becomes one of
     * @param name of the function
     * @param stage with a model of at most three inputs; later changes of it change nothing
     * @throws InputException if the model has more inputs
     * @throws org.clinfer.errors.ClinferException if it cannot be read
     */
    public static void register(SparkSession session, String name, ClinferModel stage) {
        ClinferModel.Planned planned = stage.plannedFunction();
        StructType added = planned.schema().schema();
        DataType type = added.size() == 1 ? added.fields()[0].dataType() : added;
        ModelFunction function = new ModelFunction(planned.task(), stage.files().main(), stage.sent(session), added);
        int inputs = planned.task().feeds().size();
        switch (inputs) {
            case 1 -> session.udf().register(name, (UDF1<Object, Object>) function::run, type);
            case 2 -> session.udf().register(name, (UDF2<Object, Object, Object>) function::run, type);
            case 3 -> session.udf().register(name, (UDF3<Object, Object, Object, Object>) function::run, type);
            default ->
                throw new InputException(
                        "a function has one to three arguments, but the model has " + inputs + " inputs");
        }
    }
}
