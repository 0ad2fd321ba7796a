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
 * Stores the tokens of runs started without an API key, one file per run, readable by its owner only. The first line
 * is the token, the second the base URL of the service; the token is never sent to another service.
 */
final class Tokens {
    /** Environment variable with the token of a run started elsewhere. */
    static final String TOKEN = "RELAY_INVOCATION_TOKEN";

    /** Exceeds the retention of records in any service. */
    private static final Duration RETENTION = Duration.ofDays(30);

    private final Path folder;
    private final String baseUrl;
    private final boolean hasKey;
    private final String configuredToken;

    /**
     * @param folder null if there is none
     * @param baseUrl as written in the settings
     * @param configuredToken the token of a run started elsewhere, or null
     */
    Tokens(Path folder, String baseUrl, boolean hasKey, String configuredToken) {
        this.folder = folder;
        this.baseUrl = baseUrl;
        this.hasKey = hasKey;
        this.configuredToken = configuredToken;
    }

    /** Stores the token. Returns the prefix of commands that resume the run, empty if it was stored. */
    String save(String id, String token) {
        if (hasKey || token == null) return "";
        try {
            if (folder == null || !id.matches("[A-Za-z0-9_-]{1,200}")) throw new IOException("no place");
            Files.createDirectories(folder, owned("rwx------"));
            deleteExpired();
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
        if (configuredToken != null || folder == null) return configuredToken;
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

    /** Deletes tokens whose records have expired. */
    private void deleteExpired() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                if (written.isBefore(Instant.now().minus(RETENTION))) Files.deleteIfExists(file);
            }
        }
    }
}
