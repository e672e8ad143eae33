"""The protocol that editors speak with a debugger, as far as a test needs it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any


class Session:
    """A script under debugpy: ``ask`` for something, wait ``until`` something happens."""

    def __init__(self, script: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        place = f"127.0.0.1:{port}"
        command = [sys.executable, "-Xfrozen_modules=off", "-m", "debugpy", "--listen", place]
        self.process = subprocess.Popen(
            [*command, "--wait-for-client", str(script)],
            cwd=script.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.socket = self._connected(port)
        self.received, self.asked = b"", 0
        self.events: list[dict[str, Any]] = []

    def _connected(self, port: int) -> socket.socket:
        import time

        for _ in range(200):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=20)
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("debugpy does not listen")

    def close(self) -> None:
        """End the script and the connection, whatever state they are in."""
        self.socket.close()
        self.process.kill()
        self.process.communicate()

    def send(self, command: str, **arguments: Any) -> int:
        """Ask without waiting for the answer."""
        self.asked += 1
        message = {"seq": self.asked, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self.asked

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """The answer to a request."""
        number = self.send(command, **arguments)
        while True:
            message = self._next()
            if message["type"] == "response" and message["request_seq"] == number:
                assert message["success"], f"{command}: {message.get('message')}"
                return message.get("body") or {}
            if message["type"] == "event":
                self.events.append(message)

    def until(self, event: str) -> dict[str, Any]:
        """What is told of the next event of a kind."""
        while True:
            for place, known in enumerate(self.events):
                if known["event"] == event:
                    return self.events.pop(place).get("body") or {}
            message = self._next()
            if message["type"] == "event":
                self.events.append(message)

    def stopped(self) -> tuple[int, dict[str, Any]]:
        """The thread that stops, and the frame where it does."""
        thread = self.until("stopped")["threadId"]
        return thread, self.ask("stackTrace", threadId=thread)["stackFrames"][0]

    def _next(self) -> dict[str, Any]:
        while b"\r\n\r\n" not in self.received:
            self._receive()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        size = int(head.rpartition(b":")[2])
        while len(self.received) < size:
            self._receive()
        body, self.received = self.received[:size], self.received[size:]
        message: dict[str, Any] = json.loads(body)
        return message

    def _receive(self) -> None:
        found = self.socket.recv(1 << 16)
        if not found:
            raise EOFError("debugpy has hung up")
        self.received += found
