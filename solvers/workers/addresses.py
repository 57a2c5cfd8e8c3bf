"""Where a cluster's scheduler may be: what travels without TLS can be read and changed by others, so that it stays on
this machine unless its user allows it.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from certify.problems.errors import InputError

PLAIN, SECURE = "tcp", "tls"


@dataclass(frozen=True, slots=True)
class Where:
    """An `address` such as tls://host:8786; with `ca`, `cert` and `key` (files) for TLS, else Dask's own configuration
    says which. A plain address of another machine is refused unless it is allowed.
    """

    address: str
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None
    allow_plain: bool = False

    def checked(self) -> Where:
        """Raises InputError."""
        scheme, _, rest = self.address.rpartition("://")
        host, _, port = rest.rpartition(":")
        if scheme not in (PLAIN, SECURE, "") or not host or not (port.isascii() and port.isdigit()):
            raise InputError(
                f"--dask {self.address}: it is no address of a Dask scheduler; give one such as tls://host:8786, or "
                f"tcp://127.0.0.1:8786 on this machine"
            )
        files = {"--tls-ca": self.ca, "--tls-cert": self.cert, "--tls-key": self.key}
        given = [name for name, path in files.items() if path is not None]
        if scheme != SECURE:
            if given:
                raise InputError(f"{', '.join(given)}: --dask {self.address} is not encrypted; give tls://{rest}")
            self._require_near(host.strip("[]"))
        elif given and len(given) < len(files):
            missing = ", ".join(name for name in files if name not in given)
            raise InputError(f"{', '.join(given)} without {missing}: give all three, or leave them to Dask's own files")
        for name, path in files.items():
            if path is not None and not path.is_file():
                raise InputError(f"{name} {path}: there is no such file")
        return self

    def _require_near(self, host: str) -> None:
        if not (self.allow_plain or is_here(host)):
            raise InputError(
                f"--dask {self.address}: what goes to another machine without encryption can be read and changed, "
                f"and Dask's messages can run programs; give tls://, or --allow-plain where the network is trusted"
            )


def is_here(host: str) -> bool:
    """Whether a name or number means this machine, and nothing that a name server says."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
