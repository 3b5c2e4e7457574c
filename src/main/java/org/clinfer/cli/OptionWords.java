package org.clinfer.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.tensor.DType;
import picocli.CommandLine.Model.ArgSpec;

/** The words that a value of an option may be, from which suggestions and the shell's completion choose. */
final class OptionWords {

    private static final Pattern WORD = Pattern.compile("-?[a-z0-9][a-z0-9.-]*");

    private OptionWords() {}

    /**
     * The words of which an argument's label gives the choice ({@code auto|cpu|INDEX}: auto, cpu), or the names that
     * there are of what it stands for.
     *
     * @return none where anything goes, as a file
     */
    static List<String> of(ArgSpec argument) {
        String label = argument.paramLabel();
        List<String> written = Arrays.stream(label.split("[|\\[\\],]", -1))
                .filter(word -> WORD.matcher(word).matches())
                .toList();
        return switch (label) {
            case "NAME|FILE" ->
                ProfileCatalog.builtIn().profiles().stream()
                        .map(DeviceProfile::name)
                        .toList();
            case "OPERATOR" ->
                OpCatalog.builtIn().operators().stream()
                        .filter(operator -> !operator.isOfLayout())
                        .map(OpDescription::optype)
                        .toList();
            case "TYPE" ->
                Arrays.stream(DType.values())
                        .map(type -> type.label().toLowerCase(Locale.ROOT))
                        .toList();
            default -> written;
        };
    }
}
