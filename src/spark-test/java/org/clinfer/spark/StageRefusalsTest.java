package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.feature.Binarizer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models, folders and tables that a stage refuses on the driver. */
class StageRefusalsTest extends StageTests {

    @TempDir
    private Path folder;

    @Test
    void foldersOfOtherStagesAreRefused() throws Exception {
        String path = folder.resolve("binarizer").toString();
        new Binarizer().write().overwrite().save(path);

        assertThatThrownBy(() -> ClinferModel.load(path))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("it is no ClinferModel, but a org.apache.spark.ml.feature.Binarizer");
    }

    @Test
    void inputsWhoseFirstDimensionsAreNotThoseOfRowsAreRefused() {
        StructType schema = new StructType().add("a", DataTypes.LongType).add("b", DataTypes.LongType);
        ClinferModel open = new ClinferModel().setModel(SampleNetworks.addition("N", "2"));
        ClinferModel fixed = new ClinferModel().setModel(SampleNetworks.addition("1", "2"));
        ClinferModel one = new ClinferModel().setModel(SampleNetworks.addition("N", "1"));

        assertThatThrownBy(() -> open.transformSchema(schema))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "the first dimensions of the inputs are not the rows of a table: 'a' is N:int64, 'b' is 2:int64");
        assertThatThrownBy(() -> fixed.transformSchema(schema)).isInstanceOf(InputException.class);
        assertThat(one.transformSchema(schema).fieldNames()).containsExactly("a", "b", "y");
    }

    @Test
    void pathsThatAreNoneAreRefused() {
        for (String path : List.of("", "a:b.onnx")) {
            assertThatThrownBy(() -> stage().setModel(path))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("'" + path + "' is no path: ");
        }
    }

    @Test
    void aBrokenModelFailsOnTheDriver() {
        byte[] damaged = Arrays.copyOf(NETWORK, NETWORK.length / 2);
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs());

        assertThatThrownBy(() -> stage().setModel(damaged).transform(table)).isInstanceOf(GraphException.class);
        assertThatThrownBy(() -> new ClinferModel().transform(table)).hasMessage("no model is set");
        assertThatThrownBy(() -> stage().setModel(folder.resolve("none.onnx").toString()))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("none.onnx: no such file");
    }

    @Test
    void whatDoesNotFitTheTableFailsOnTheDriver() {
        Dataset<Row> table = LocalSpark.table("features", arrays(DataTypes.FloatType, false), inputs());
        StructType schema = table.schema();

        assertThatThrownBy(() -> stage().setFeed(Map.of("x", "feature")).transformSchema(schema))
                .hasMessage("there is no column 'feature' for input 'x'; did you mean 'features'?");
        assertThatThrownBy(() -> stage().setFeed(Map.of("z", "features")).transformSchema(schema))
                .hasMessageStartingWith("the model has no input 'z'; it has [x]");
        assertThatThrownBy(() -> stage().setFetch(Map.of("scores", "sun0")).transformSchema(schema))
                .hasMessageStartingWith("the model gives no value 'sun0'; its outputs are [y]; did you mean 'sum0'?");
        assertThatThrownBy(() -> stage().setFetch(Map.of("id", "y")).transformSchema(schema))
                .hasMessage("there is a column 'id' already");
        assertThatThrownBy(() -> stage().setArgmax(Map.of("score", "best")).transformSchema(schema))
                .hasMessage("there is no fetched column 'score' for 'best'; did you mean 'scores'?");
        assertThatThrownBy(() -> stage().transformSchema(new StructType().add("features", DataTypes.StringType)))
                .hasMessage(
                        "column 'features' is string; inputs are made of numbers, arrays of numbers, vectors, binary"
                                + " and images");
        assertThatThrownBy(() -> stage().setDevice("gpu").transformSchema(schema))
                .hasMessageContaining("device 'gpu' is none of auto, cpu, opencl, all or device numbers");
        assertThatThrownBy(() -> stage().setBinary("text").transformSchema(schema))
                .hasMessage("binary is picture or raw, not 'text'");
        assertThatThrownBy(() -> stage().setBatchSize(0)).hasMessageContaining("batchSize");
    }
}
