package sonde.client;

import java.time.Duration;

/**
 * Settings that both clients share.
 *
 * @param <B> the builder itself
 */
public abstract sealed class ClientBuilder<B extends ClientBuilder<B>>
        permits SondeClient.Builder, ModelClient.Builder {
    String baseUrl;
    String apiKey;
    Duration timeout = Duration.ofSeconds(60);
    int maxRetries = 2;

    ClientBuilder(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    abstract B self();

    /**
     * @param baseUrl https, or http for loopback addresses
     * @return this
     */
    public B baseUrl(String baseUrl) {
        this.baseUrl = baseUrl;
        return self();
    }

    /**
     * @param apiKey sent to this endpoint only; null for none
     * @return this
     */
    public B apiKey(String apiKey) {
        this.apiKey = apiKey;
        return self();
    }

    /**
     * @param timeout of calls that the endpoint answers immediately; one minute by default
     * @return this
     */
    public B timeout(Duration timeout) {
        this.timeout = timeout;
        return self();
    }

    /**
     * @param maxRetries maximum number of retries of a request; 2 by default
     * @return this
     */
    public B maxRetries(int maxRetries) {
        this.maxRetries = maxRetries;
        return self();
    }
}
