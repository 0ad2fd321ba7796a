import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.time.Duration;
import java.util.Map;

/** The MCP SDK for Java: chat and research as tools. Arguments: the base URL of /v1, a key. */
public class McpJava {
    public static void main(String[] arguments) {
        String url = arguments[0].replaceFirst("/v1$", "");
        var transport = HttpClientStreamableHttpTransport.builder(url)
                .endpoint("/mcp")
                .addHttpRequestCustomizer((request, method, uri, body, context) ->
                        request.header("Authorization", "Bearer " + arguments[1]))
                .build();
        try (McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(Duration.ofMinutes(30))
                .build()) {
            client.initialize();
            print(client, "chat", Map.of("message", "[sandbox: answer \"It is 3 degrees in Seoul.\"]"));
            print(client, "research", Map.of("research_question", "The history of kimchi"));
        }
    }

    static void print(McpSyncClient client, String tool, Map<String, Object> arguments) {
        var result = client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
        System.out.println(((Map<?, ?>) result.structuredContent()).get("output_text"));
    }
}
