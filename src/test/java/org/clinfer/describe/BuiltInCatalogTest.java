package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The catalogue that comes with Clinfer loads, and has the operators it promises. */
class BuiltInCatalogTest {

    @Test
    void everyDescriptionLoads() {
        OpCatalog catalog = OpCatalog.load(OpCatalog.class.getClassLoader());
        assertThat(catalog.operators()).hasSizeGreaterThan(80);
        assertThat(catalog.find("Conv2d")).isPresent();
        assertThat(catalog.find("NoSuchOperator")).isEmpty();
    }
}
