HELP = """\
Usage: sonde [flags] PROMPT...
       sonde [flags] get ID | attach ID | cancel ID | plan ID | continue ID | list

Sends the prompt to Sonde, whose model decides whether to run deep research; --target overrides this. The words of the
prompt are joined by spaces. - reads the prompt from standard input, -- ends the flags.

  get ID                      print the result of a run
  attach ID                   follow a run until it ends, then print its result
  cancel ID                   cancel a run; cost incurred so far is not refunded
  plan ID                     print the plan of a run as JSON; with --approve, --edit or --refuse, decide on it
  continue ID                 continue research that ended at a limit, as a new run with the limits of --budget
  list                        print the latest runs: id, status, time, tool, question

  --target relay|direct       relay: always run deep research in Sonde; direct: call the model endpoint
  --api chat|responses        direct: which API of the model endpoint to call; default responses
  --background                start the run in the background, then follow it until it ends
  --web-search                direct: let the model search the web
  --auto-tool-call            let the model decide whether to research; the default without --target
  --stream                    Sonde: print the answer as it arrives
  --timeout SECONDS           how long to wait for the answer; default 3600
  --deliverable-format FORMAT markdown_brief, markdown_report or json_outline
  --system-prompt TEXT        instructions for the model, or for the research
  --context TEXT              background information; may be repeated
  --plan review               Sonde: research that waits for a decision on its plan; implies --target relay
  --approve                   plan: carry it out, and follow the run until it ends
  --edit FILE                 plan: like --approve, with the directions of FILE instead; - reads standard input
  --refuse                    plan: end the run
  --reason TEXT               plan: why, kept in the record
  --budget LIMIT=NUMBER       continue: max_cost_usd, max_searches, max_pages, max_tokens, max_seconds; may be repeated
  --output FILE               write the answer to FILE instead of standard output
  --json                      print the complete result as one line of JSON
  --help, --version

Settings, from the environment or ~/.env:

  RELAY_BASE_URL              Sonde; default http://127.0.0.1:8080
  RELAY_API_KEY               its API key
  RELAY_INVOCATION_TOKEN      the token of a run started elsewhere, for commands with an ID
  LITELLM_BASE_URL            the model endpoint, e.g. https://api.openai.com/v1
  LITELLM_API_KEY             its API key
  LITELLM_MODEL               default gpt-4o

Ctrl-C detaches from a run of Sonde, which continues and incurs cost until it ends; on a terminal it first asks whether
to cancel. Without an API key, run tokens are stored in $XDG_STATE_HOME/sonde, or ~/.local/state/sonde.

Exit status: 0 success, 1 failed or ended early, 2 invalid flags or settings, 3 endpoint unreachable,
4 timed out, 5 approval or answer required, 130 interrupted by Ctrl-C.
"""
