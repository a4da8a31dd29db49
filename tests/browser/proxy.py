"""A stand-in for the network between a page and its server, which can be cut and can lie."""

from __future__ import annotations

import contextlib
import socket
import threading


class Proxy:
    """Passes bytes to and from a port of this computer; `rewrite` changes what the server says."""

    def __init__(self, port, rewrite=None):
        self.target, self.rewrite = port, rewrite or (lambda data: data)
        self.pairs, self.threads, self.cut = [], [], False
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
        for thread in self.threads:
            thread.join(5.0)

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
                    self.threads.append(threading.Thread(target=_pass, args=ends, daemon=True))
                    self.threads[-1].start()


def _pass(source, sink, change):
    """Pass bytes on until one end closes; each of the two threads closes what it reads from."""
    with contextlib.suppress(OSError), source:
        while data := source.recv(65536):
            sink.sendall(change(data) if change else data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)
