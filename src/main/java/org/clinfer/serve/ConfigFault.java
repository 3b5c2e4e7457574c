package org.clinfer.serve;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.TextFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.clinfer.serve.proto.ModelConfigText;
import org.clinfer.text.Printable;

/** A mistake in {@code config.pbtxt}, in the words of the file instead of those of its parser. */
final class ConfigFault {

    private static final Pattern WORD =
            Pattern.compile("Enum type \"(?:[\\w.]*\\.)?(\\w+)\" has no value named \"(.*)\"\\.");
    private static final Pattern NUMBER = Pattern.compile("Couldn't parse (?:integer|number): .*");

    private ConfigFault() {}

    /** {@return a sentence with the place, counted from 1} */
    static String sentence(String text, TextFormat.ParseException fault) {
        String said = String.valueOf(fault.getMessage()).lines().findFirst().orElse("");
        String reason = said.replaceFirst("^\\d+:\\d+: ", "");
        Matcher word = WORD.matcher(reason);
        if (word.matches()) {
            reason = "there is no value " + Printable.shortened(word.group(2)) + "; there are "
                    + String.join(", ", values(word.group(1)));
        } else if (NUMBER.matcher(reason).matches()) {
            reason = "expected a number, found " + Printable.shortened(found(text, fault));
        }
        return "line " + fault.getLine() + ", column " + fault.getColumn() + ": " + reason;
    }

    private static List<String> values(String type) {
        FileDescriptor file = ModelConfigText.getDescriptor().getFile();
        Optional<EnumDescriptor> found = Stream.concat(
                        file.getEnumTypes().stream(),
                        file.getMessageTypes().stream().flatMap(message -> message.getEnumTypes().stream()))
                .filter(each -> each.getName().equals(type))
                .findFirst();
        return found.stream()
                .flatMap(each -> each.getValues().stream())
                .map(EnumValueDescriptor::getName)
                .toList();
    }

    private static String found(String text, TextFormat.ParseException fault) {
        return text.lines()
                .skip(fault.getLine() - 1L)
                .findFirst()
                .filter(line -> line.length() >= fault.getColumn())
                .map(line -> line.substring(fault.getColumn() - 1).strip().split("[\\s,;}\\]]", 2)[0])
                .orElse("something else");
    }
}
