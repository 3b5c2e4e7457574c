package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.importer.json.JsonExporter;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged models of Clinfer's own format are refused as such or run, and so are those with damaged weights; the same
 * cases every time.
 */
class JsonFuzzTest {

    private static final int CASES = 1200;
    private static final int SECONDS = 15;
    private static final JsonMutator MUTATOR = new JsonMutator(List.of(
            "\"float64\"",
            "\"int64\"",
            "\"bool\"",
            "\"u1\"",
            "\"Relu\"",
            "\"Const\"",
            "\"Output\"",
            "\"../w.safetensors\""));

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void damagedModels() throws IOException {
        int refused = 0;
        int ran = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        try (Engine engine = FuzzTest.engine(new DeviceChoice.Cpu())) {
            Trial trial = new Trial(engine);
            List<byte[]> models = models(trial);
            byte[] weights = Files.readAllBytes(folder.resolve("case.safetensors"));
            for (int seed = 0; seed < CASES && System.nanoTime() < end; seed++) {
                Random random = new Random(seed);
                byte[] model = models.get(seed % models.size());
                boolean first = seed % models.size() == 0;
                if (first && random.nextBoolean()) {
                    Files.write(folder.resolve("case.safetensors"), new ModelMutator(seed).damage(weights));
                } else {
                    model = seed % 3 == 0 ? new ModelMutator(seed).damage(model) : MUTATOR.change(model, random);
                }
                Trial.Outcome outcome = trial.of(Files.write(folder.resolve("case.json"), model));
                assertThat(outcome.defect()).as("seed " + seed).isEmpty();
                if (outcome.refusal().isPresent()) {
                    refused++;
                } else {
                    ran++;
                }
                Files.write(folder.resolve("case.safetensors"), weights);
            }
        }
        System.out.println("fuzz of JSON models: " + refused + " refused, " + ran + " ran");
        assertThat(refused).isPositive();
        assertThat(ran).isPositive();
    }

    /** The models that fuzzing starts from as JSON; the weights of the first stand in a file. */
    private List<byte[]> models(Trial trial) throws IOException {
        List<byte[]> models = new ArrayList<>();
        for (ModelProto proto : SeedModels.all()) {
            Graph graph = Importers.builtIn().read(Files.write(folder.resolve("case.onnx"), proto.toByteArray()));
            long inline = models.isEmpty() ? 0 : Long.MAX_VALUE;
            JsonExporter exporter = new JsonExporter(OpCatalog.builtIn(), inline);
            ByteArrayOutputStream model = new ByteArrayOutputStream();
            exporter.writeModel(graph, "case.safetensors", model);
            if (models.isEmpty()) {
                ByteArrayOutputStream weights = new ByteArrayOutputStream();
                exporter.writeWeights(graph, weights);
                Files.write(folder.resolve("case.safetensors"), weights.toByteArray());
            }
            models.add(model.toByteArray());
            Trial.Outcome sound = trial.of(Files.write(folder.resolve("case.json"), model.toByteArray()));
            assertThat(sound.refusal()).isEmpty();
            assertThat(sound.defect()).isEmpty();
        }
        return models;
    }
}
