package org.clinfer.opencl;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The driver registrations that Unix loaders read: {@code .icd} files, each with the name of a driver's library.
 *
 * <p>A loader passes over a registration that it cannot follow without a word; this says which ones those are.
 */
final class IcdFiles {

    private static final Path SYSTEM = Path.of("/etc/OpenCL/vendors");

    private final Path folder;

    /** @param folder the registrations' folder, or a single {@code .icd} file */
    IcdFiles(Path folder) {
        this.folder = folder;
    }

    static IcdFiles ofThisSystem() {
        for (String variable : List.of("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")) {
            String value = System.getenv(variable);
            if (value != null && !value.isBlank()) {
                return new IcdFiles(Path.of(value));
            }
        }
        return new IcdFiles(SYSTEM);
    }

    /**
     * One line for each registration that cannot be followed.
     *
     * @param platformsFound false if the loader got no platform from any of them, which puts all of them in question
     */
    List<String> problems(boolean platformsFound) {
        List<String> problems = new ArrayList<>();
        for (Path file : files(problems)) {
            String problem = problem(file, platformsFound);
            if (!problem.isEmpty()) {
                problems.add(problem);
            }
        }
        return problems;
    }

    /** The registrations by name. */
    String names() {
        return files(new ArrayList<>()).stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    /** One line that is another one after a driver was installed, changed or removed. */
    String state() {
        StringBuilder state = new StringBuilder();
        for (Path file : files(new ArrayList<>())) {
            try {
                String library = Files.readString(file).strip().replaceAll("\\s+", " ");
                Path driver = Path.of(library);
                Path dated = driver.isAbsolute() && Files.exists(driver) ? driver : file;
                state.append(file).append(' ').append(library).append(' ');
                state.append(Files.size(dated))
                        .append(' ')
                        .append(Files.getLastModifiedTime(dated))
                        .append("; ");
            } catch (IOException | InvalidPathException unreadable) {
                state.append(file).append("; ");
            }
        }
        return state.toString();
    }

    private List<Path> files(List<String> problems) {
        if (folder.toString().endsWith(".icd")) {
            return List.of(folder);
        }
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(folder, "*.icd")) {
            listing.forEach(files::add);
        } catch (IOException unreadable) {
            problems.add("driver registrations in " + folder + " cannot be read: " + unreadable);
        }
        files.sort(null);
        return files;
    }

    /** The fault of the registration, or nothing; a library without a path is the loader's to find. */
    private static String problem(Path file, boolean platformsFound) {
        String library;
        try {
            library = Files.readString(file).strip();
        } catch (IOException unreadable) {
            return "driver registration " + file + " cannot be read: " + unreadable;
        }
        if (library.isEmpty()) {
            return "driver registration " + file + " is empty; reinstall that driver";
        }
        if (library.startsWith("/") && !Files.exists(Path.of(library))) {
            return "driver registration " + file + " names " + library
                    + ", which does not exist; reinstall that driver or remove the file";
        }
        return platformsFound
                ? ""
                : "driver registration " + file + " names " + library
                        + ", which gives no platform; reinstall that driver";
    }
}
