"""An extension of the Jupyter server: no message waits for the one before, so that `explore` keeps up with a slider.

TCP by itself holds a small message back until the browser has acknowledged the last, which takes it up to 40 ms:
longer than most pictures take to compute. Installing the course switches the extension on.
"""


def _jupyter_server_extension_points():
    return [{"module": __name__}]


def _load_jupyter_server_extension(server):
    settings = server.web_app.settings
    settings["kernel_websocket_connection_class"] = at_once(settings["kernel_websocket_connection_class"])


def at_once(connection):
    """Return the class of connections from browser to kernel, given one that may hold messages back."""

    class AtOnce(connection):
        def connect(self):
            self.websocket_handler.set_nodelay(True)
            return super().connect()

    return AtOnce
