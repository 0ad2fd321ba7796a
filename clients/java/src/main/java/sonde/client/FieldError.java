package sonde.client;

/**
 * One fault of a request.
 *
 * @param path where, e.g. {@code arguments.research_question}
 * @param message what is wrong there
 */
public record FieldError(String path, String message) {}
