"""Real servers for tests: Redis and Valkey alone, replicated, behind Sentinel, in a Cluster, and a
proxy that cuts, delays or drops. All on free loopback ports, all ended by their process id.

    from tests.servers import Config, redis_server

    with redis_server("valkey", Config(password="secret", appendfsync="always")) as server:
        server.url                  # redis://:secret@127.0.0.1:40123/0
        server.client().ping()      # a plain redis-py client, closed with the server
        server.say("CONFIG", "SET", "maxmemory", 1)     # the same without types
        server.kill()               # kill -9; `start()` begins again in the same folder and port
        server.pause()              # SIGSTOP; `resume()`
        with redis_server("valkey", Config(replica_of=server)) as replica, \
                sentinel_of("valkey", server, name="house") as sentinel:
            until(server.in_step)   # the replica has everything
            sentinel.url            # redis+sentinel://127.0.0.1:PORT/house/0
            sentinel.fail_over()    # or server.kill(), and until(lambda: sentinel.promoted() ...)

    with cluster("valkey") as three: three.url          # redis+cluster://...
    with proxy_to(server.port) as proxy: proxy.url      # redis://127.0.0.1:PORT/0, see `Proxy`
    Config(tls=make_certificates(folder))               # Debian's redis only; `rediss://...?ca=`

`kind` is "valkey" (comes with the locked packages, has no TLS) or "redis" (the distribution's
`redis-server`: skipped in words where there is none, a failure where `CI` is set). A module
that wants both: `@pytest.fixture(params=KINDS, scope="module")`. A start takes about 20 ms; one
server for each module and `server.empty()` between tests are faster still.
"""

from __future__ import annotations

from tests.servers.certificates import Certificates, make_certificates
from tests.servers.cluster import Cluster, cluster
from tests.servers.programs import KINDS, Kind, need
from tests.servers.proxy import Proxy, proxy_to
from tests.servers.sentinel import Sentinel, sentinel_of
from tests.servers.server import Config, Server, redis_server, until

__all__ = [
    "KINDS",
    "Certificates",
    "Cluster",
    "Config",
    "Kind",
    "Proxy",
    "Sentinel",
    "Server",
    "cluster",
    "make_certificates",
    "need",
    "proxy_to",
    "redis_server",
    "sentinel_of",
    "until",
]
