HELP = """\
Usage: sonde [flags] PROMPT...
       sonde [flags] get ID | attach ID | cancel ID | list

Asks Sonde, whose model decides whether to research, unless --target says otherwise. The words of the prompt are joined
by a space. - reads it from standard input, -- ends the flags.

  get ID                      print the result of a run
  attach ID                   follow a run to its end, then print its result
  cancel ID                   stop a run; what it has cost so far is spent
  list                        print the latest runs: id, status, time, tool, question

  --target relay|direct       relay: Sonde researches in any case; direct: the model endpoint is asked
  --api chat|responses        direct: how the model endpoint is asked; default responses
  --background                begin, then wait for the end
  --web-search                direct: let the model search the web
  --auto-tool-call            let the model decide whether to research; the default without --target
  --stream                    Sonde: print the answer as it comes
  --timeout SECONDS           how long to wait for the answer; default 3600
  --deliverable-format FORMAT markdown_brief, markdown_report or json_outline
  --system-prompt TEXT        instructions for the model, or for the research
  --context TEXT              what to know beforehand; may be repeated
  --output FILE               write the answer to FILE, not to standard output
  --json                      print the whole result as a line of JSON
  --help, --version

Settings, from the environment or ~/.env:

  RELAY_BASE_URL              Sonde; default http://127.0.0.1:8080
  RELAY_API_KEY               its API key
  RELAY_INVOCATION_TOKEN      the token of a run that was begun elsewhere, for get, attach and cancel
  LITELLM_BASE_URL            the model endpoint, e.g. https://api.openai.com/v1
  LITELLM_API_KEY             its API key
  LITELLM_MODEL               default gpt-4o

Ctrl-C leaves a run of Sonde, which goes on and costs until it ends; on a terminal it first asks whether to cancel it.
Without an API key, the tokens of runs are kept in $XDG_STATE_HOME/sonde, or ~/.local/state/sonde.

Exit status: 0 answered, 1 failed or ended early, 2 wrong flags or settings, 3 an endpoint could not be reached,
4 not finished in time, 5 a human has to decide, 130 ended by Ctrl-C.
"""
