package org.clinfer.files;

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

/** The files with one suffix right in a folder, which is on disk or among the resources of a class path or jar. */
public final class ResourceFolder {

    private final String suffix;
    private final long largest;

    /**
     * Looks for files of one kind.
     *
     * @param suffix such as {@code .json}
     * @param largest bytes of one file at most
     */
    public ResourceFolder(String suffix, long largest) {
        this.suffix = suffix;
        this.largest = largest;
    }

    /**
     * The files of a folder on disk by their paths, in the order of these.
     *
     * @throws IOException if there is no such folder, or a file cannot be read or is too large
     */
    public Map<String, byte[]> onDisk(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + (Files.exists(folder) ? ": not a folder" : ": no such folder"));
        }
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> found = entries.filter(file -> file.toString().endsWith(suffix) && !Files.isDirectory(file))
                    .toList();
            for (Path file : found) {
                files.put(file.toString(), content(Files.newInputStream(file), file.toString()));
            }
        }
        return files;
    }

    /**
     * The files of a resource folder by their names, in the order of these.
     *
     * @param anchor a class of the same jar or class path; jars need not have entries for folders
     * @param folder as in a resource name, without slashes at the ends
     * @throws IOException if there is no such folder, or a file cannot be read or is too large
     */
    public Map<String, byte[]> inResources(Class<?> anchor, String folder) throws IOException {
        ClassLoader loader = anchor.getClassLoader();
        return inResources(loader, anchor, folder);
    }

    /** The same with another class loader than that of the anchor. */
    public Map<String, byte[]> inResources(ClassLoader loader, Class<?> anchor, String folder) throws IOException {
        URL folderUrl = loader.getResource(folder);
        URL url = folderUrl != null
                ? folderUrl
                : loader.getResource(anchor.getName().replace('.', '/') + ".class");
        if (url != null && url.getProtocol().equals("jar")) {
            return inJar(url, folder);
        }
        if (folderUrl != null && folderUrl.getProtocol().equals("file")) {
            return named(onDisk(Path.of(asUri(folderUrl))));
        }
        throw new IOException("there is no resource folder " + folder + " on the class path");
    }

    /** The files by their names without folder. */
    private static Map<String, byte[]> named(Map<String, byte[]> byPath) {
        Map<String, byte[]> files = new TreeMap<>();
        byPath.forEach((path, content) -> files.put(String.valueOf(Path.of(path).getFileName()), content));
        return files;
    }

    private static URI asUri(URL url) throws IOException {
        try {
            return url.toURI();
        } catch (URISyntaxException malformed) {
            throw new IOException("the resource folder " + url + " has no valid address", malformed);
        }
    }

    private Map<String, byte[]> inJar(URL url, String folder) throws IOException {
        JarURLConnection connection = (JarURLConnection) url.openConnection();
        connection.setUseCaches(false);
        Map<String, byte[]> files = new TreeMap<>();
        try (JarFile jar = connection.getJarFile()) {
            String prefix = folder + "/";
            List<? extends ZipEntry> found = jar.stream()
                    .filter(entry -> entry.getName().startsWith(prefix)
                            && entry.getName().endsWith(suffix))
                    .filter(entry -> entry.getName().indexOf('/', prefix.length()) < 0)
                    .toList();
            for (ZipEntry entry : found) {
                String name = entry.getName().substring(prefix.length());
                files.put(name, content(jar.getInputStream(entry), name));
            }
        }
        return files;
    }

    private byte[] content(InputStream stream, String name) throws IOException {
        try (stream) {
            byte[] bytes = stream.readNBytes((int) largest + 1);
            if (bytes.length > largest) {
                throw new IOException(name + ": the file is larger than " + largest + " bytes");
            }
            return bytes;
        }
    }
}
