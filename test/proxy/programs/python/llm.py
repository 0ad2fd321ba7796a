"""The command `llm`, with a file of models as its documentation has it. Arguments: the base URL, a key."""

import os
import sys
import tempfile
from pathlib import Path

url, key = sys.argv[1:]
# In place of what the user has.
os.environ["LLM_USER_PATH"] = folder = tempfile.mkdtemp()
Path(folder, "extra-openai-models.yaml").write_text(
    "".join(
        f"- model_id: sonde/{name}\n  model_name: {name}\n  api_base: {url}\n  api_key_name: sonde\n"
        for name in ("gpt-4.1", "sonde-research")
    )
)
command = Path(sys.executable).with_name("llm")
assert os.spawnl(os.P_WAIT, command, "llm", "keys", "set", "sonde", "--value", key) == 0
chat = '[sandbox: answer "It is 3 degrees in Seoul."]'
for model, question in (("gpt-4.1", chat), ("sonde-research", "The history of kimchi")):
    status = os.spawnl(os.P_WAIT, command, "llm", "-m", f"sonde/{model}", question)
    assert status == 0, status
