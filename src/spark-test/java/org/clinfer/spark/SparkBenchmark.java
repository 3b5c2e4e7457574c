package org.clinfer.spark;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.Serializable;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import scala.collection.mutable.ArraySeq;

/**
 * Rows in a second of a stage, and of ONNX Runtime in the way of SynapseML: a session for each partition, batches of 10 rows,
 * elements in boxes. Both take turns in one process, over the same table of 32 partitions in memory; the first turns, in which
 * Java compiles Spark, do not count.
 */
final class SparkBenchmark {

    private static final int PARTITIONS = 32;
    private static final int PEER_BATCH = 10;

    private SparkBenchmark() {}

    /**
     * Prints a line for each network.
     *
     * @param args the ONNX file of MobileNetV2 as {@code -Pnetworks} writes it, the device, and {@code nullable} where the
     *     elements of arrays may be null
     */
    public static void main(String[] args) throws IOException {
        boolean nullable = args.length > 2 && args[2].equals("nullable");
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .appName("benchmark")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .getOrCreate()) {
            byte[] perceptron = SampleNetworks.perceptron(768, 512, 128, 4);
            compare(spark, "perceptron 768-512-128-4", perceptron, "x", 768, 256, 15, args[1], nullable);
            byte[] mobileNet = openBatch(Path.of(args[0]));
            String input =
                    ModelProto.parseFrom(mobileNet).getGraph().getInput(0).getName();
            compare(spark, "MobileNetV2", mobileNet, input, 3 * 224 * 224, 12, 5, args[1], nullable);
        }
    }

    private static void compare(
            SparkSession spark,
            String name,
            byte[] network,
            String input,
            int elements,
            int rowsOfPartition,
            int turns,
            String device,
            boolean nullable)
            throws IOException {
        GraphProto graph = ModelProto.parseFrom(network).getGraph();
        String output = graph.getOutput(0).getName();
        Dataset<Row> table = table(spark, elements, rowsOfPartition, nullable);
        ClinferModel stage = new ClinferModel()
                .setModel(network)
                .setDevice(device)
                .setBatchSize(Math.min(rowsOfPartition, 128))
                .setFeed(Map.of(input, "x"))
                .setFetch(Map.of("y", output));
        Dataset<Row> ours = stage.transform(table);
        Dataset<Row> theirs = peer(spark, table, network, input);
        double[] sums = {sum(ours), sum(theirs)};
        List<Double> ratios = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        List<Double> peerRates = new ArrayList<>();
        for (int turn = 0; turn < 2 * turns; turn++) {
            double own;
            double other;
            if (turn % 2 == 0) {
                own = seconds(ours);
                other = seconds(theirs);
            } else {
                other = seconds(theirs);
                own = seconds(ours);
            }
            if (turn < turns) {
                continue;
            }
            double rows = PARTITIONS * (double) rowsOfPartition;
            rates.add(rows / own);
            peerRates.add(rows / other);
            ratios.add(other / own);
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %.0f rows/s, peer %.0f rows/s, ratio %.2f (%.2f to %.2f), sums %.4f and %.4f%n",
                name,
                median(rates),
                median(peerRates),
                median(ratios),
                ratios.stream().mapToDouble(Double::doubleValue).min().orElse(0),
                ratios.stream().mapToDouble(Double::doubleValue).max().orElse(0),
                sums[0],
                sums[1]);
        table.unpersist(true);
    }

    private static Dataset<Row> table(SparkSession spark, int elements, int rowsOfPartition, boolean nullable) {
        StructType schema = new StructType().add("x", DataTypes.createArrayType(DataTypes.FloatType, nullable));
        Dataset<Row> table = spark.range(0, (long) PARTITIONS * rowsOfPartition, 1, PARTITIONS)
                .mapPartitions(
                        (MapPartitionsFunction<Long, Row>) ids -> {
                            List<Row> rows = new ArrayList<>();
                            while (ids.hasNext()) {
                                Random random = new Random(ids.next());
                                Float[] values = new Float[elements];
                                Arrays.setAll(values, i -> random.nextFloat());
                                rows.add(RowFactory.create((Object) values));
                            }
                            return rows.iterator();
                        },
                        Encoders.row(schema))
                .cache();
        table.count();
        return table;
    }

    private static double sum(Dataset<Row> table) {
        return table.agg(functions.sum(functions.element_at(functions.col("y"), 1)))
                .collectAsList()
                .get(0)
                .getDouble(0);
    }

    private static double seconds(Dataset<Row> table) {
        long start = System.nanoTime();
        double sum = sum(table);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (Double.isNaN(sum)) {
            throw new IllegalStateException("the sum is NaN");
        }
        return seconds;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** ONNX Runtime as SynapseML has it. */
    private static Dataset<Row> peer(SparkSession spark, Dataset<Row> table, byte[] network, String input)
            throws IOException {
        StructType schema = table.schema().add("y", DataTypes.createArrayType(DataTypes.FloatType));
        Broadcast<byte[]> model =
                JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(network);
        long[] shape =
                ModelProto.parseFrom(network)
                        .getGraph()
                        .getInput(0)
                        .getType()
                        .getTensorType()
                        .getShape()
                        .getDimList()
                        .stream()
                        .mapToLong(dim -> dim.getDimValue())
                        .toArray();
        return table.mapPartitions(
                (MapPartitionsFunction<Row, Row>) rows -> new Peer(model.value(), input, shape).map(rows),
                Encoders.row(schema));
    }

    /** A session of a partition. */
    private static final class Peer implements Serializable {
        private static final long serialVersionUID = 1L;

        private final transient OrtEnvironment environment = OrtEnvironment.getEnvironment();
        private final transient OrtSession session;
        private transient boolean closed;
        private final String input;
        private final long[] shape;

        Peer(byte[] model, String input, long[] shape) throws OrtException {
            this.session = environment.createSession(model, new OrtSession.SessionOptions());
            this.input = input;
            this.shape = shape;
        }

        Iterator<Row> map(Iterator<Row> rows) {
            return new Iterator<>() {
                private Iterator<Row> ready = List.<Row>of().iterator();

                @Override
                public boolean hasNext() {
                    if (!ready.hasNext() && rows.hasNext()) {
                        ready = run(rows).iterator();
                    }
                    if (!ready.hasNext()) {
                        close();
                    }
                    return ready.hasNext();
                }

                @Override
                public Row next() {
                    return ready.next();
                }
            };
        }

        private void close() {
            try {
                if (!closed) {
                    closed = true;
                    session.close();
                }
            } catch (OrtException e) {
                throw new IllegalStateException(e);
            }
        }

        private List<Row> run(Iterator<Row> rows) {
            List<Row> batch = new ArrayList<>();
            while (batch.size() < PEER_BATCH && rows.hasNext()) {
                batch.add(rows.next());
            }
            List<Float> elements = new ArrayList<>();
            batch.forEach(row -> elements.addAll(row.<Float>getList(0)));
            float[] values = new float[elements.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = elements.get(i);
            }
            long[] sizes = shape.clone();
            sizes[0] = batch.size();
            try (OnnxTensor tensor = OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), sizes);
                    OrtSession.Result result = session.run(Map.of(input, tensor))) {
                float[][] outputs = (float[][]) result.get(0).getValue();
                List<Row> made = new ArrayList<>();
                for (int i = 0; i < outputs.length; i++) {
                    Float[] boxed = new Float[outputs[i].length];
                    for (int j = 0; j < boxed.length; j++) {
                        boxed[j] = outputs[i][j];
                    }
                    made.add(RowFactory.create(batch.get(i).get(0), ArraySeq.make(boxed)));
                }
                return made;
            } catch (OrtException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The network with its weights inside, and a first dimension that is open. */
    private static byte[] openBatch(Path file) throws IOException {
        ModelProto.Builder model = ModelProto.parseFrom(Files.readAllBytes(file)).toBuilder();
        GraphProto.Builder graph = model.getGraphBuilder().clearValueInfo();
        for (TensorProto.Builder tensor : graph.getInitializerBuilderList()) {
            inside(tensor, file);
        }
        graph.getInputBuilder(0)
                .getTypeBuilder()
                .getTensorTypeBuilder()
                .getShapeBuilder()
                .getDimBuilder(0)
                .setDimParam("N");
        graph.getOutputBuilder(0).getTypeBuilder().getTensorTypeBuilder().clearShape();
        return model.build().toByteArray();
    }

    private static void inside(TensorProto.Builder tensor, Path file) throws IOException {
        if (tensor.getExternalDataCount() == 0) {
            return;
        }
        String name = "";
        int offset = 0;
        int length = 0;
        for (StringStringEntryProto entry : tensor.getExternalDataList()) {
            switch (entry.getKey()) {
                case "location" -> name = entry.getValue();
                case "offset" -> offset = Integer.parseInt(entry.getValue());
                case "length" -> length = Integer.parseInt(entry.getValue());
                default -> {}
            }
        }
        byte[] data = Files.readAllBytes(file.resolveSibling(name));
        tensor.clearExternalData().clearDataLocation().setRawData(ByteString.copyFrom(data, offset, length));
    }
}
