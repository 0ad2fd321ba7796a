package sonde.client;

/**
 * What was consulted.
 *
 * @param url where it is
 * @param title its title
 */
public record Source(String url, String title) {}
