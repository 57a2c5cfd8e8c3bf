"""A real browser for tests: headless Chromium, driven through a pipe by its own protocol, with what it logs and asks
for. Nothing has to be installed but the browser itself.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--mute-audio")
FLAGS += ("--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync")
SECONDS = 60


def executable():
    """Where the browser is; None if there is none, or while CI installs it (`CERTIFY_NO_BROWSER`)."""
    if os.environ.get("CERTIFY_NO_BROWSER"):
        return None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A page of it. `logged` are messages and errors of the console, `asked` the addresses of all requests."""

    def __init__(self, width=1280, height=900, dark=False):
        self.logged, self.asked = [], []
        self._number, self._folder = 0, tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        self._process = self._started(theirs_in, theirs_out, width, height)
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest, self._session = b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def _started(self, theirs_in, theirs_out, width, height):
        def handles():
            far = os.dup(theirs_in), os.dup(theirs_out)  # neither of which is 3 or 4
            for place, handle in zip((3, 4), far, strict=True):
                os.dup2(handle, place)
                os.set_inheritable(place, True)

        words = [executable(), *FLAGS, "--remote-debugging-pipe", f"--user-data-dir={self._folder.name}"]
        return subprocess.Popen(
            [*words, f"--window-size={width},{height}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=handles,
            close_fds=False,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
        self._folder.cleanup()

    def call(self, method, **words):
        """What the browser answers; events that come meanwhile are kept."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": words}
        os.write(
            self._out, json.dumps(asked | ({"sessionId": self._session} if self._session else {})).encode() + b"\0"
        )
        while (told := self._heard()).get("id") != self._number:
            self._noted(told)
        if "error" in told:
            raise AssertionError(f"{method}: {told['error']}")
        return told["result"]

    def _heard(self):
        while b"\0" not in self._rest:
            more = os.read(self._in, 1 << 20)
            if not more:
                raise AssertionError("the browser has ended")
            self._rest += more
        told, self._rest = self._rest.split(b"\0", 1)
        return json.loads(told)

    def _noted(self, told):
        words = told.get("params", {})
        if told.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.logged.append(json.dumps(words)[:2000])
        elif told.get("method") == "Network.requestWillBeSent":
            self.asked.append(words["request"]["url"])
        elif told.get("method") == "Page.loadEventFired":
            self._loaded = True

    def open(self, path):
        """Load a file, all of it."""
        self._loaded = False
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        while not self._loaded:
            self._noted(self._heard())

    def run(self, script):
        """The value of an expression in the page."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise AssertionError(f"{script}: {json.dumps(told['exceptionDetails'])[:2000]}")
        return told["result"].get("value")

    def key(self, name):
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def mouse(self, kind, x, y, **words):
        """Move, press or release the mouse."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **words)

    def picture(self, path=None, selector=None):
        """A PNG of the whole page, or of an element."""
        element = f"document.querySelector({json.dumps(selector)})" if selector else "document.documentElement"
        box = self.run(
            f"(() => {{ const b = {element}.getBoundingClientRect();"
            "return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()"
        )
        clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
        told = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        data = base64.b64decode(told["data"])
        if path is not None:
            Path(path).write_bytes(data)
        return data

    def printed(self, path=None):
        """The page as PDF."""
        data = base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
        if path is not None:
            Path(path).write_bytes(data)
        return data
