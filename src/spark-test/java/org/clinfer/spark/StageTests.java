package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;

/** A perceptron as a stage, its inputs, and what a session gives for them. */
abstract class StageTests {

    static final int ROWS = 101;
    static final byte[] NETWORK = SampleNetworks.perceptron(6, 5, 4);

    static ClinferModel stage() {
        return new ClinferModel()
                .setModel(NETWORK)
                .setDevice("cpu")
                .setFeed(Map.of("x", "features"))
                .setFetch(Map.of("scores", "y"));
    }

    static DataType arrays(DataType element, boolean nullable) {
        return DataTypes.createArrayType(element, nullable);
    }

    /** Eighths, of which products and sums are exact in any order. */
    static List<float[]> inputs() {
        Random random = new Random(1);
        List<float[]> inputs = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            float[] input = new float[6];
            for (int i = 0; i < input.length; i++) {
                input[i] = random.nextInt(-8, 9) / 8f;
            }
            inputs.add(input);
        }
        return inputs;
    }

    /** The results of a session for each row by itself. */
    static float[][] session(List<float[]> inputs) {
        float[][] outputs = new float[inputs.size()][];
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(NETWORK);
                Session session = model.session()) {
            for (int i = 0; i < outputs.length; i++) {
                try (Result result = session.run(Map.of("x", Tensor.of(inputs.get(i), 1, 6)))) {
                    outputs[i] = result.get("y").toFloatArray();
                }
            }
        }
        return outputs;
    }

    static void assertScores(List<Row> rows, List<float[]> inputs) {
        float[][] expected = session(inputs);
        assertThat(rows).hasSize(inputs.size());
        assertThat(rows.stream().map(row -> row.getInt(0)).distinct()).hasSize(inputs.size());
        for (Row row : rows) {
            assertThat(floats(row, "scores")).containsExactly(expected[row.getInt(0)]);
        }
    }

    static float[] floats(Row row, String column) {
        List<Float> list = row.getList(row.fieldIndex(column));
        float[] floats = new float[list.size()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = list.get(i);
        }
        return floats;
    }
}
