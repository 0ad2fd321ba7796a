package sonde.client;

import java.util.Base64;

/**
 * A PDF or DOCX of up to 3 MB, of which the service reads the text.
 *
 * @param filename its title as well; null: the title that it has itself
 * @param fileData in base64, by itself or as a data URL
 */
public record FileDocument(String filename, String fileData) implements ResearchDocument {
    /**
     * @param filename its title as well
     * @param bytes of the file
     * @return the file in base64
     */
    public static FileDocument of(String filename, byte[] bytes) {
        return new FileDocument(filename, Base64.getEncoder().encodeToString(bytes));
    }

    /** Omits the contents, so that it is safe to log. */
    @Override
    public String toString() {
        return "FileDocument[" + filename + "]";
    }
}
