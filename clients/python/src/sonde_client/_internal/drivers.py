"""Executes operations with `httpx.Client` or `httpx.AsyncClient`."""

from __future__ import annotations

import ssl
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from typing import Any, Generic

import anyio
import httpx

from ..errors import SondeConnectionError, SondeError, SondeProtocolError, SondeTimeoutError
from .address import is_plain_http
from .function_runs import run_calls, run_calls_async
from .wire import Close, Command, Emit, Head, Open, Operation, Read, Run, Sleep, T, Via

# Node.js closes idle connections after 5 s; a shorter expiry avoids reusing a closed one.
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=3)
# Async connections raise TLS alerts after the handshake as plain ``ssl.SSLError``.
_FAILURES = (httpx.HTTPError, ssl.SSLError)


def _trust(base_url: str) -> ssl.SSLContext | bool:
    """Certificates take 50 ms to load; where there is no TLS, none is trusted."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain_http(base_url) else True


class _Steps(Generic[T]):
    """Steps through an operation: its next command and, at the end, its result."""

    result: T

    def __init__(self, operation: Operation[T]) -> None:
        self._operation = operation
        self._resume: Callable[[], Command] = lambda: operation.send(None)

    def next(self) -> Command | None:
        """The next command; None once the operation has ended and ``result`` is set."""
        try:
            return self._resume()
        except StopIteration as stop:
            self.result = stop.value
            return None

    def resume(self, outcome: Any) -> None:
        self._resume = lambda: self._operation.send(outcome)

    def fail(self, error: SondeError) -> None:
        self._resume = lambda: self._operation.throw(error)


class SyncDriver:
    def __init__(self, name: str, base_url: str, http_client: httpx.Client | None) -> None:
        self._name = name
        self._is_external = http_client is not None
        self._http = http_client or httpx.Client(
            limits=_LIMITS, trust_env=not is_plain_http(base_url), verify=_trust(base_url)
        )

    def close(self) -> None:
        if not self._is_external:
            self._http.close()

    def run(self, operation: Operation[T]) -> T:
        steps = _Steps(operation)
        reply = _SyncReply(self._http, self._name)
        try:
            while (command := steps.next()) is not None:
                self._execute(steps, reply, command)
            return steps.result
        finally:
            reply.close()

    def stream(self, operation: Operation[None]) -> Generator[Any, None, None]:
        steps = _Steps(operation)
        reply = _SyncReply(self._http, self._name)
        try:
            while (command := steps.next()) is not None:
                if isinstance(command, Emit):
                    yield command.event
                    steps.resume(None)
                else:
                    self._execute(steps, reply, command)
        finally:
            reply.close()

    def _execute(self, steps: _Steps[Any], reply: _SyncReply, command: Command) -> None:
        try:
            steps.resume(self._do(reply, command))
        except SondeError as error:
            steps.fail(error)

    def _do(self, reply: _SyncReply, command: Command) -> Any:
        if isinstance(command, Open):
            return reply.open(command)
        if isinstance(command, Read):
            return reply.read()
        if isinstance(command, Close):
            return reply.close()
        if isinstance(command, Sleep):
            return time.sleep(command.seconds)
        if isinstance(command, Run):
            return run_calls(command.calls, command.timeout)
        assert isinstance(command, Via)
        return command.driver.run(command.operation)


class AsyncDriver:
    def __init__(self, name: str, base_url: str, http_client: httpx.AsyncClient | None) -> None:
        self._name = name
        self._is_external = http_client is not None
        self._http = http_client or httpx.AsyncClient(
            limits=_LIMITS, trust_env=not is_plain_http(base_url), verify=_trust(base_url)
        )

    async def close(self) -> None:
        if not self._is_external:
            await self._http.aclose()

    async def run(self, operation: Operation[T]) -> T:
        steps = _Steps(operation)
        reply = _AsyncReply(self._http, self._name)
        try:
            while (command := steps.next()) is not None:
                await self._execute(steps, reply, command)
            return steps.result
        finally:
            await reply.close()

    async def stream(self, operation: Operation[None]) -> AsyncGenerator[Any, None]:
        steps = _Steps(operation)
        reply = _AsyncReply(self._http, self._name)
        try:
            while (command := steps.next()) is not None:
                if isinstance(command, Emit):
                    yield command.event
                    steps.resume(None)
                else:
                    await self._execute(steps, reply, command)
        finally:
            await reply.close()

    async def _execute(self, steps: _Steps[Any], reply: _AsyncReply, command: Command) -> None:
        try:
            steps.resume(await self._do(reply, command))
        except SondeError as error:
            steps.fail(error)

    async def _do(self, reply: _AsyncReply, command: Command) -> Any:
        if isinstance(command, Open):
            return await reply.open(command)
        if isinstance(command, Read):
            return await reply.read()
        if isinstance(command, Close):
            return await reply.close()
        if isinstance(command, Sleep):
            return await anyio.sleep(command.seconds)
        if isinstance(command, Run):
            return await run_calls_async(command.calls, command.timeout)
        assert isinstance(command, Via)
        return await command.driver.run(command.operation)


class _SyncReply:
    """The only reply that an operation has open at a time."""

    def __init__(self, http: httpx.Client, name: str) -> None:
        self._http = http
        self._name = name
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def open(self, command: Open) -> Head:
        self.close()
        try:
            self._response = self._http.send(
                _httpx_request(self._http, command), stream=True, follow_redirects=False
            )
        except _FAILURES as error:
            raise _to_sonde_error(error, self._name) from None
        self._chunks = self._response.iter_bytes()
        return _head(self._response)

    def read(self) -> bytes:
        try:
            return next(self._chunks, b"")
        except _FAILURES as error:
            raise _to_sonde_error(error, self._name) from None

    def close(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None


class _AsyncReply:
    """The only reply that an operation has open at a time."""

    def __init__(self, http: httpx.AsyncClient, name: str) -> None:
        self._http = http
        self._name = name
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes]

    async def open(self, command: Open) -> Head:
        await self.close()
        try:
            # The timeouts of httpx apply to each step separately.
            with anyio.fail_after(command.timeout):
                self._response = await self._http.send(
                    _httpx_request(self._http, command), stream=True, follow_redirects=False
                )
        except (*_FAILURES, TimeoutError) as error:
            raise _to_sonde_error(error, self._name) from None
        self._chunks = self._response.aiter_bytes()
        return _head(self._response)

    async def read(self) -> bytes:
        try:
            return await anext(self._chunks, b"")
        except _FAILURES as error:
            raise _to_sonde_error(error, self._name) from None

    async def close(self) -> None:
        if self._response is not None:
            # Runs even if the task is being cancelled, so that the connection is closed.
            with anyio.CancelScope(shield=True):
                await self._response.aclose()
            self._response = None


def _httpx_request(http: httpx.Client | httpx.AsyncClient, command: Open) -> httpx.Request:
    request = command.request
    return http.build_request(
        request.method,
        request.url,
        # An event id may contain any text.
        headers={name.encode(): value.encode() for name, value in request.headers.items()},
        content=request.body,
        timeout=command.timeout,
    )


def _head(response: httpx.Response) -> Head:
    return Head(response.status_code, {k.lower(): v for k, v in response.headers.items()})


def _to_sonde_error(error: Exception, name: str) -> SondeError:
    # Messages of httpx may contain the host name.
    if isinstance(error, (httpx.TimeoutException, TimeoutError)):
        return SondeTimeoutError(f"{name} did not respond in time")
    if isinstance(error, httpx.LocalProtocolError):
        return SondeProtocolError(f"the request to {name} has a header value that is not allowed")
    if isinstance(error, httpx.DecodingError):
        return SondeProtocolError(f"{name} sent a body that cannot be decoded")
    if isinstance(error, (httpx.ConnectError, httpx.ProxyError)):
        return SondeConnectionError(f"{name} could not be reached")
    return SondeConnectionError(f"the connection to {name} was lost")
