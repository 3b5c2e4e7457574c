package org.clinfer.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.clinfer.files.ResourceFolder;
import org.clinfer.text.Spelling;
import org.jspecify.annotations.Nullable;

/**
 * The profiles that come with Clinfer, the rules of their families, and those read from elsewhere. With the property
 * {@code clinfer.profiles} a folder takes the place of the packed one.
 */
public final class ProfileCatalog {

    private static final String FOLDER = "device-profiles";
    static final String RULES = "rules";
    private static final String VOCABULARY = "vocabulary.ini";
    private static final long MAX_BYTES = 4L << 20;
    private static final int MOST_SHOWN = 5;

    private final Map<String, RuleSet> families;
    private final Map<String, DeviceProfile> profiles;
    private final Vocabulary vocabulary;

    private ProfileCatalog(Map<String, RuleSet> families, Map<String, DeviceProfile> profiles, Vocabulary vocabulary) {
        this.families = families;
        this.profiles = profiles;
        this.vocabulary = vocabulary;
    }

    /** The catalogue, or the reason why there is none: a folder of a user's own may have anything in it. */
    private static final class BuiltIn {
        static final @Nullable ProfileCatalog CATALOG;
        static final @Nullable ProfileException FAILURE;

        static {
            ProfileCatalog loaded = null;
            ProfileException failure = null;
            try {
                loaded = load(ProfileCatalog::refuse);
            } catch (ProfileException malformed) {
                failure = malformed;
            }
            CATALOG = loaded;
            FAILURE = failure;
        }
    }

    /**
     * {@return the catalog that comes with Clinfer; read once}
     *
     * @throws ProfileException if a file is malformed
     */
    public static ProfileCatalog builtIn() {
        if (BuiltIn.CATALOG == null) {
            throw Objects.requireNonNull(BuiltIn.FAILURE);
        }
        return BuiltIn.CATALOG;
    }

    /** {@return the folder that takes the place of the packed one} */
    public static Optional<Path> ownFolder() {
        return Optional.of(System.getProperty("clinfer.profiles", ""))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }

    /**
     * {@return the file of a family's rules in {@link #ownFolder}; empty where there is none}
     *
     * @param family the name of the family
     */
    public static Optional<Path> ownRules(String family) {
        return ownFolder()
                .map(folder -> folder.resolve(RULES).resolve(family + ".ini"))
                .filter(Files::isRegularFile);
    }

    /**
     * {@return the catalog with which files are looked through: where a folder takes the place of the packed one, what is
     * sound of its files}
     *
     * @throws ProfileException if they cannot be read, or have no vocabulary
     */
    public static ProfileCatalog sound() {
        return ownFolder().isEmpty() ? builtIn() : load(wrong -> {});
    }

    private static ProfileCatalog load(Consumer<ProfileException> defects) {
        ResourceFolder files = new ResourceFolder(".ini", MAX_BYTES);
        try {
            Optional<Path> own = ownFolder();
            if (own.isPresent()) {
                return of(files.onDisk(own.get().resolve(RULES)), files.onDisk(own.get()), defects);
            }
            return of(
                    files.inResources(ProfileCatalog.class, FOLDER + "/" + RULES),
                    files.inResources(ProfileCatalog.class, FOLDER),
                    defects);
        } catch (IOException failed) {
            throw new ProfileException("device profiles cannot be read: " + failed.getMessage(), failed);
        }
    }

    private static void refuse(ProfileException defect) {
        throw defect;
    }

    /** A catalogue of files by name: the rules, among them the vocabulary, and the profiles. */
    static ProfileCatalog of(Map<String, byte[]> rules, Map<String, byte[]> profiles) {
        return of(rules, profiles, ProfileCatalog::refuse);
    }

    /** @param defects told of what is malformed; where it returns, the rest counts */
    private static ProfileCatalog of(
            Map<String, byte[]> rules, Map<String, byte[]> profiles, Consumer<ProfileException> defects) {
        Map<String, RuleSet> families = new TreeMap<>();
        Optional<Vocabulary> vocabulary = Optional.empty();
        for (Map.Entry<String, byte[]> entry : rules.entrySet()) {
            IniFile file = ini(entry.getKey(), entry.getValue(), defects);
            IniFile.Problems problems = (line, message) -> defects.accept(file.error(line, message));
            if (fileName(entry.getKey()).equals(VOCABULARY)) {
                vocabulary = Optional.of(Vocabulary.parse(file, problems));
            } else {
                String family = stem(entry.getKey());
                RuleSet.parse(family, file, problems).ifPresent(found -> families.put(family, found));
            }
        }
        Vocabulary words =
                vocabulary.orElseThrow(() -> new ProfileException("there is no " + RULES + "/" + VOCABULARY));
        Set<String> kinds = words.kinds();
        Map<String, DeviceProfile> byName = new TreeMap<>();
        families.values().forEach(family -> attempt(() -> requireKinds(family, kinds), defects));
        profiles.forEach((path, bytes) -> attempt(
                () -> byName.put(stem(path), DeviceProfile.of(stem(path), ini(path, bytes, defects), families)),
                defects));
        return new ProfileCatalog(families, byName, words);
    }

    private static void attempt(Runnable step, Consumer<ProfileException> defects) {
        try {
            step.run();
        } catch (ProfileException malformed) {
            defects.accept(malformed);
        }
    }

    /** A rule or formula for a kind that no operator is of would never be asked; names of operators begin with a capital. */
    private static void requireKinds(RuleSet family, Set<String> known) {
        family.rules().forEach(rule -> requireKinds(rule.kinds(), rule.where(), known));
        family.cost().ifPresent(cost -> cost.kinds().forEach(kind -> requireKinds(kind.kinds(), kind.where(), known)));
    }

    private static void requireKinds(List<String> kinds, String where, Set<String> known) {
        for (String kind : kinds) {
            if (!kind.equals(Vocabulary.ALL) && !known.contains(kind) && !Character.isUpperCase(kind.charAt(0))) {
                throw new ProfileException(
                        where + ": no operator is of the kind " + IniFile.shown(kind) + Spelling.question(kind, known));
            }
        }
    }

    private static IniFile ini(String path, byte[] bytes, Consumer<ProfileException> defects) {
        String name = fileName(path);
        return IniFile.parse(
                name,
                new String(bytes, StandardCharsets.UTF_8),
                (line, message) -> defects.accept(IniFile.error(name, line, message)));
    }

    private static String fileName(String path) {
        return String.valueOf(Path.of(path).getFileName());
    }

    static String stem(String path) {
        String name = fileName(path);
        return name.endsWith(".ini") ? name.substring(0, name.length() - ".ini".length()) : name;
    }

    /** {@return all profiles, by name} */
    public Collection<DeviceProfile> profiles() {
        return profiles.values();
    }

    /** {@return the rules of all families, by name} */
    public Collection<RuleSet> families() {
        return families.values();
    }

    /** {@return the words that the rules of all families are written in} */
    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /**
     * {@return a profile by its name, in small or large letters, or by the path of a file: one of Clinfer's, or a
     * vendor's own}
     *
     * @param nameOrFile the name, or the path
     * @throws ProfileException if there is none, or the file is malformed
     */
    public DeviceProfile find(String nameOrFile) {
        DeviceProfile known = profiles.get(nameOrFile.toLowerCase(Locale.ROOT));
        if (known != null) {
            return known;
        }
        Path file = Path.of(nameOrFile);
        if (Files.isDirectory(file)) {
            throw new ProfileException(nameOrFile + " is a folder, not a profile");
        }
        if (!Files.isRegularFile(file)) {
            throw new ProfileException("there is no profile '" + nameOrFile + "', and no such file"
                    + suggestions(nameOrFile.toLowerCase(Locale.ROOT)));
        }
        return read(file);
    }

    private String suggestions(String wanted) {
        if (families.containsKey(wanted)) {
            List<String> devices = profiles.values().stream()
                    .filter(profile -> profile.rules().family().equals(wanted))
                    .map(DeviceProfile::name)
                    .toList();
            return "; '" + wanted + "' is a family, whose profiles are "
                    + String.join(", ", devices.subList(0, Math.min(devices.size(), MOST_SHOWN)))
                    + (devices.size() > MOST_SHOWN ? " and " + (devices.size() - MOST_SHOWN) + " more" : "");
        }
        List<String> close = new ArrayList<>();
        for (String name : profiles.keySet()) {
            if (name.contains(wanted) || wanted.contains(name)) {
                close.add(name);
            }
        }
        return close.isEmpty()
                ? "; 'clinfer profiles' lists them" + Spelling.question(wanted, profiles.keySet())
                : "; did you mean " + String.join(", ", close.subList(0, Math.min(close.size(), MOST_SHOWN))) + "?";
    }

    /**
     * {@return whether it is the name of a profile that comes with Clinfer}
     *
     * @param name in small or large letters
     */
    public boolean isKnown(String name) {
        return profiles.containsKey(name.toLowerCase(Locale.ROOT));
    }

    /**
     * {@return the profile in a file}
     *
     * @param file the file
     * @throws ProfileException if it cannot be read or is malformed
     */
    public DeviceProfile read(Path file) {
        return profile(file.toString(), IniFile.parse(file.toString(), text(file)));
    }

    /**
     * The content of a file: text in UTF-8, or else in ISO 8859-1.
     *
     * @throws ProfileException if it cannot be read, is too large or is no text
     */
    static String text(Path file) {
        byte[] bytes;
        try (InputStream stream = Files.newInputStream(file)) {
            bytes = stream.readNBytes((int) MAX_BYTES + 1);
        } catch (NoSuchFileException missing) {
            throw new ProfileException(file + ": no such file", missing);
        } catch (IOException failed) {
            throw new ProfileException(file + ": " + failed.getMessage(), failed);
        }
        if (bytes.length > MAX_BYTES) {
            throw new ProfileException(file + ": larger than " + MAX_BYTES + " bytes");
        }
        for (byte each : bytes) {
            if (each == 0) {
                throw new ProfileException(file + ": not a text file in UTF-8 or ISO 8859-1");
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /** The names of all families, in order. */
    List<String> familyNames() {
        return List.copyOf(families.keySet());
    }

    /** The rules of one family. */
    Optional<RuleSet> family(String name) {
        return Optional.ofNullable(families.get(name));
    }

    /** The profile of a device in a file. */
    DeviceProfile profile(String file, IniFile ini) {
        return DeviceProfile.of(stem(file), ini, families);
    }

    /** The profiles of one family. */
    List<DeviceProfile> profiles(RuleSet family) {
        return profiles.values().stream()
                .filter(profile -> profile.rules().family().equals(family.family()))
                .toList();
    }
}
