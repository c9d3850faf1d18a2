import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from jupyter_core.paths import jupyter_config_path
from jupyter_server.extension.config import ExtensionConfigManager
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler, websocket_connect

from companion import server


def test_installing_the_course_switches_the_extension_on():
    found = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    assert found.get("companion.server") is True, "install the course again: pip install -r requirements.txt"


def test_a_kernels_messages_do_not_wait_for_each_other():
    jupyters = SimpleNamespace(web_app=SimpleNamespace(settings={"kernel_websocket_connection_class": Connection}))
    server._load_jupyter_server_extension(jupyters)
    connection = jupyters.web_app.settings["kernel_websocket_connection_class"]
    with ThreadPoolExecutor(1) as thread:  # tests in a browser leave a loop running in this one
        assert thread.submit(asyncio.run, no_delay(connection)).result() == (True, "connected")


class Connection:
    def __init__(self, websocket_handler):
        self.websocket_handler = websocket_handler

    def connect(self):
        return "connected"


async def no_delay(connection):
    """Return whether a websocket whose handler connects as Jupyter's does has TCP wait, and what `connect` gave."""
    found = asyncio.Future()

    class Handler(WebSocketHandler):
        def open(self):
            answer = connection(self).connect()
            option = self.ws_connection.stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            found.set_result((bool(option), answer))

    listening, port = bind_unused_port()
    http = HTTPServer(Application([("/", Handler)]))
    http.add_socket(listening)
    client = await websocket_connect(f"ws://127.0.0.1:{port}/")
    try:
        return await asyncio.wait_for(found, 10)
    finally:
        client.close()
        http.stop()
