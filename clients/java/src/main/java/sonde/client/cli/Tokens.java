package sonde.client.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What opens runs that were begun without an API key: a file for each, which nobody else can read. Its first line is the
 * token, its second the base URL of the service; no other service is ever sent the token.
 */
final class Tokens {
    /** The variable that has the token of a run which was begun elsewhere. */
    static final String TOKEN = "RELAY_INVOCATION_TOKEN";

    /** Longer than any service keeps a record. */
    private static final Duration KEPT = Duration.ofDays(30);

    private final Path folder;
    private final String baseUrl;
    private final boolean hasKey;
    private final String given;

    /**
     * @param folder null: there is no place
     * @param baseUrl as it was written
     * @param given the token of a run that was begun elsewhere, or null
     */
    Tokens(Path folder, String baseUrl, boolean hasKey, String given) {
        this.folder = folder;
        this.baseUrl = baseUrl;
        this.hasKey = hasKey;
        this.given = given;
    }

    /** Keeps it, and returns what has to stand before a command that comes back to the run. */
    String keep(String id, String token) {
        if (hasKey || token == null) return "";
        try {
            if (folder == null || !id.matches("[A-Za-z0-9_-]{1,200}")) throw new IOException("no place");
            Files.createDirectories(folder, owned("rwx------"));
            sweep();
            Path file = folder.resolve(id);
            Files.deleteIfExists(file);
            Files.createFile(file, owned("rw-------"));
            Files.writeString(file, token + "\n" + baseUrl + "\n");
            return "";
        } catch (IOException e) {
            return TOKEN + "=" + token + " ";
        }
    }

    /** The token of a run; null if it is not known. */
    String of(String id) {
        if (given != null || folder == null) return given;
        try {
            List<String> lines = Files.readAllLines(folder.resolve(id), StandardCharsets.UTF_8);
            return lines.size() > 1 && lines.get(1).equals(baseUrl) ? lines.get(0) : null;
        } catch (IOException e) {
            return null;
        }
    }

    private FileAttribute<?>[] owned(String permissions) {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) return new FileAttribute<?>[0];
        Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
    }

    /** Forgets what nothing is kept for any more. */
    private void sweep() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                if (written.isBefore(Instant.now().minus(KEPT))) Files.deleteIfExists(file);
            }
        }
    }
}
