"""A stand-in for the network between a page and its server, which can be cut and can lie."""

from __future__ import annotations

import contextlib
import socket
import threading


class Proxy:
    """Passes bytes to and from a port of this computer; `rewrite` changes what the server says."""

    def __init__(self, port, rewrite=None):
        self.target, self.rewrite = port, rewrite or (lambda data: data)
        self.pairs, self.cut = [], False
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, printed):
        """A printed address by way of this proxy."""
        return printed.replace(f":{self.target}/", f":{self.port}/")

    def drop(self):
        """Cut all connections, and take no new ones until `mend`."""
        self.cut = True
        for pair in self.pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self.pairs.clear()

    def mend(self):
        self.cut = False

    def close(self):
        self.drop()
        self.listening.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                if self.cut:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.target))
                self.pairs.append((near, far))
                for ends in ((near, far, None), (far, near, self.rewrite)):
                    threading.Thread(target=_pass, args=ends, daemon=True).start()


def _pass(source, sink, change):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(change(data) if change else data)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
