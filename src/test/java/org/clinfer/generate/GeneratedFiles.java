package org.clinfer.generate;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.estimate.EstimatesPage;
import org.clinfer.profile.ProfileCatalog;

/** The files that follow from the operator descriptions and kernels, and from device profiles and their rules. */
final class GeneratedFiles {

    /** How to write them. */
    static final String COMMAND = "mvn test -Dtest=GeneratedFilesTest -Dgenerate=true";

    /** A folder with nothing but generated sources. */
    static final Path SOURCES = Path.of("src/generated/java/org/clinfer/ops");

    /** A folder with nothing but a page for each family of devices, and one for all. */
    static final Path PROFILES = Path.of("docs/profiles");

    /** The descriptions of operators. */
    static final Path DESCRIPTIONS = Path.of("src/main/resources/org/clinfer/operators");

    private static final Path MANUAL = Path.of("docs/operators.md");
    private static final Path FORMATS = Path.of("docs/format-operators.md");
    private static final Path ESTIMATES = Path.of("docs/estimates.md");
    private static final Path KERNELS = Path.of("kernels-cl");

    private GeneratedFiles() {}

    /** Every file from the project's folder on, with its text. */
    static Map<Path, String> of(OpCatalog catalog, CpuOperators cpu, ProfileCatalog profiles) {
        List<OpModel> models = catalog.operators().stream()
                .map(OpModel::new)
                .filter(OpModel::isOfModels)
                .toList();
        List<OpDescription> operators = models.stream().map(OpModel::op).toList();
        EnumTypes enums = new EnumTypes(operators);
        Map<Path, String> files = new TreeMap<>();
        put(files, "OperatorMethods", new FactorySource(enums).text(models));
        enums.shared().forEach((name, spellings) -> put(files, name, EnumSource.text(name, spellings, operators)));
        models.stream()
                .filter(model -> !model.isDirect())
                .forEach(model -> put(files, model.type(), new BuilderSource(model, enums).text()));
        files.put(DESCRIPTIONS.resolve("index.txt"), index(catalog));
        files.put(MANUAL, new Manual(catalog, cpu.names()).text());
        files.put(FORMATS, FormatIndex.text(catalog));
        files.put(KERNELS.resolve("README.md"), new KernelIndex(catalog, KERNELS).text());
        profiles.families()
                .forEach(family ->
                        files.put(PROFILES.resolve(family.family() + ".md"), new FamilyPage(profiles, family).text()));
        files.put(PROFILES.resolve("README.md"), new ProfileIndex(profiles, catalog).text());
        files.put(ESTIMATES, EstimatesPage.text());
        return files;
    }

    /** Which file has which operators. */
    private static String index(OpCatalog catalog) {
        Map<String, StringBuilder> lines = new LinkedHashMap<>();
        for (OpDescription op : catalog.operators()) {
            String file = String.valueOf(Path.of(op.source()).getFileName());
            lines.computeIfAbsent(file, name -> new StringBuilder(name).append(':'))
                    .append(' ')
                    .append(op.optype());
        }
        return String.join("\n", lines.values()) + "\n";
    }

    private static void put(Map<Path, String> files, String type, String text) {
        if (files.put(SOURCES.resolve(type + ".java"), text) != null) {
            throw new IllegalStateException("two generated classes are called " + type);
        }
    }
}
