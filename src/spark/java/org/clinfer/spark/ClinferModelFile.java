package org.clinfer.spark;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.SparkSession;
import org.clinfer.errors.InputException;

/** A stage in a folder: Spark's {@code metadata} with the parameters, and the files of the model in {@code model}. */
final class ClinferModelFile {

    private static final String FOLDER = "model";

    private ClinferModelFile() {}

    /** Writes a stage. */
    static final class Writer extends MLWriter {
        private final ClinferModel stage;

        Writer(ClinferModel stage) {
            this.stage = stage;
        }

        @Override
        public void saveImpl(String path) {
            NetworkFiles model = stage.files();
            DefaultParamsWriter parameters = new DefaultParamsWriter(stage);
            parameters.session(sparkSession());
            parameters.saveImpl(path);
            Path folder = new Path(path, FOLDER);
            try {
                FileSystem system = folder.getFileSystem(hadoop(sparkSession()));
                for (Map.Entry<String, byte[]> file : model.files().entrySet()) {
                    try (FSDataOutputStream out = system.create(new Path(folder, file.getKey()))) {
                        out.write(file.getValue());
                    }
                }
            } catch (IOException e) {
                throw new InputException(folder + ": " + e.getMessage());
            }
        }
    }

    /** Reads a stage. */
    static final class Reader extends MLReader<ClinferModel> {

        Reader() {}

        @Override
        public ClinferModel load(String path) {
            DefaultParamsReader<Object> parameters = new DefaultParamsReader<>();
            parameters.session(sparkSession());
            Object read = parameters.load(path);
            if (!(read instanceof ClinferModel stage)) {
                throw new InputException(path + ": it is no ClinferModel, but a "
                        + read.getClass().getName());
            }
            Path folder = new Path(path, FOLDER);
            try {
                FileSystem system = folder.getFileSystem(hadoop(sparkSession()));
                String main = stage.getOrDefault(stage.modelFile());
                return stage.setFiles(new NetworkFiles(main, NetworkFiles.folder(system, folder)));
            } catch (IOException e) {
                throw new InputException(folder + ": " + e.getMessage());
            }
        }
    }

    private static Configuration hadoop(SparkSession session) {
        return session.sparkContext().hadoopConfiguration();
    }
}
