package org.clinfer.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.options.CacheFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache folder where nobody but its user, or the system's administrator, can have put anything into it: what lies there is
 * run. File systems without owners and permissions of POSIX have to be trusted.
 */
public final class OwnFolder {

    private static final Logger LOG = LoggerFactory.getLogger(OwnFolder.class);
    private static final Path PROCESS = Path.of("/proc/self");
    private static final Set<Path> TOLD = ConcurrentHashMap.newKeySet();

    private OwnFolder() {}

    /** {@return the folder, be it there or not; none, with the reason and one warning, where it is not its user's own} */
    public static CacheFolder of(CacheFolder cache) {
        Optional<String> objection = cache.path().flatMap(OwnFolder::objection);
        if (objection.isEmpty()) {
            return cache;
        }
        String reason = cache.path().get() + " " + objection.get();
        if (TOLD.add(cache.path().get())) {
            LOG.warn("the cache folder is not used: {}", reason);
        }
        return new CacheFolder(Optional.empty(), reason);
    }

    /** The end of a sentence about a folder that others can write to, or a link to it. */
    static Optional<String> objection(Path folder) {
        try {
            if (Files.isSymbolicLink(folder)) {
                UserPrincipal owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS);
                if (!isTrusted(owner)) {
                    return Optional.of("is a link of another user, " + owner.getName());
                }
            }
            PosixFileAttributeView view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
            if (view == null || !Files.exists(folder)) {
                return Optional.empty();
            }
            PosixFileAttributes attributes = view.readAttributes();
            if (!isTrusted(attributes.owner())) {
                return Optional.of(
                        "belongs to another user, " + attributes.owner().getName());
            }
            Set<PosixFilePermission> permissions = attributes.permissions();
            return permissions.contains(PosixFilePermission.GROUP_WRITE)
                            || permissions.contains(PosixFilePermission.OTHERS_WRITE)
                    ? Optional.of("can be written by others")
                    : Optional.empty();
        } catch (IOException unknown) {
            return Optional.of("has an owner who is not known");
        }
    }

    private static boolean isTrusted(UserPrincipal owner) {
        return Trusted.USERS.contains(owner);
    }

    /** The user of the process and the administrator, as far as they are known; looked up when there is a folder to judge. */
    private static final class Trusted {
        private static final Set<UserPrincipal> USERS = new HashSet<>();

        static {
            add(() -> Files.getOwner(PROCESS));
            add(() -> named(System.getProperty("user.name", "")));
            add(() -> named("root"));
        }

        private static void add(Callable<UserPrincipal> user) {
            try {
                USERS.add(user.call());
            } catch (Exception notThere) {
                LOG.debug(
                        "a user is not known, as on another system, or in a container without a list of users",
                        notThere);
            }
        }

        private static UserPrincipal named(String name) throws IOException {
            return PROCESS.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
        }
    }
}
