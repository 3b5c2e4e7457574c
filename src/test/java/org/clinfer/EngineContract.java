package org.clinfer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Tests of one engine, which subclasses open wherever it runs. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class EngineContract {

    private Engine engine;

    abstract Engine open();

    /** Looks at what is left when the engine is closed. */
    void closed() {}

    @BeforeAll
    void openEngine() {
        engine = open();
    }

    @AfterAll
    void closeEngine() {
        engine.close();
        closed();
    }

    /** The engine of all tests of the class. */
    final Engine engine() {
        return engine;
    }
}
