HELP = """\
Usage: sonde [flags] PROMPT...

The words of the prompt are joined by a space. - reads it from standard input, -- ends the flags.

  --target direct|relay       who is asked: the model endpoint (default) or Sonde
  --api chat|responses        how the model endpoint is asked; default responses
  --background                begin, then wait for the end
  --web-search                direct: let the model search the web
  --auto-tool-call            let the model decide whether to research
  --stream                    relay: print the answer as it comes
  --timeout SECONDS           how long to wait for the answer; default 3600
  --deliverable-format FORMAT markdown_brief, markdown_report or json_outline
  --system-prompt TEXT        instructions for the model, or for the research
  --context TEXT              what to know beforehand; may be repeated
  --output FILE               write the answer to FILE, not to standard output
  --json                      print the whole result as a line of JSON
  --help, --version

Settings, from the environment or ~/.env:

  LITELLM_BASE_URL            the model endpoint, e.g. https://api.openai.com/v1
  LITELLM_API_KEY             its API key
  LITELLM_MODEL               default gpt-4o
  RELAY_BASE_URL              Sonde; default http://127.0.0.1:8080
  RELAY_API_KEY               its API key

Exit status: 0 answered, 1 failed or ended early, 2 wrong flags or settings, 3 an endpoint could not be reached,
4 the time is over, 5 a human has to decide, 130 ended by Ctrl-C.
"""
