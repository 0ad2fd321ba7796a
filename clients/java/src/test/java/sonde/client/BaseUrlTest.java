package sonde.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BaseUrlTest {
    @TestFactory
    Stream<DynamicTest> takesWhatIsSafe() throws IOException {
        return Stream.concat(
                urls("sonde", "taken", url -> assertDoesNotThrow(() -> SondeClient.builder().baseUrl(url).build())),
                urls("model", "taken", url -> assertDoesNotThrow(() -> ModelClient.builder().baseUrl(url).build())));
    }

    @TestFactory
    Stream<DynamicTest> refusesWhatIsNot() throws IOException {
        return Stream.concat(
                urls("sonde", "refused", url -> refused(url, () -> SondeClient.builder().baseUrl(url).build())),
                urls("model", "refused", url -> refused(url, () -> ModelClient.builder().baseUrl(url).build())));
    }

    @Test
    void keepsAPathPrefixAndRemovesThePathOfTheApi() {
        assertEquals("https://example.com/sonde", BaseUrl.ofSonde("https://example.com/sonde/api/v1/"));
    }

    @Test
    void addsTheVersionOfTheModelEndpointOnce() {
        assertEquals("https://example.com/v1", BaseUrl.ofModel("https://example.com/"));
        assertEquals("https://example.com/openai/v1", BaseUrl.ofModel("https://example.com/openai/v1/"));
    }

    @Test
    void rejectsAKeyThatNoHeaderCanCarry() {
        SondeUsageException fault = assertThrows(
                SondeUsageException.class, () -> SondeClient.builder().apiKey("sk-\nsecret").build());
        assertEquals("apiKey: must be printable ASCII", fault.getMessage());
    }

    private interface Check {
        void of(String url);
    }

    private static Stream<DynamicTest> urls(String client, String list, Check check) throws IOException {
        JsonNode urls = NodeProgram.contract("base-urls.json").path(client).path(list);
        return StreamSupport.stream(urls.spliterator(), false)
                .map(JsonNode::asText)
                .map(url -> DynamicTest.dynamicTest(client + ": \"" + url + "\"", () -> check.of(url)));
    }

    private static void refused(String url, org.junit.jupiter.api.function.Executable build) {
        SondeUsageException fault = assertThrows(SondeUsageException.class, build);
        assertFalse(fault.getMessage().contains("secret"), url);
    }
}
