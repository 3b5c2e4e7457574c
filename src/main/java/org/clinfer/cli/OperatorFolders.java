package org.clinfer.cli;

import java.nio.file.Path;
import java.util.List;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.text.Spelling;
import picocli.CommandLine.Option;

/** The option of every command that reads models or describes operators: operators beside the built-in ones. */
final class OperatorFolders {

    @Option(
            names = "--operators",
            paramLabel = "DIR",
            description = "Folder with descriptions (.json) and kernels (.cl) of further operators; may be repeated.")
    private List<Path> folders = List.of();

    List<Path> folders() {
        return folders;
    }

    /**
     * The built-in operators and those of the folders.
     *
     * @throws org.clinfer.describe.DescriptionException if a folder cannot be read
     */
    OpCatalog catalog() {
        OpCatalog catalog = OpCatalog.builtIn();
        for (Path folder : folders) {
            catalog = catalog.with(folder);
        }
        return catalog;
    }

    /** Says that there is no such operator, and which one may be meant. */
    static UsageException unknown(String name, OpCatalog catalog) {
        List<String> names =
                catalog.operators().stream().map(OpDescription::optype).toList();
        return new UsageException(
                "there is no operator '" + name + "'; 'clinfer ops' lists them" + Spelling.question(name, names));
    }
}
