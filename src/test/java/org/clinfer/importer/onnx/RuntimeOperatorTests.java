package org.clinfer.importer.onnx;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Operators of ONNX Runtime on the CPU, with one engine for all tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RuntimeOperatorTests {

    final RuntimeModelRunner runner = new RuntimeModelRunner();

    @TempDir
    Path folder;

    @AfterAll
    final void close() {
        runner.close();
    }
}
