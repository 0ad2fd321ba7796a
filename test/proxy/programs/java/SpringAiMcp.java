import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.customizer.McpSyncHttpClientRequestCustomizer;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Spring AI's client of MCP: chat and research as tools. Arguments: the base URL of /v1, a key. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class SpringAiMcp {
    @Bean
    McpSyncHttpClientRequestCustomizer authorization(Environment settings) {
        String bearer = "Bearer " + settings.getProperty("sonde.key");
        return (request, method, uri, body, context) -> request.header("Authorization", bearer);
    }

    public static void main(String[] arguments) {
        var context = SpringApplication.run(
                SpringAiMcp.class,
                "--spring.main.banner-mode=off",
                "--spring.ai.mcp.client.streamable-http.connections.sonde.url=" + arguments[0].replaceFirst("/v1$", ""),
                "--spring.ai.mcp.client.request-timeout=30m",
                "--sonde.key=" + arguments[1]);
        var client = (McpSyncClient) context.getBean("mcpSyncClients", List.class).get(0);
        print(client, "chat", Map.of("message", "[sandbox: answer \"It is 3 degrees in Seoul.\"]"));
        print(client, "research", Map.of("research_question", "The history of kimchi"));
        context.close();
    }

    static void print(McpSyncClient client, String tool, Map<String, Object> arguments) {
        var result = client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
        System.out.println(((Map<?, ?>) result.structuredContent()).get("output_text"));
    }
}
