package org.clinfer.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.clinfer.CapabilityChecker;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.errors.ClinferException;
import org.clinfer.options.CacheFolder;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;

/**
 * Capability checks of many models for many devices, as a table with a row for each node of each model on each device; a task
 * checks a model.
 */
public final class CapabilityTable {

    private static final StructType SCHEMA = new StructType()
            .add("model", DataTypes.StringType, false)
            .add("profile", DataTypes.StringType)
            .add("node", DataTypes.StringType)
            .add("op", DataTypes.StringType)
            .add("verdict", DataTypes.StringType)
            .add("reasons", DataTypes.createArrayType(DataTypes.StringType, false))
            .add("error", DataTypes.StringType);

    private CapabilityTable() {}

    /**
     * {@return the columns of the table: the path of the {@code model}, the name of the {@code profile}, {@code node}, {@code
     * op}, the {@code verdict} ({@code ON_DEVICE}, {@code FALLS_BACK}, {@code UNSUPPORTED}, {@code INVALID}, {@code UNKNOWN}),
     * the {@code reasons} against the node; a model that cannot be read or checked is one row with the {@code error} alone}
     */
    public static StructType schema() {
        return SCHEMA;
    }

    /**
     * Checks models, each with the shapes of its own inputs.
     *
     * @param session that checks them
     * @param models paths in file systems that Hadoop knows, as for {@link ClinferModel#setModel(String, String...)}
     * @param profiles names of built-in device profiles
     * @param reading how the restrictions of profiles are read
     * @return the table, of {@link #schema}; nothing is read before it is needed
     * @throws org.clinfer.profile.ProfileException if there is no such profile
     */
    public static Dataset<Row> check(
            SparkSession session, List<String> models, List<String> profiles, Reading reading) {
        profiles.forEach(ProfileCatalog.builtIn()::find);
        SerializableConfiguration hadoop =
                new SerializableConfiguration(session.sparkContext().hadoopConfiguration());
        List<String> names = List.copyOf(profiles);
        return session.createDataset(models, Encoders.STRING())
                .repartition(Math.max(1, models.size()))
                .flatMap(
                        (FlatMapFunction<String, Row>)
                                model -> rows(model, names, reading, hadoop).iterator(),
                        Encoders.row(SCHEMA));
    }

    private static List<Row> rows(
            String model, List<String> profiles, Reading reading, SerializableConfiguration hadoop) {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.Cpu())
                .withThreads(1)
                .withCache(CacheFolder.off());
        try (Engine engine = Engine.open(options);
                NetworkFiles.Loaded loaded =
                        NetworkFiles.read(model, List.of(), hadoop.value()).load(engine)) {
            List<DeviceProfile> found =
                    profiles.stream().map(ProfileCatalog.builtIn()::find).toList();
            List<Row> rows = new ArrayList<>();
            for (CheckReport report :
                    CapabilityChecker.builtIn().check(loaded.model().graph(), Map.of(), found, reading)) {
                report.nodes().forEach(node -> rows.add(row(model, report.profile(), node)));
            }
            return rows;
        } catch (ClinferException e) {
            return List.of(RowFactory.create(model, null, null, null, null, null, e.getMessage()));
        }
    }

    private static Row row(String model, String profile, CheckReport.NodeReport node) {
        String[] reasons = node.findings().stream().map(Finding::message).toArray(String[]::new);
        return RowFactory.create(
                model, profile, node.node(), node.op(), node.verdict().name(), reasons, null);
    }
}
