package org.clinfer.serve.rest;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.serve.ServedModels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A server for all tests of a class, with the model {@code scaled}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ScaledModelTests {

    static final String INFER = "/v2/models/scaled/infer";

    @SuppressWarnings("NullAway.Init") // before all tests
    private Served served;

    @BeforeAll
    final void serve(@TempDir Path repository) throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        served = Served.of(repository);
    }

    @AfterAll
    final void close() {
        served.close();
    }

    final Served served() {
        return served;
    }
}
