package sonde.client;

import java.time.Duration;

/**
 * What both clients are made with.
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
     * @param baseUrl https, or http on this machine
     * @return this
     */
    public B baseUrl(String baseUrl) {
        this.baseUrl = baseUrl;
        return self();
    }

    /**
     * @param apiKey of this endpoint, and for no other; null: none
     * @return this
     */
    public B apiKey(String apiKey) {
        this.apiKey = apiKey;
        return self();
    }

    /**
     * @param timeout for calls that are answered at once; a minute by default
     * @return this
     */
    public B timeout(Duration timeout) {
        this.timeout = timeout;
        return self();
    }

    /**
     * @param maxRetries how often a request is sent again; 2 by default
     * @return this
     */
    public B maxRetries(int maxRetries) {
        this.maxRetries = maxRetries;
        return self();
    }
}
