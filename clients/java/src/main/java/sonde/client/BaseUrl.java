package sonde.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** Validates base URLs: https, or plain http for loopback addresses only, without credentials. */
final class BaseUrl {
    private static final Pattern LOOPBACK = Pattern.compile(
            "localhost|127(\\.\\d{1,3}){3}|\\[(::1|0:0:0:0:0:0:0:1)]", Pattern.CASE_INSENSITIVE);

    private static final int LAST_PORT = 65535;

    private BaseUrl() {}

    /** The root of a Sonde service; a path prefix is preserved, a trailing {@code /api/v1} is removed. */
    static String ofSonde(String url) {
        String path = check(url);
        return path.endsWith("/api/v1") ? withoutSlash(path.substring(0, path.length() - 7)) : path;
    }

    /** The root of a model endpoint, which ends in {@code /v1}. */
    static String ofModel(String url) {
        String path = check(url);
        return path.endsWith("/v1") ? path : path + "/v1";
    }

    /** @throws SondeUsageException whose message does not contain the URL */
    private static String check(String url) {
        URI uri = parse(url);
        String scheme = uri.getScheme().toLowerCase();
        if (!scheme.equals("https") && !scheme.equals("http"))
            throw new SondeUsageException("baseUrl: must begin with https:// or http://");
        if (uri.getHost() == null || uri.getPort() > LAST_PORT) throw new SondeUsageException("baseUrl: not a URL");
        if (scheme.equals("http") && !LOOPBACK.matcher(uri.getHost()).matches())
            throw new SondeUsageException("baseUrl: http is allowed for loopback addresses only; use https");
        if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null)
            throw new SondeUsageException("baseUrl: must not contain credentials, a query or a fragment");
        return withoutSlash(uri.toASCIIString());
    }

    private static URI parse(String url) {
        try {
            URI uri = new URI(url == null ? "" : url.strip());
            if (uri.getScheme() != null) return uri;
        } catch (URISyntaxException e) {
            // The message of this exception contains the URL, which may contain a password.
        }
        throw new SondeUsageException("baseUrl: not a URL");
    }

    private static String withoutSlash(String url) {
        return url.replaceFirst("/+$", "");
    }
}
