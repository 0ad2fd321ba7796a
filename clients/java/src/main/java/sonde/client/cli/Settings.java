package sonde.client.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import sonde.client.ModelClient;
import sonde.client.SondeClient;
import sonde.client.SondeUsageException;

/** Settings from the environment, then from {@code ~/.env}. Only those that the run needs are read and validated. */
final class Settings {
    private final Map<String, String> environment;
    private final Map<String, String> file;

    Settings(Map<String, String> environment) {
        this.environment = environment;
        this.file = EnvFile.read(home(environment));
    }

    /** Uses HOME like a shell; the JDK would use the user database. */
    private static String home(Map<String, String> environment) {
        String home = environment.getOrDefault("HOME", "");
        // An empty home directory would select the {@code .env} of the current directory.
        return Terminal.IS_WINDOWS || home.isEmpty() ? System.getProperty("user.home") : home;
    }

    /** Null if the run does not need it. */
    ModelClient model(Flags flags) {
        if (flags.isRelay()) return null;
        String url = get("LITELLM_BASE_URL", null);
        if (url == null) throw new UsageError("LITELLM_BASE_URL is not set, e.g. https://api.openai.com/v1");
        ModelClient.Builder builder = ModelClient.builder()
                .baseUrl(url)
                .apiKey(get("LITELLM_API_KEY", null))
                .model(get("LITELLM_MODEL", ModelClient.DEFAULT_MODEL));
        return named("LITELLM", builder::build);
    }

    /** Null if the run does not need it. */
    SondeClient sonde(Flags flags) {
        if (!flags.isRelay() && !flags.has("--auto-tool-call")) return null;
        SondeClient.Builder builder = SondeClient.builder()
                .baseUrl(get("RELAY_BASE_URL", SondeClient.DEFAULT_BASE_URL))
                .apiKey(get("RELAY_API_KEY", null));
        return named("RELAY", builder::build);
    }

    /** The base URLs that the run uses. */
    List<String> urls(Flags flags) {
        List<String> urls = new ArrayList<>();
        if (!flags.isRelay()) urls.add(get("LITELLM_BASE_URL", null));
        if (flags.isRelay() || flags.has("--auto-tool-call"))
            urls.add(get("RELAY_BASE_URL", SondeClient.DEFAULT_BASE_URL));
        return urls;
    }

    /** The stored tokens; null if the run does not need them. */
    Tokens tokens(Flags flags) {
        if (!flags.isRelay() && !flags.has("--auto-tool-call")) return null;
        String token = flags.command() == null ? null : get(Tokens.TOKEN, null);
        if (token != null && !token.matches("[\\x20-\\x7e]*"))
            throw new UsageError(Tokens.TOKEN + ": must be printable ASCII");
        String baseUrl = get("RELAY_BASE_URL", SondeClient.DEFAULT_BASE_URL);
        return new Tokens(state(), baseUrl, get("RELAY_API_KEY", null) != null, token);
    }

    private Path state() {
        try {
            String state = environment.getOrDefault("XDG_STATE_HOME", "");
            if (!state.isEmpty() && Path.of(state).isAbsolute()) return Path.of(state, "sonde");
            return Path.of(home(environment), ".local", "state", "sonde");
        } catch (InvalidPathException e) {
            // The locale may lack the characters of the path.
            return null;
        }
    }

    private interface Built<T> {
        T build();
    }

    private static <T> T named(String prefix, Built<T> client) {
        try {
            return client.build();
        } catch (SondeUsageException e) {
            throw new UsageError(e.getMessage()
                    .replaceFirst("^baseUrl", prefix + "_BASE_URL")
                    .replaceFirst("^apiKey", prefix + "_API_KEY"));
        }
    }

    /** An empty value counts as unset. */
    private String get(String name, String otherwise) {
        for (Map<String, String> values : List.of(environment, file)) {
            String value = values.get(name);
            if (value != null && !value.isEmpty()) return value;
        }
        return otherwise;
    }
}
