import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ChatApi;
import org.openapitools.client.api.ToolInvocationsApi;
import org.openapitools.client.model.ChatRequestDto;
import org.openapitools.client.model.InvocationDto;
import org.openapitools.client.model.InvokeToolDto;

/** README's research with the client that openapi-generator makes for Java, library restclient. Arguments: the base URL, a key. */
public class Restclient {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(args[0]);
    client.setBearerToken(args[1]);
    ToolInvocationsApi runs = new ToolInvocationsApi(client);
    InvocationDto run = runs.toolInvocationsInvoke(
        new InvokeToolDto()
            .toolName("deep_research")
            .arguments(Map.of("research_question", "짜장면의 역사", "background", true)),
        null, null);
    while (run.getCompletedAt() == null) run = runs.invocationWait(run.getInvocationId(), null, null);
    System.out.println(run.getStatus().getValue());
    System.out.println(run.getOutputText().lines().findFirst().get());
    System.out.println(new ChatApi(client).chatReply(new ChatRequestDto().message("Good morning"), null, null).getContent());
  }
}
