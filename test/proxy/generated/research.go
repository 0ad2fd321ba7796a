// README's research with the client that openapi-generator makes for Go. Arguments: the base URL, a key.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	client "client.example/sonde/generated"
)

func main() {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Args[2])
	sonde := client.NewAPIClient(settings)
	runs := sonde.ToolInvocationsAPI

	arguments := map[string]any{"research_question": "짜장면의 역사", "background": true}
	run, _, err := runs.ToolInvocationsInvoke(ctx).InvokeToolDto(*client.NewInvokeToolDto(arguments, "deep_research")).Execute()
	must(err)
	for run.Status == "queued" || run.Status == "running" {
		run, _, err = runs.InvocationWait(ctx, run.InvocationId).Execute()
		must(err)
	}
	fmt.Println(run.Status)
	title, _, _ := strings.Cut(run.GetOutputText(), "\n")
	fmt.Println(title)

	question := client.NewChatRequestDto()
	question.SetMessage("Good morning")
	reply, _, err := sonde.ChatAPI.ChatReply(ctx).ChatRequestDto(*question).Execute()
	must(err)
	fmt.Println(reply.GetContent())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
