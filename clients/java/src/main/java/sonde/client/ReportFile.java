package sonde.client;

import java.nio.charset.StandardCharsets;

/**
 * A report as a file.
 *
 * @param contentType media type, maybe with parameters
 * @param content the bytes
 */
public record ReportFile(String contentType, byte[] content) {
    /** @return the content of {@code md}, {@code html} or {@code json}, decoded as UTF-8 */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Omits the content, so that it is safe to log. */
    @Override
    public String toString() {
        return "ReportFile[" + contentType + ", " + content.length + " bytes]";
    }
}
