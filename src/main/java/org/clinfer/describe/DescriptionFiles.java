package org.clinfer.describe;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Finds description files in a folder on disk, or in a resource folder that is on disk or inside a jar. */
final class DescriptionFiles {

    /** Bytes of one description file at most. */
    private static final long MAX_BYTES = 8L << 20;

    private DescriptionFiles() {}

    /** The {@code .json} files right in the folder, by name; there is at least one. */
    static Map<String, byte[]> inFolder(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new DescriptionException(
                    folder + (Files.exists(folder) ? ": not a folder of operators" : ": no such folder of operators"));
        }
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> found =
                    entries.filter(file -> file.toString().endsWith(".json")).toList();
            for (Path file : found) {
                files.put(file.toString(), content(Files.newInputStream(file), file.toString()));
            }
        } catch (IOException failed) {
            throw new DescriptionException("operator descriptions in " + folder + " cannot be read: " + failed, failed);
        }
        if (files.isEmpty()) {
            throw new DescriptionException(folder + ": there is no description of an operator (.json) in this folder");
        }
        return files;
    }

    /**
     * The {@code .json} resources right in the folder, by name.
     *
     * @param folder as in a resource name, without slashes at the ends
     */
    static Map<String, byte[]> inResources(ClassLoader loader, String folder) {
        URL url = loader.getResource(folder);
        // a jar need not have entries for folders: then the class beside it says which jar it is
        URL anchor =
                url != null ? url : loader.getResource(OpCatalog.class.getName().replace('.', '/') + ".class");
        if (anchor == null) {
            throw new DescriptionException("there is no resource folder " + folder + " on the class path");
        }
        try {
            if (anchor.getProtocol().equals("jar")) {
                return inJar(anchor, folder);
            }
            if (url != null && url.getProtocol().equals("file")) {
                return named(inFolder(Path.of(asUri(url))));
            }
        } catch (IOException failed) {
            throw new DescriptionException("operator descriptions in " + anchor + " cannot be read: " + failed, failed);
        }
        throw new DescriptionException(
                "there is no resource folder " + folder + " on the class path, looked in " + anchor);
    }

    /** The files by their names without folder. */
    private static Map<String, byte[]> named(Map<String, byte[]> byPath) {
        Map<String, byte[]> files = new TreeMap<>();
        byPath.forEach((path, content) -> files.put(String.valueOf(Path.of(path).getFileName()), content));
        return files;
    }

    private static URI asUri(URL url) {
        try {
            return url.toURI();
        } catch (URISyntaxException malformed) {
            throw new DescriptionException("the resource folder " + url + " has no valid address", malformed);
        }
    }

    private static Map<String, byte[]> inJar(URL url, String folder) throws IOException {
        JarURLConnection connection = (JarURLConnection) url.openConnection();
        connection.setUseCaches(false);
        Map<String, byte[]> files = new TreeMap<>();
        try (JarFile jar = connection.getJarFile()) {
            String prefix = folder + "/";
            List<? extends ZipEntry> found = jar.stream()
                    .filter(entry -> entry.getName().startsWith(prefix)
                            && entry.getName().endsWith(".json"))
                    .filter(entry -> entry.getName().indexOf('/', prefix.length()) < 0)
                    .toList();
            for (ZipEntry entry : found) {
                String name = entry.getName().substring(prefix.length());
                files.put(name, content(jar.getInputStream(entry), name));
            }
        }
        return files;
    }

    private static byte[] content(InputStream stream, String name) throws IOException {
        try (stream) {
            byte[] bytes = stream.readNBytes((int) MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new DescriptionException(name + ": the file is larger than " + MAX_BYTES + " bytes");
            }
            return bytes;
        }
    }
}
