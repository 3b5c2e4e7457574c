package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.CapabilityChecker;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Four times as many rules take about four times as many objects, not sixteen times: to read, to review, and to judge by. */
class ManyRulesTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FEW = 500;
    private static final int MORE = 4 * FEW;
    private static final double MOST = 7;

    private static double growth(IntConsumer work) {
        work.accept(FEW);
        return (double) bytes(work, MORE) / bytes(work, FEW);
    }

    private static long bytes(IntConsumer work, int rules) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        work.accept(rules);
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    /** A family in which every rule uses a name of its own. */
    private static String family(int rules) {
        return "[family]\ntitle = Mine\nvendor = me\nsource = sheet\n"
                + numbers(rules, "let.most_%1$d = Limits.rank + %1$d\n")
                + numbers(rules, "[relu/rank-%1$d]\nrequire = rank <= most_%1$d\nmessage = large\nsource = sheet\n");
    }

    private static String numbers(int count, String line) {
        return IntStream.range(0, count).mapToObj(line::formatted).collect(Collectors.joining());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ProfileCatalog catalog(String family, String limits) {
        Map<String, byte[]> rules = new LinkedHashMap<>();
        rules.put("vocabulary.ini", utf8("[Relu]\nkind = 'relu'\nlet.rank = len(input_dims[0])\n"));
        rules.put("mine.ini", utf8(family));
        String profile = "[Limits]\n" + limits + "[clinfer]\nfamily = mine\ntitle = Mine\nsource = sheet\n";
        return ProfileCatalog.of(rules, Map.of("one.ini", utf8(profile)));
    }

    @Test
    void reading() {
        assertThat(growth(rules -> RuleSet.parse("mine", IniFile.parse("mine.ini", family(rules)))))
                .isLessThan(MOST);
    }

    @Test
    void reviewing() {
        assertThat(growth(rules -> {
                    String family = family(rules);
                    ProfileCatalog catalog = catalog(family, "rank = 4\n");
                    assertThat(RuleFileReview.of("mine.ini", family, catalog, Map.of("Relu", Set.of("x", "y")))
                                    .findings())
                            .isEmpty();
                }))
                .isLessThan(MOST);
    }

    /** Another limit is held against what is broken first, not against the many rules that hold. */
    @Test
    void judgingWhatBreaksManyRules() {
        Graph relu = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 1, 8))
                .node("Relu", List.of("x"), List.of("y"), Map.of())
                .output("y")
                .build();
        assertThat(growth(rules -> {
                    String one = "[relu/one-%1$d]\nrequire = rank <= Limits.one\nmessage = large\nsource = s\n";
                    String all = family(rules) + numbers(rules / 2, one + one.replace("one", "other"));
                    ProfileCatalog catalog = catalog(all, "rank = 4\none = 1\nother = 1\n");
                    CapabilityChecker checker = CapabilityChecker.builtIn().withoutPassing();
                    assertThat(checker.check(relu, Map.of(), catalog.find("one"), Reading.DOCUMENT)
                                    .nodes()
                                    .get(0)
                                    .findings())
                            .hasSize(rules);
                }))
                .isLessThan(MOST);
    }
}
