package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The catalogue that comes with Clinfer loads, and has the operators it promises. */
class BuiltInCatalogTest {

    @Test
    void everyDescriptionLoads() {
        OpCatalog catalog = OpCatalog.load(OpCatalog.class.getClassLoader());
        assertThat(catalog.operators()).hasSizeGreaterThan(80);
        assertThat(catalog.find("Conv2d")).isPresent();
        assertThat(catalog.find("NoSuchOperator")).isEmpty();
    }

    @Test
    void everySharedFamilyIsNamed() {
        List<String> families = new ArrayList<>();
        Set<String> named = new HashSet<>();
        DescriptionFiles.inResources(OpCatalog.class.getClassLoader(), OpCatalog.FOLDER)
                .forEach((file, json) -> {
                    JsonNode root = new JsonMapper().readTree(json);
                    root.findValuesAsString("like").forEach(named::add);
                    if (!root.has("ops")) {
                        families.addAll(root.get("families").propertyNames());
                    }
                });
        assertThat(families).isNotEmpty().allMatch(named::contains);
    }

    @Test
    void whatIsReadWhenItIsAskedForIsTheSame() {
        OpCatalog verified = OpCatalog.load(OpCatalog.class.getClassLoader());
        OpCatalog builtIn = OpCatalog.builtIn();
        assertThat(builtIn.operators()).hasToString(verified.operators().toString());
        for (OpDescription op : verified.operators()) {
            String name = op.optype();
            assertThat(builtIn.variants(name))
                    .hasToString(verified.variants(name).toString());
            assertThat(builtIn.elementForms(name))
                    .hasToString(verified.elementForms(name).toString());
            assertThat(builtIn.compositions(name))
                    .hasToString(verified.compositions(name).toString());
        }
        assertThat(builtIn.find("NoSuchOperator")).isEmpty();
        assertThat(builtIn.variants("NoSuchOperator")).isEmpty();
    }
}
