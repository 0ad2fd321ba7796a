package sonde.client;

/**
 * An invalid field of a request.
 *
 * @param path of the field, e.g. {@code arguments.research_question}
 * @param message the reason
 */
public record FieldError(String path, String message) {}
