package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.clinfer.Model;
import org.clinfer.cli.image.ImageFile;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Specializations;
import org.clinfer.image.Picture;
import org.clinfer.image.Preprocessing;
import org.clinfer.importer.onnx.SequenceProtoFile;
import org.clinfer.importer.onnx.TensorProtoFile;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Spelling;

/** The {@code --input} arguments of {@code run}: files and fillings become the model's inputs. */
final class InputArguments {

    private final List<Graph.Input> inputs;
    private final List<Graph.Input> defaults;
    private final Map<String, Specializations.Kind> kinds;
    private final Preprocessing recipe;
    private boolean hasPictures;

    InputArguments(Model model, Preprocessing recipe) {
        this.inputs = model.inputs();
        this.defaults = model.defaults();
        this.kinds = model.graph().specializations().map(Specializations::kinds).orElse(Map.of());
        this.recipe = recipe;
    }

    /**
     * A tensor for every input of the model, and for those of its defaults that are given. A filling without a name is for
     * all inputs that are not named.
     *
     * @throws UsageException if an input is missing, unknown or given twice, or a value does not fit
     * @throws IOException if a file cannot be read
     */
    Map<String, Tensor> read(List<String> arguments) throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        String ofOthers = null;
        for (String argument : arguments) {
            if (isForAll(argument)) {
                if (ofOthers != null) {
                    throw new UsageException(
                            "--input " + ofOthers + " and " + argument + ": one for all inputs, not two");
                }
                ofOthers = argument;
                continue;
            }
            Graph.Input input = input(argument);
            String value = argument.startsWith(input.name() + "=")
                    ? argument.substring(input.name().length() + 1)
                    : argument;
            tensors(input, value).forEach((name, tensor) -> {
                if (tensors.put(name, tensor) != null) {
                    throw new UsageException("input '" + name + "' is given twice");
                }
            });
        }
        if (ofOthers != null) {
            fillOthers(ofOthers, tensors);
        }
        List<Graph.Input> missing = inputs.stream()
                .filter(input -> !tensors.containsKey(input.name())
                        && !tensors.containsKey(Specializations.value(input.name(), 0))
                        && !kind(input).map(Specializations.Kind::isOptional).orElse(false))
                .toList();
        if (!missing.isEmpty()) {
            throw new UsageException("the model needs --input NAME=FILE for " + InputTypes.list(missing));
        }
        return tensors;
    }

    /** {@return whether one of the files that were read is a picture} */
    boolean hasPictures() {
        return hasPictures;
    }

    private boolean isForAll(String argument) {
        return inputs.size() > 1
                && Filling.parse(argument).filter(Filling::fitsAnyShape).isPresent();
    }

    /** Fills what is not given; each input has random values of its own. */
    private void fillOthers(String filling, Map<String, Tensor> tensors) throws IOException {
        for (int i = 0; i < inputs.size(); i++) {
            Graph.Input input = inputs.get(i);
            if (!tensors.containsKey(input.name())) {
                tensors.put(input.name(), tensor(input, filling, i));
            }
        }
    }

    private Graph.Input input(String argument) {
        Optional<Graph.Input> named = Stream.concat(inputs.stream(), defaults.stream())
                .filter(input -> argument.startsWith(input.name() + "="))
                .max((one, other) ->
                        Integer.compare(one.name().length(), other.name().length()));
        named = named.or(() -> valueOfSequence(argument));
        if (named.isPresent()) {
            return named.get();
        }
        boolean bareValue = argument.indexOf('=') < 0 || Files.exists(FileArgument.path(argument));
        if (bareValue && inputs.size() == 1) {
            return inputs.get(0);
        }
        if (bareValue) {
            throw new UsageException(
                    "--input " + argument + ": which input? Write NAME=FILE; the model has " + InputTypes.list(inputs));
        }
        String name = argument.substring(0, argument.indexOf('='));
        throw new UsageException("the model has no input '" + name + "'; it has " + InputTypes.list(inputs)
                + Spelling.question(name, inputs.stream().map(Graph.Input::name).toList()));
    }

    private Optional<Specializations.Kind> kind(Graph.Input input) {
        return Optional.ofNullable(kinds.get(input.name()));
    }

    /** The tensors that a run is given for an input: a file of a sequence may be several tensors, one of an optional value none. */
    private Map<String, Tensor> tensors(Graph.Input input, String value) throws IOException {
        Optional<Specializations.Kind> kind = kind(input)
                .filter(any -> value.endsWith(".pb") && Filling.parse(value).isEmpty());
        return kind.isPresent()
                ? SequenceProtoFile.of(FileArgument.path(value), kind.get()).given(input)
                : Map.of(input.name(), tensor(input, value, 0));
    }

    /** The input that a value of a sequence is. */
    private Optional<Graph.Input> valueOfSequence(String argument) {
        return inputs.stream()
                .filter(input ->
                        kind(input).map(Specializations.Kind::isSequence).orElse(false))
                .filter(input -> argument.matches(Pattern.quote(input.name()) + "\\[\\d+]=.*"))
                .map(input -> {
                    List<Dim> dims = input.type().shape().dims();
                    Shape each = new Shape(dims.isEmpty() ? dims : dims.subList(1, dims.size()));
                    String name = argument.substring(
                            0, argument.indexOf('=', input.name().length()));
                    return new Graph.Input(name, new TensorType(input.type().dtype(), each));
                })
                .findFirst();
    }

    private Tensor tensor(Graph.Input input, String value, int position) throws IOException {
        try {
            Optional<Filling> filling = Filling.parse(value);
            return filling.isPresent()
                    ? filling.get().at(position).tensor(input.usualType())
                    : fromFile(input, FileArgument.path(value));
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("input '" + input.name() + "' from " + value + ": " + wrong.getMessage());
        }
    }

    /** The type that one picture fills: of an input that may have other sizes, a batch of one. */
    private static TensorType pictureType(Graph.Input input) {
        TensorType type = input.type();
        if (!input.resizable() || type.shape().rank() != 4) {
            return type;
        }
        List<Dim> dims = new ArrayList<>(type.shape().dims());
        dims.set(0, Dim.of(1));
        return new TensorType(type.dtype(), new Shape(dims));
    }

    private Tensor fromFile(Graph.Input input, Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException("it is a folder, not a file");
        }
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".npy")) {
            return NpyFile.read(file);
        }
        if (name.endsWith(".pb")) {
            return TensorProtoFile.read(file);
        }
        if (ImageFile.isImage(file)) {
            hasPictures = true;
            return recipe.tensor(Picture.of(file), pictureType(input));
        }
        throw new IllegalArgumentException(
                "unknown kind of file; expected .npy .pb .png .jpg .bmp .gif .pgm .ppm .tif or .webp, or random, zeros or a"
                        + " number");
    }
}
