"""Parses arguments and settings, runs the command and returns the exit code."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack

from .. import (
    AsyncModelClient,
    AsyncSondeClient,
    EditedPlan,
    SondeApiError,
    SondeError,
    SondeTimeoutError,
    SondeUsageError,
    __version__,
)
from .chat import chat
from .commands import command
from .direct import completion, response, tool_calling
from .flags import Flags, read_flags
from .help import HELP
from .research import research
from .run import ModelRun, SondeRun
from .settings import Settings, read_settings
from .terminal.interrupt import Interrupt
from .terminal.output import Output, check_output, prepare_streams
from .terminal.prompt import argument_text, read_plan, read_prompt
from .tokens import Tokens

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    prepare_streams()
    given = [argument_text(each) for each in (sys.argv[1:] if arguments is None else arguments)]
    try:
        flags = read_flags(given)
        if isinstance(flags, str):
            sys.stdout.write(HELP if flags == "help" else f"sonde-client {__version__}\n")
            sys.stdout.flush()
            return 0
        prompt = "".join(flags.words) if flags.command else read_prompt(flags.words)
        edited = None if flags.edit is None else read_plan(flags.edit)
        check_output(flags.output)
        return asyncio.run(_run(flags, prompt, edited, read_settings(flags)))
    except SondeUsageError as error:
        sys.stderr.write(f"sonde: {error}\n")
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe, and the interpreter must not flush to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


async def _run(flags: Flags, prompt: str, edited: EditedPlan | None, settings: Settings) -> int:
    output = Output(flags.output)
    interrupt = Interrupt(output)
    output.live.start()
    async with AsyncExitStack() as stack:
        stack.callback(interrupt.release)
        common = (flags, prompt, output, interrupt, edited)
        if settings.sonde is not None:
            sonde = await stack.enter_async_context(
                AsyncSondeClient(settings.sonde.base_url, settings.sonde.api_key)
            )
        if settings.model is not None:
            model = await stack.enter_async_context(
                AsyncModelClient(
                    settings.model.base_url, settings.model.api_key, settings.model_name
                )
            )
        if settings.sonde is not None:
            run = SondeRun(*common, sonde, Tokens(settings.sonde))
        if flags.command:
            answering = command(run)
        elif flags.target == "relay":
            answering = (chat if flags.auto_tool_call else research)(run)
        elif flags.auto_tool_call:
            answering = tool_calling(ModelRun(*common, model), run)
        else:
            answering = (completion if flags.api == "chat" else response)(ModelRun(*common, model))
        code = await _supervised(answering, settings, flags, output, interrupt)
        if code == INTERRUPTED:
            return code
        return code if output.finish() else 1


async def _supervised(
    answering: Awaitable[int],
    settings: Settings,
    flags: Flags,
    output: Output,
    interrupt: Interrupt,
) -> int:
    """The exit code of the run, of its failure, of its time-out or of Ctrl-C."""
    answer = asyncio.ensure_future(answering)
    stop = asyncio.ensure_future(interrupt.requested.wait())
    # Tool calling applies the time limit itself and returns the report obtained so far.
    limit = None if flags.target == "direct" and flags.auto_tool_call else flags.seconds
    try:
        await asyncio.wait({answer, stop}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        if interrupt.requested.is_set():
            answer.cancel()
            output.live.stop()
            await interrupt.detach()
            return INTERRUPTED
        if not answer.done():
            raise SondeTimeoutError
        return answer.result()
    except SondeTimeoutError:
        timed_out = f"no response within {flags.timeout} s"
        output.log(f"sonde: {timed_out}; work already started may continue")
        for line in interrupt.tracked.resume_hints()[1:] if interrupt.tracked else []:
            output.log(line)
        return 4
    except SondeError as error:
        return _report_failure(error, settings, output)
    finally:
        stop.cancel()
        answer.cancel()
        await asyncio.wait({answer})


def _report_failure(error: SondeError, settings: Settings, output: Output) -> int:
    if isinstance(error, SondeUsageError):
        output.log(f"sonde: {error}")
        return 2
    # If only one endpoint is configured, the error belongs to it.
    asked = [each.base_url for each in (settings.sonde, settings.model) if each is not None]
    url = error.url or (asked[0] if len(asked) == 1 else None)
    where = [] if url is None else [f"  at {url}"]
    if not isinstance(error, SondeApiError):
        output.log("\n".join([f"sonde: {error}", *where]))
        return 3
    request = f", request {error.request_id}" if error.request_id else ""
    output.log(f"sonde: {error} (code {error.code}{request})")
    for each in error.errors:
        output.log(f"  {each.path}: {each.message}")
    for line in where:
        output.log(line)
    return 1
