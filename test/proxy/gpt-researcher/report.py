"""GPT Researcher: it searches by itself, and a research model writes the report. Arguments: the base URL, a key, a SearXNG."""

import asyncio
import os
import sys
from importlib.util import find_spec
from pathlib import Path

url, key, searx = sys.argv[1:]
os.environ.update(
    OPENAI_BASE_URL=url,
    OPENAI_API_KEY=key,
    FAST_LLM="openai:gpt-4.1",
    STRATEGIC_LLM="openai:gpt-4.1",
    SMART_LLM="openai:sonde-research",
    EMBEDDING="custom:text-embedding-3-small",
    RETRIEVER="searx",
    SEARX_URL=searx,
    # The vocabulary that it counts tokens with is downloaded otherwise.
    TIKTOKEN_CACHE_DIR=str(Path(find_spec("litellm").origin).parent / "litellm_core_utils/tokenizers"),
)

from gpt_researcher import GPTResearcher  # noqa: E402


async def main() -> None:
    researcher = GPTResearcher(
        # The model that plans answers with queries.
        query='The history of kimchi [sandbox: answer "[\\"kimchi\\"]"]',
        # Those that it would ask SMART_LLM for.
        agent="Historian",
        role="You are a historian of food.",
        verbose=False,
    )
    await researcher.conduct_research()
    print(*(source["url"] for source in researcher.get_research_sources()))
    print(await researcher.write_report())


asyncio.run(main())
