import java.time.Duration;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Spring AI: a chat with the tools of one request, and research. Arguments: the base URL, a key. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class SpringAi {
    static class Weather {
        @Tool(description = "Reports the weather of a city.")
        String getWeather(@ToolParam(description = "The name of the city.") String city) {
            return "It is 3 degrees in " + city + ".";
        }
    }

    public static void main(String[] arguments) {
        var context = SpringApplication.run(
                SpringAi.class,
                "--spring.main.banner-mode=off",
                "--spring.ai.openai.base-url=" + arguments[0],
                "--spring.ai.openai.api-key=" + arguments[1],
                "--spring.ai.openai.timeout=30m",
                "--spring.ai.openai.chat.model=gpt-4.1");
        ChatClient chat = ChatClient.create(context.getBean(OpenAiChatModel.class));
        System.out.println(chat.prompt("[sandbox: call getWeather {\"city\": \"Seoul\"}]")
                .tools(new Weather())
                .call()
                .content());
        System.out.println(chat.prompt("The history of kimchi")
                // Options of a request have a limit of their own, 60 s without this.
                .options(OpenAiChatOptions.builder().model("sonde-research").timeout(Duration.ofMinutes(30)))
                .call()
                .content());
        context.close();
    }
}
