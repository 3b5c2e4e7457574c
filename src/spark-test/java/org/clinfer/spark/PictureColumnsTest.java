package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.spark.ml.image.ImageSchema;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.image.Picture;
import org.clinfer.image.Preprocessing;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class PictureColumnsTest {

    private static final ClinferModel MEANS = new ClinferModel()
            .setModel(SampleNetworks.channelMeans("height", "width"))
            .setDevice("cpu")
            .setFeed(Map.of("image", "content"))
            .setPreprocessing(Preprocessing.defaults().withScale(1));

    @Test
    void pictureFilesOfDifferentSizesFeedAnInput() throws IOException {
        List<Object> files = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            files.add(png(2 + i % 3, 2 + i % 2, 10 * i, 5, 255 - i));
        }
        Dataset<Row> table = LocalSpark.table("content", DataTypes.BinaryType, files);

        List<Row> rows = MEANS.transform(table).collectAsList();

        assertThat(rows)
                .hasSize(20)
                .allSatisfy(row -> assertThat(row.<Float>getList(2))
                        .containsExactly(10f * row.getInt(0), 5f, 255f - row.getInt(0)));
    }

    @Test
    void picturesAreBroughtToTheSizeOfTheInput() throws IOException {
        List<byte[]> files = List.of(png(9, 5, 1, 2, 3), png(4, 4, 4, 5, 6), png(3, 7, 250, 9, 99));
        byte[] network = SampleNetworks.channelMeans("4", "4");
        ClinferModel fixed =
                MEANS.copy(org.apache.spark.ml.param.ParamMap.empty()).setModel(network);

        List<Row> rows = fixed.transform(LocalSpark.table("content", DataTypes.BinaryType, files))
                .sort("id")
                .collectAsList();

        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(network);
                Session session = model.session()) {
            for (int i = 0; i < files.size(); i++) {
                Tensor image = Preprocessing.defaults()
                        .withScale(1)
                        .tensor(Picture.of(files.get(i)), TensorType.of(DType.FLOAT32, 1, 3, 4, 4));
                try (Result result = session.run(Map.of("image", image))) {
                    assertThat(rows.get(i).<Float>getList(2))
                            .containsExactly(ArrayUtils.toObject(result.get("y").toFloatArray()));
                }
            }
        }
    }

    @Test
    void imagesOfSparkFeedAnInput() {
        StructType schema = new StructType().add("content", ImageSchema.columnSchema());
        byte[] bgr = {3, 2, (byte) 200, 3, 2, (byte) 200};
        byte[] bgra = {6, 5, 4, 99, 6, 5, 4, 99};
        List<Row> images = List.of(
                RowFactory.create(RowFactory.create("a", 1, 2, 3, 16, bgr)),
                RowFactory.create(RowFactory.create("b", 2, 1, 4, 24, bgra)));

        List<Row> rows = MEANS.transform(LocalSpark.session().createDataFrame(images, schema))
                .collectAsList();

        assertThat(rows.get(0).<Float>getList(1)).containsExactly(200f, 2f, 3f);
        assertThat(rows.get(1).<Float>getList(1)).containsExactly(4f, 5f, 6f);
        assertThat(rows.get(1).getStruct(0).<byte[]>getAs("data")).containsExactly(bgra);
    }

    @Test
    void imagesWithoutAFieldAreErrorsOfTheirRowsAlone() {
        StructType fields = new StructType();
        for (StructField field : ImageSchema.columnSchema().fields()) {
            fields = fields.add(field.name(), field.dataType(), true);
        }
        byte[] gray = {5};
        List<Row> images = List.of(
                RowFactory.create(RowFactory.create("a", 1, 1, 1, 0, null)),
                RowFactory.create(RowFactory.create("b", null, 1, 1, 0, gray)),
                RowFactory.create(RowFactory.create("c", 1, 1, 1, 0, gray)));

        List<Row> rows = MEANS.copy(ParamMap.empty())
                .setErrorColumn("error")
                .transform(LocalSpark.session().createDataFrame(images, new StructType().add("content", fields)))
                .collectAsList();

        assertThat(rows)
                .extracting(row -> row.<String>getAs("error"))
                .containsExactly(
                        "column 'content' has an image without data",
                        "column 'content' has an image without height",
                        null);
    }

    @Test
    void structsWhoseFieldsAreOfOtherTypesAreNoImages() {
        StructType fields = new StructType();
        for (StructField field : ImageSchema.columnSchema().fields()) {
            fields = fields.add(field.name(), field.name().equals("height") ? DataTypes.StringType : field.dataType());
        }
        StructType schema = new StructType().add("content", fields);

        assertThatThrownBy(() -> MEANS.transformSchema(schema)).hasMessageContaining("inputs are made of");
    }

    @Test
    void rawBytesAreTheElements() {
        ByteBuffer bytes = ByteBuffer.allocate(3 * 2 * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : new float[] {1, 3, 10, 20, -1, -3}) {
            bytes.putFloat(value);
        }
        ClinferModel raw = MEANS.copy(org.apache.spark.ml.param.ParamMap.empty())
                .setModel(SampleNetworks.channelMeans("1", "width"))
                .setBinary("raw");

        List<Row> rows = raw.transform(LocalSpark.table("content", DataTypes.BinaryType, List.of(bytes.array())))
                .collectAsList();

        assertThat(rows.get(0).<Float>getList(2)).containsExactly(2f, 15f, -2f);
    }

    @Test
    void rowsThatCannotBeReadGoToTheErrorColumnAndShiftNoOther() throws IOException {
        List<Object> files = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            files.add(
                    switch (i % 4) {
                        case 1 -> new byte[] {1, 2, 3};
                        case 2 -> null;
                        default -> png(2, 2, i, 5, 6);
                    });
        }
        Dataset<Row> table = LocalSpark.table("content", DataTypes.BinaryType, files);
        ClinferModel tolerant = MEANS.copy(org.apache.spark.ml.param.ParamMap.empty())
                .setBatchSize(3)
                .setErrorColumn("error");

        List<Row> rows = tolerant.transform(table).collectAsList();

        assertThat(rows).hasSize(40).allSatisfy(row -> {
            int kind = row.getInt(0) % 4;
            String error = row.getAs("error");
            if (kind == 1) {
                assertThat(error).startsWith("column 'content': ");
                assertThat(row.isNullAt(2)).isTrue();
            } else if (kind == 2) {
                assertThat(error).isEqualTo("column 'content' is null");
            } else {
                assertThat(error).isNull();
                assertThat(row.<Float>getList(2)).containsExactly((float) row.getInt(0), 5f, 6f);
            }
        });
    }

    @Test
    void aRowThatCannotBeReadFailsTheJobWithItsSentence() {
        Dataset<Row> table = LocalSpark.table("content", DataTypes.BinaryType, List.of(new byte[] {1, 2, 3}))
                .coalesce(1);

        assertThatThrownBy(() -> MEANS.transform(table).collectAsList())
                .rootCause()
                .hasMessageStartingWith("row 0 of partition 0: column 'content': ");
    }

    @Test
    void numbersThatDoNotFitAreErrorsOfTheirRowsAlone() {
        StructType schema = new StructType().add("a", DataTypes.DoubleType).add("b", DataTypes.LongType);
        List<Row> values = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            values.add(RowFactory.create(i % 5 == 3 ? i + 0.5 : i, (long) i));
        }
        Dataset<Row> table = LocalSpark.session().createDataFrame(values, schema);

        List<Row> rows = new ClinferModel()
                .setModel(SampleNetworks.addition())
                .setErrorColumn("error")
                .transform(table)
                .collectAsList();

        for (int i = 0; i < 20; i++) {
            Row row = rows.get(i);
            if (i % 5 == 3) {
                assertThat(row.<String>getAs("error")).isEqualTo("column 'a': " + (i + 0.5) + " is no value of int64");
            } else {
                assertThat(row.<Long>getAs("y")).isEqualTo(2L * i);
            }
        }
    }

    @Test
    void numbersAtTheEndsOfIntegersAreExact() {
        StructType schema =
                new StructType().add("a", DataTypes.DoubleType).add("b", DataTypes.createDecimalType(38, 1));
        List<Row> values = List.of(
                RowFactory.create(0x1p63, new BigDecimal(0)),
                RowFactory.create(-0x1p63, new BigDecimal(0)),
                RowFactory.create(0.0, new BigDecimal("90071992547409931.5")),
                RowFactory.create(0.0, new BigDecimal("9223372036854775807.5")),
                RowFactory.create(0.0, new BigDecimal("9223372036854775807")),
                RowFactory.create(0.0, new BigDecimal("9223372036854775808")));

        List<Row> rows = new ClinferModel()
                .setModel(SampleNetworks.addition())
                .setErrorColumn("error")
                .transform(LocalSpark.session().createDataFrame(values, schema).coalesce(1))
                .collectAsList();

        assertThat(rows)
                .extracting(row -> row.<Long>getAs("y"))
                .containsExactly(null, Long.MIN_VALUE, null, null, Long.MAX_VALUE, null);
    }

    @Test
    void aRowThatFailsInItsRunIsNamed() {
        Dataset<Row> table = LocalSpark.table(
                        "x", DataTypes.createArrayType(DataTypes.LongType), List.of(new Object[] {0L}, new Object[] {7L
                        }))
                .coalesce(1);

        assertThatThrownBy(() -> new ClinferModel()
                        .setModel(SampleNetworks.choice())
                        .setDevice("cpu")
                        .transform(table)
                        .collectAsList())
                .rootCause()
                .hasMessageStartingWith("row 1 of partition 0: ");
    }

    @Test
    void rowsOfOtherSizesThanTheInputAreErrors() {
        List<Object> arrays = List.of(new Object[] {1f, 2f}, new Object[] {1f, null, 3f}, new Object[] {1f, 2f, 3f});
        Dataset<Row> table = LocalSpark.table("x", DataTypes.createArrayType(DataTypes.FloatType), arrays);

        List<Row> rows = new ClinferModel()
                .setModel(SampleNetworks.perceptron(3, 2))
                .setErrorColumn("error")
                .transform(table)
                .sort("id")
                .collectAsList();

        assertThat(rows)
                .extracting(row -> row.<String>getAs("error"))
                .containsExactly(
                        "column 'x': input 'x' is Nx3:float32, of which a row of [2] elements is none",
                        "column 'x' has a null among its elements, after 1",
                        null);
    }

    private static byte[] png(int width, int height, int red, int green, int blue) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, red << 16 | green << 8 | blue);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }
}
