package sonde.client;

/**
 * A source that was consulted.
 *
 * @param url of the source
 * @param title of the source
 */
public record Source(String url, String title) {}
