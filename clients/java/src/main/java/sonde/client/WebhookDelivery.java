package sonde.client;

/**
 * Delivery state of a webhook.
 *
 * @param status {@code pending}, {@code delivered} or {@code failed}
 * @param url without its query, which may contain a token
 * @param attempts attempts so far
 */
public record WebhookDelivery(String status, String url, long attempts) {}
