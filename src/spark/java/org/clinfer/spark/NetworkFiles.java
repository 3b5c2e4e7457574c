package org.clinfer.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.ModelFormat;
import org.clinfer.errors.InputException;

/**
 * The files of a model in memory, in which executors get it.
 *
 * @param main the name of the model's own file; empty for a folder that is the model, as a SavedModel is
 * @param files the bytes of each file by its path in the model's folder, with {@code /} between folders; at least one
 */
record NetworkFiles(String main, Map<String, byte[]> files) implements Serializable {

    /** The name of a model that came as bytes: its first bytes tell the format. */
    static final String UNNAMED = "model";

    private static final Map<String, ModelFormat> FORMATS = Map.of(
            "onnx", ModelFormat.ONNX,
            "prototxt", ModelFormat.CAFFE_DEFINITION,
            "caffemodel", ModelFormat.CAFFE,
            "pb", ModelFormat.TENSORFLOW,
            "pbtxt", ModelFormat.TENSORFLOW_TEXT,
            "tflite", ModelFormat.TFLITE,
            "cfg", ModelFormat.DARKNET,
            "param", ModelFormat.NCNN,
            "xml", ModelFormat.OPENVINO);

    NetworkFiles {
        files = new TreeMap<>(files);
    }

    static NetworkFiles of(byte[] model) {
        return new NetworkFiles(UNNAMED, Map.of(UNNAMED, model));
    }

    /**
     * Reads a model from any file system that Hadoop knows: a file with those of the same name beside it (weights of darknet,
     * ncnn, OpenVINO), or a folder with all that is in it.
     *
     * @param path of the file or folder
     * @param others names of other files that belong to it, in the same folder
     * @throws InputException if a file is not there, cannot be read, or is larger than an array
     */
    static NetworkFiles read(String path, List<String> others, Configuration hadoop) {
        org.apache.hadoop.fs.Path place;
        try {
            place = new org.apache.hadoop.fs.Path(path);
        } catch (IllegalArgumentException malformed) {
            throw new InputException("'" + path + "' is no path: " + malformed.getMessage());
        }
        try {
            FileSystem system = place.getFileSystem(hadoop);
            if (!system.exists(place)) {
                throw new InputException(path + ": no such file");
            }
            if (system.getFileStatus(place).isDirectory()) {
                return new NetworkFiles("", folder(system, place));
            }
            Map<String, byte[]> files = new TreeMap<>();
            files.put(place.getName(), bytes(system, system.getFileStatus(place)));
            for (FileStatus beside :
                    system.listStatus(place.getParent(), file -> belongs(file.getName(), place.getName()))) {
                files.put(beside.getPath().getName(), bytes(system, beside));
            }
            for (String name : others) {
                org.apache.hadoop.fs.Path other = new org.apache.hadoop.fs.Path(place.getParent(), name);
                if (!system.exists(other)) {
                    throw new InputException(other + ": no such file");
                }
                files.put(name, bytes(system, system.getFileStatus(other)));
            }
            return new NetworkFiles(place.getName(), files);
        } catch (IOException e) {
            throw new InputException(path + ": " + e.getMessage());
        }
    }

    /** True for weights beside a definition: {@code net.bin} for {@code net.param}. */
    private static boolean belongs(String name, String main) {
        return switch (extension(main)) {
            case "param", "xml" -> name.equals(stem(main) + ".bin");
            case "cfg" -> name.equals(stem(main) + ".weights");
            case "prototxt" -> name.equals(stem(main) + ".caffemodel");
            default -> false;
        };
    }

    /** Reads all files of a folder and of those in it. */
    static Map<String, byte[]> folder(FileSystem system, org.apache.hadoop.fs.Path folder) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        String start = system.makeQualified(folder).toUri().getPath() + "/";
        RemoteIterator<LocatedFileStatus> found = system.listFiles(folder, true);
        while (found.hasNext()) {
            LocatedFileStatus file = found.next();
            files.put(file.getPath().toUri().getPath().substring(start.length()), bytes(system, file));
        }
        if (files.isEmpty()) {
            throw new InputException(folder + ": the folder is empty");
        }
        return files;
    }

    private static byte[] bytes(FileSystem system, FileStatus file) throws IOException {
        if (file.getLen() > Integer.MAX_VALUE - 8) {
            throw new InputException(file.getPath() + ": " + file.getLen() + " bytes are more than an array holds");
        }
        byte[] bytes = new byte[(int) file.getLen()];
        try (var in = system.open(file.getPath())) {
            in.readFully(bytes);
        }
        return bytes;
    }

    /** {@return a name for these files, the same wherever they are read: SHA-256 of names and bytes} */
    String digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach((name, bytes) -> {
                digest.update((name + '\0' + bytes.length + '\0').getBytes(java.nio.charset.StandardCharsets.UTF_8));
                digest.update(bytes);
            });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** {@return the model, with a folder that has to be there as long as it; empty where it needs none} */
    Loaded load(Engine engine) {
        if (files.size() == 1 && !main.isEmpty()) {
            byte[] bytes = files.values().iterator().next();
            ModelFormat format = FORMATS.get(extension(main));
            return new Loaded(format == null ? engine.load(bytes) : engine.load(bytes, format), Optional.empty());
        }
        Path folder = unpacked();
        try {
            return new Loaded(engine.load(folder.resolve(main)), Optional.of(folder));
        } catch (RuntimeException | Error e) {
            delete(folder);
            throw e;
        }
    }

    private Path unpacked() {
        try {
            Path folder = Files.createTempDirectory("clinfer-spark-");
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path path = folder.resolve(file.getKey()).normalize();
                if (!path.startsWith(folder)) {
                    throw new InputException(file.getKey() + ": not in the folder of the model");
                }
                Files.createDirectories(path.getParent());
                Files.write(path, file.getValue());
            }
            return folder;
        } catch (IOException e) {
            throw new InputException("the model's files cannot be written: " + e.getMessage());
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            org.slf4j.LoggerFactory.getLogger(NetworkFiles.class)
                    .warn("{}: cannot be deleted: {}", folder, e.getMessage());
        }
    }

    private static String extension(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    private static String stem(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    /**
     * A model of these files.
     *
     * @param model to be closed by whoever loaded it, by {@link #close}
     * @param folder the files on disk that it may still read, deleted with it
     */
    record Loaded(Model model, Optional<Path> folder) implements AutoCloseable {

        @Override
        public void close() {
            model.close();
            folder.ifPresent(NetworkFiles::delete);
        }
    }
}
