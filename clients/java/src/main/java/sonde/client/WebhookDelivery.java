package sonde.client;

/**
 * How the announcement of an end is doing.
 *
 * @param status {@code pending}, {@code delivered} or {@code failed}
 * @param url without its query, which may hold a token
 * @param attempts tries so far
 */
public record WebhookDelivery(String status, String url, long attempts) {}
