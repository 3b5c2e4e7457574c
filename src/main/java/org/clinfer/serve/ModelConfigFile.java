package org.clinfer.serve;

import com.google.protobuf.Descriptors;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.errors.InputException;
import org.clinfer.serve.proto.DynamicBatchingText;
import org.clinfer.serve.proto.InstanceGroupText;
import org.clinfer.serve.proto.ModelConfigText;
import org.clinfer.serve.proto.TensorConfigText;
import org.clinfer.serve.proto.VersionPolicyText;
import org.clinfer.text.Spelling;

/** Reads {@code config.pbtxt}: a protocol buffer as text. Source of its fields: Triton's model configuration (docs/user_guide). */
final class ModelConfigFile {

    /** Its fields that are read are few; the largest file of this kind is far below. */
    private static final long MAX_BYTES = 1 << 20;

    /** The parser also logs the unknown fields that it skips; held here so that its level stays. */
    private static final Logger PARSER = Logger.getLogger(TextFormat.class.getName());

    static {
        PARSER.setLevel(Level.OFF);
    }

    private ModelConfigFile() {}

    /**
     * Reads a file.
     *
     * @throws InputException if it cannot be read, is not of this form, or has a value out of range
     */
    static ModelConfig read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new InputException(
                        file.getFileName() + ": a configuration must not be larger than " + MAX_BYTES + " bytes");
            }
            return parse(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new InputException(file.getFileName() + ": " + e.getMessage());
        } catch (IOException e) {
            throw new InputException(
                    file.getFileName() + ": cannot be read: " + e.getClass().getSimpleName());
        }
    }

    /** @throws IllegalArgumentException for a text that is not of this form, or has a value out of range */
    static ModelConfig parse(String text) {
        ModelConfigText.Builder config = ModelConfigText.newBuilder();
        List<String> unknown = List.of();
        try {
            TextFormat.Parser.newBuilder().build().merge(text, config);
        } catch (TextFormat.ParseException strict) {
            config.clear();
            mergeKnown(text, config);
            unknown = unknown(strict);
        }
        return of(config.build(), unknown);
    }

    private static void mergeKnown(String text, ModelConfigText.Builder config) {
        try {
            TextFormat.Parser.newBuilder()
                    .setAllowUnknownFields(true)
                    .setAllowUnknownExtensions(true)
                    .build()
                    .merge(text, config);
        } catch (TextFormat.ParseException fault) {
            throw new IllegalArgumentException(ConfigFault.sentence(text, fault), fault);
        }
    }

    /** The lines after the first: position and full name of a field each. */
    private static List<String> unknown(TextFormat.ParseException strict) {
        return String.valueOf(strict.getMessage())
                .lines()
                .skip(1)
                .map(line -> unknown(line.substring(line.lastIndexOf('.') + 1), line.split(":", 2)[0]))
                .toList();
    }

    private static String unknown(String field, String line) {
        Set<String> known = ModelConfigText.getDescriptor().getFile().getMessageTypes().stream()
                .flatMap(message -> Stream.concat(Stream.of(message), message.getNestedTypes().stream()))
                .flatMap(message -> message.getFields().stream())
                .map(Descriptors.FieldDescriptor::getName)
                .collect(Collectors.toSet());
        return field + " (line " + line + ") is not understood" + Spelling.question(field, known);
    }

    private static ModelConfig of(ModelConfigText config, List<String> unknown) {
        DynamicBatchingText batching = config.getDynamicBatching();
        DynamicBatchingText.QueuePolicy queue = batching.getDefaultQueuePolicy();
        List<InstanceGroupText> groups = config.getInstanceGroupList();
        if (config.getMaxBatchSize() < 0) {
            throw new IllegalArgumentException("max_batch_size is " + config.getMaxBatchSize());
        }
        return new ModelConfig(
                config.hasMaxBatchSize() ? OptionalInt.of(Math.max(1, config.getMaxBatchSize())) : OptionalInt.empty(),
                batching.hasMaxQueueDelayMicroseconds()
                        ? Optional.of(micros(batching.getMaxQueueDelayMicroseconds()))
                        : Optional.empty(),
                instances(groups),
                device(groups),
                queue.getMaxQueueSize() == 0 ? OptionalInt.empty() : OptionalInt.of(positive(queue.getMaxQueueSize())),
                queue.getDefaultTimeoutMicroseconds() == 0
                        ? Optional.empty()
                        : Optional.of(micros(queue.getDefaultTimeoutMicroseconds())),
                versions(config.getVersionPolicy()),
                fileName(config),
                sizes(config.getInputList()),
                unknown);
    }

    private static Duration micros(long micros) {
        if (micros < 0 || micros > Duration.ofDays(1).toNanos() / 1000) {
            throw new IllegalArgumentException(
                    "a time must be at most a day, but is " + Long.toUnsignedString(micros) + " us");
        }
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    private static int positive(int size) {
        return size < 0 ? Integer.MAX_VALUE : size;
    }

    private static OptionalInt instances(List<InstanceGroupText> groups) {
        int count = 0;
        for (InstanceGroupText group : groups) {
            if (group.getCount() < 0 || group.getCount() > Short.MAX_VALUE) {
                throw new IllegalArgumentException("the count of an instance_group is " + group.getCount());
            }
            count += group.getCount();
        }
        return count == 0 ? OptionalInt.empty() : OptionalInt.of(count);
    }

    /** The processor where all groups say so; the devices that any of them names. */
    private static Optional<DeviceChoice> device(List<InstanceGroupText> groups) {
        List<Integer> devices = groups.stream()
                .flatMap(group -> group.getGpusList().stream())
                .distinct()
                .toList();
        if (!devices.isEmpty()) {
            return Optional.of(
                    devices.size() == 1 ? new DeviceChoice.Index(devices.get(0)) : new DeviceChoice.Several(devices));
        }
        boolean onProcessor = !groups.isEmpty()
                && groups.stream().allMatch(group -> group.getKind() == InstanceGroupText.Kind.KIND_CPU);
        return onProcessor ? Optional.of(new DeviceChoice.Cpu()) : Optional.empty();
    }

    private static ModelConfig.VersionPolicy versions(VersionPolicyText policy) {
        return switch (policy.getPolicyChoiceCase()) {
            case ALL -> new ModelConfig.VersionPolicy.All();
            case SPECIFIC ->
                new ModelConfig.VersionPolicy.Specific(policy.getSpecific().getVersionsList());
            case LATEST -> new ModelConfig.VersionPolicy.Latest(latest(policy.getLatest()));
            case POLICYCHOICE_NOT_SET -> ModelConfig.NONE.versions();
        };
    }

    private static int latest(VersionPolicyText.Latest latest) {
        if (latest.hasNumVersions() && latest.getNumVersions() < 1) {
            throw new IllegalArgumentException("num_versions must be from 1 to " + Integer.MAX_VALUE + ", but is "
                    + Integer.toUnsignedString(latest.getNumVersions()));
        }
        return Math.max(1, latest.getNumVersions());
    }

    /** A plain name: what is outside of the version's folder is not looked at. */
    private static Optional<String> fileName(ModelConfigText config) {
        String name = config.getDefaultModelFilename();
        if (name.contains("/") || name.contains("\\") || name.startsWith(".")) {
            throw new IllegalArgumentException("default_model_filename must be a name, without a folder");
        }
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static Map<String, List<Long>> sizes(List<TensorConfigText> inputs) {
        Map<String, List<Long>> sizes = new LinkedHashMap<>();
        inputs.forEach(input -> sizes.put(input.getName(), List.copyOf(input.getDimsList())));
        return sizes;
    }
}
