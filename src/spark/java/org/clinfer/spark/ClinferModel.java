package org.clinfer.spark;

import java.io.Serial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.clinfer.errors.InputException;
import org.clinfer.image.Preprocessing;
import org.jspecify.annotations.Nullable;

/**
 * A network as a stage of a pipeline: adds columns of what it gives for each row.
 *
 * <pre>{@code
 * ClinferModel classifier = new ClinferModel()
 *         .setModel("hdfs:///models/net.onnx")
 *         .setFeed(Map.of("image", "content"))
 *         .setFetch(Map.of("scores", "logits"))
 *         .setArgmax(Map.of("scores", "prediction"))
 *         .setPreprocessing(Preprocessing.imageNet());
 * Dataset<Row> labelled = classifier.transform(pictures);
 * }</pre>
 *
 * <p>The rows of a run are along the first dimension of each input. Columns may have numbers, arrays (flat in row-major order,
 * or nested), vectors, Spark's images, and binary: picture files, or the elements themselves ({@link #setBinary}). The model is
 * read and checked on the driver, and sent to each executor once, where all tasks share an engine and the weights. Not
 * thread-safe while parameters are set.
 */
public final class ClinferModel extends Transformer implements MLWritable {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final StageParams params;
    private @Nullable NetworkFiles files;
    private transient @Nullable ModelSignature signature;
    private transient @Nullable Broadcast<Map<String, byte[]>> broadcast;
    private transient @Nullable SparkContext sentBy;

    /** A stage without a model, for {@link #setModel}. */
    public ClinferModel() {
        this(Identifiable$.MODULE$.randomUID("clinfer"));
    }

    /**
     * A stage with an identifier of the caller's.
     *
     * @param uid the identifier, different for all stages of a pipeline
     */
    public ClinferModel(String uid) {
        this.uid = uid;
        this.params = new StageParams(this);
    }

    @Override
    public String uid() {
        return uid;
    }

    /**
     * Reads the model that this stage runs.
     *
     * @param path of a file of any format, or of a folder that is a model, in any file system that Hadoop knows
     * @param others names of files beside it that belong to it, where Clinfer does not know them by its name: external data
     *     of ONNX
     * @return this
     * @throws InputException if a file cannot be read, or is larger than 2 GB
     */
    public ClinferModel setModel(String path, String... others) {
        // a thread that is older than the session does not have it as its own
        scala.Option<SparkSession> session = SparkSession.getActiveSession().orElse(SparkSession::getDefaultSession);
        Configuration hadoop = session.isEmpty()
                ? new Configuration()
                : session.get().sparkContext().hadoopConfiguration();
        return setFiles(NetworkFiles.read(path, List.of(others), hadoop));
    }

    /**
     * Takes the model that this stage runs.
     *
     * @param model the bytes of its file, whose first bytes tell the format
     * @return this
     */
    public ClinferModel setModel(byte[] model) {
        return setFiles(NetworkFiles.of(model.clone()));
    }

    ClinferModel setFiles(NetworkFiles model) {
        files = model;
        signature = null;
        broadcast = null;
        set(params.modelFile, model.main());
        return this;
    }

    /** {@return the files of the model} */
    NetworkFiles files() {
        if (files == null) {
            throw new InputException("no model is set");
        }
        return files;
    }

    private <T> ClinferModel with(Param<T> param, T value) {
        set(param, value);
        return this;
    }

    /**
     * Sets the columns that inputs are taken from.
     *
     * @param columns by input; one that is not in it takes the column of its own name
     * @return this
     */
    public ClinferModel setFeed(Map<String, String> columns) {
        return with(params.feed, new LinkedHashMap<>(columns));
    }

    /** {@return the parameter of {@link #setFeed}} */
    public Param<Map<String, String>> feed() {
        return params.feed;
    }

    /**
     * Sets the columns that are added.
     *
     * @param columns values by column: outputs, or any other values of the network; empty: each output under its own name
     * @return this
     */
    public ClinferModel setFetch(Map<String, String> columns) {
        return with(params.fetch, new LinkedHashMap<>(columns));
    }

    /** {@return the parameter of {@link #setFetch}} */
    public Param<Map<String, String>> fetch() {
        return params.fetch;
    }

    /**
     * Sets columns of probabilities.
     *
     * @param columns new columns by the fetched column whose elements are scores
     * @return this
     */
    public ClinferModel setSoftmax(Map<String, String> columns) {
        return with(params.softmax, new LinkedHashMap<>(columns));
    }

    /** {@return the parameter of {@link #setSoftmax}} */
    public Param<Map<String, String>> softmax() {
        return params.softmax;
    }

    /**
     * Sets columns of the index of the largest element, as doubles.
     *
     * @param columns new columns by the fetched column whose elements are scores
     * @return this
     */
    public ClinferModel setArgmax(Map<String, String> columns) {
        return with(params.argmax, new LinkedHashMap<>(columns));
    }

    /** {@return the parameter of {@link #setArgmax}} */
    public Param<Map<String, String>> argmax() {
        return params.argmax;
    }

    /**
     * Sets the fetched columns that are vectors of Spark's machine learning instead of arrays.
     *
     * @param columns names of columns
     * @return this
     */
    public ClinferModel setVectors(String... columns) {
        return with(params.vectors, columns);
    }

    /** {@return the parameter of {@link #setVectors}} */
    public StringArrayParam vectors() {
        return params.vectors;
    }

    /**
     * Sets the rows of a run at most, where the model leaves it open; 32 if nothing is said.
     *
     * @param rows at least 1
     * @return this
     */
    public ClinferModel setBatchSize(int rows) {
        return with(params.batchSize, rows);
    }

    /** {@return the parameter of {@link #setBatchSize}} */
    public IntParam batchSize() {
        return params.batchSize;
    }

    /**
     * Sets the time that a row waits at most for others to share a run; it is looked at whenever a row comes.
     *
     * @param millis milliseconds; 0: any time
     * @return this
     */
    public ClinferModel setMaxBatchMillis(int millis) {
        return with(params.maxBatchMillis, millis);
    }

    /** {@return the parameter of {@link #setMaxBatchMillis}} */
    public IntParam maxBatchMillis() {
        return params.maxBatchMillis;
    }

    /**
     * Sets the device that runs the model.
     *
     * @param choice {@code auto}: the one that Spark gives the task, or else the one that suits the model; {@code cpu}, {@code opencl}, {@code all}, or numbers as {@code clinfer devices} has them
     * @return this
     */
    public ClinferModel setDevice(String choice) {
        return with(params.device, choice);
    }

    /** {@return the parameter of {@link #setDevice}} */
    public Param<String> device() {
        return params.device;
    }

    /**
     * Sets the name under which Spark schedules devices; {@code gpu} if nothing is said.
     *
     * @param name as in {@code spark.task.resource.NAME.amount}
     * @return this
     */
    public ClinferModel setResource(String name) {
        return with(params.resource, name);
    }

    /** {@return the parameter of {@link #setResource}} */
    public Param<String> resource() {
        return params.resource;
    }

    /**
     * Sets the precision of what the model has in float32.
     *
     * @param word {@code float32}, {@code tf32} or {@code float16}
     * @return this
     */
    public ClinferModel setPrecision(String word) {
        return with(params.precision, word);
    }

    /** {@return the parameter of {@link #setPrecision}} */
    public Param<String> precision() {
        return params.precision;
    }

    /**
     * Sets the fate of nodes that the device does not take.
     *
     * @param word {@code cpu}, or {@code fail}: the model is refused
     * @return this
     */
    public ClinferModel setOnUnsupported(String word) {
        return with(params.onUnsupported, word);
    }

    /** {@return the parameter of {@link #setOnUnsupported}} */
    public Param<String> onUnsupported() {
        return params.onUnsupported;
    }

    /**
     * Sets the content of binary columns.
     *
     * @param word {@code picture}: a picture file; {@code raw}: the elements of the input, little-endian
     * @return this
     */
    public ClinferModel setBinary(String word) {
        return with(params.binary, word);
    }

    /** {@return the parameter of {@link #setBinary}} */
    public Param<String> binary() {
        return params.binary;
    }

    /**
     * Sets the way of pictures into the model.
     *
     * @param way size, colours and normalization
     * @return this
     */
    public ClinferModel setPreprocessing(Preprocessing way) {
        return with(params.preprocessing, way);
    }

    /** {@return the parameter of {@link #setPreprocessing}} */
    public Param<Preprocessing> preprocessing() {
        return params.preprocessing;
    }

    /**
     * Sets a column of what is wrong with a row, whose other new columns are null then; without it such a row fails the job.
     *
     * @param column a new column
     * @return this
     */
    public ClinferModel setErrorColumn(String column) {
        return with(params.errorColumn, column);
    }

    /** {@return the parameter of {@link #setErrorColumn}} */
    public Param<String> errorColumn() {
        return params.errorColumn;
    }

    /** {@return the parameter that has the name of the model's own file, set with the model} */
    public Param<String> modelFile() {
        return params.modelFile;
    }

    private ModelSignature signature() {
        Set<String> wanted = Set.copyOf(params.fetchNames().values());
        if (signature == null || !signature.wanted().equals(wanted)) {
            signature = ModelSignature.of(files(), wanted);
        }
        return signature;
    }

    /**
     * {@return the table's columns with those that are added}
     *
     * @param schema of the table
     * @throws org.clinfer.errors.ClinferException if the model cannot be read, or does not fit the columns; the message says
     *     why
     */
    @Override
    public StructType transformSchema(StructType schema) {
        return planned(schema).schema().schema();
    }

    /**
     * {@return the table with the columns that the model adds; its rows are where they were, and nothing runs yet}
     *
     * @param dataset the table
     * @throws org.clinfer.errors.ClinferException as for {@link #transformSchema}
     */
    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        StructType schema = dataset.schema();
        Planned planned = planned(schema);
        RowTask task = new RowTask(planned.task(), files().main(), sent(dataset.sparkSession()));
        return RowEncoders.flat(RowEncoders.nested(dataset)
                .as(RowEncoders.of(schema))
                .mapPartitions(task, RowEncoders.of(planned.schema().schema())));
    }

    /** The work of tasks, for a table of these columns. */
    Planned planned(StructType schema) {
        SchemaPlan columns = new SchemaPlan(signature(), schema);
        return planned(columns, columns.feeds(params.feedNames(), params.binaryKind()));
    }

    /** The work of a function whose arguments are the inputs. */
    Planned plannedFunction() {
        SchemaPlan columns = new SchemaPlan(signature(), new StructType());
        return planned(columns, columns.arguments(params.binaryKind()));
    }

    private Planned planned(SchemaPlan columns, List<TaskPlan.Feed> feeds) {
        Map<String, String> fetched = SchemaPlan.fetched(params.fetchNames(), signature());
        params.addColumns(columns, fetched);
        return new Planned(params.task(network(fetched), feeds, columns), columns);
    }

    EngineSettings engine() {
        return params.engine();
    }

    NetworkChoice network() {
        return network(SchemaPlan.fetched(params.fetchNames(), signature()));
    }

    private NetworkChoice network(Map<String, String> fetched) {
        return new NetworkChoice(files().digest(), new ArrayList<>(new LinkedHashSet<>(fetched.values())));
    }

    /** The files of the model on their way to each executor, once for all tables of a Spark context. */
    Broadcast<Map<String, byte[]>> sent(SparkSession session) {
        if (broadcast == null || sentBy != session.sparkContext()) {
            sentBy = session.sparkContext();
            broadcast = JavaSparkContext.fromSparkContext(sentBy).broadcast(files().files());
        }
        return broadcast;
    }

    /**
     * {@return a stage with the same model and parameters, and some others}
     *
     * @param extra parameters that differ
     */
    @Override
    public ClinferModel copy(ParamMap extra) {
        ClinferModel copy = defaultCopy(extra);
        copy.files = files;
        return copy;
    }

    /** {@return a writer of this stage with the files of the model} */
    @Override
    public MLWriter write() {
        return new ClinferModelFile.Writer(this);
    }

    /** {@return a reader of stages that were written} */
    public static MLReader<ClinferModel> read() {
        return new ClinferModelFile.Reader();
    }

    /**
     * {@return a stage that was written}
     *
     * @param path of its folder
     */
    public static ClinferModel load(String path) {
        return read().load(path);
    }

    /**
     * A plan for a table.
     *
     * @param task of each task
     * @param schema the columns
     */
    record Planned(TaskPlan task, SchemaPlan schema) {}
}
