"""A hub for a class on one Linux machine. README.md has the commands, and says why."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CERTIFICATE = Path("/etc/attention-hub")  # key.pem and cert.pem
c = get_config()  # noqa: F821

# Students are users of the system, made by the teacher: its own permissions keep them apart, and nobody signs up.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {"students"}

# Each server is a unit of systemd, which knows limits; the hub may stop and start again while they run.
c.JupyterHub.spawner_class = "systemd"
c.JupyterHub.cleanup_servers = False
c.Spawner.mem_limit = "2G"  # three notebooks at once, the largest among them
c.Spawner.cpu_limit = 1
c.SystemdSpawner.extra_paths = [str(Path(sys.executable).parent)]
c.SystemdSpawner.isolate_tmp = True
c.SystemdSpawner.isolate_devices = True
c.SystemdSpawner.unit_extra_properties = {"TasksMax": "300"}

# Passwords never cross a network in the clear: without a certificate, only this machine is served.
if CERTIFICATE.is_dir():
    c.JupyterHub.bind_url = "https://:443"
    c.JupyterHub.ssl_key, c.JupyterHub.ssl_cert = str(CERTIFICATE / "key.pem"), str(CERTIFICATE / "cert.pem")
else:
    c.JupyterHub.bind_url = "http://127.0.0.1:8000"

# What starts a server first brings what the class gets, as the student, never over the student's own work.
c.Spawner.cmd = [str(HERE / "start.sh")]
c.Spawner.environment = {
    "CLASS": "/srv/class",
    "OMP_NUM_THREADS": "1",  # as many as a student has cores; else each kernel starts one for each core there is
}
c.Spawner.default_url = "/lab"
c.Spawner.http_timeout = 120  # a whole class may start at once

# After an hour without work, kernels end although a tab is open, and servers whose tabs are closed: files stay.
c.Spawner.args = ["--MappingKernelManager.cull_idle_timeout=3600", "--MappingKernelManager.cull_connected=True"]
c.JupyterHub.services = [
    {"name": "idle-culler", "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600"]}
]
scopes = ["list:users", "read:users:activity", "read:servers", "delete:servers"]
c.JupyterHub.load_roles = [{"name": "idle-culler", "scopes": scopes, "services": ["idle-culler"]}]
