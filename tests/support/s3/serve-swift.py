"""
OpenStack Swift with its S3 interface, whole, in one process: contents in memory, the lists of names in FOLDER.

    /usr/bin/python3 serve-swift.py FOLDER ACCOUNT USER SECRET

Needs Debian's python3-swift. Prints its port when it listens, and ends when its standard input does.
"""

import sys
from array import array
from pathlib import Path

import eventlet
import eventlet.wsgi
from eventlet.hubs import trampoline

eventlet.monkey_patch()

from swift.common import utils, wsgi
from swift.common.ring import RingData
from swift.common.storage_policy import reload_storage_policies

FOLDER = Path(sys.argv[1])
ACCOUNT, USER, SECRET = sys.argv[2:]
DEVICE = 'disk'
BACKENDS = {'account': 'account', 'container': 'container', 'object': 'mem_object'}

COMMON = f"""
[DEFAULT]
swift_dir = {FOLDER}
devices = {FOLDER}/devices
mount_check = false
log_level = CRITICAL
"""

# A page of a list holds three keys, so that a test needs few for several pages.
PROXY = f"""{COMMON}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = eu-central-1
max_bucket_listing = 3
[filter:tempauth]
use = egg:swift#tempauth
user_{ACCOUNT}_{USER} = {SECRET} .admin
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
"""


class Cache:
    """Stands for memcached, without which Swift lets nobody in."""

    def __init__(self):
        self.values = {}

    def get(self, key, *_, **__):
        return self.values.get(key)

    def set(self, key, value, *_, **__):
        self.values[key] = value

    def delete(self, key, *_, **__):
        self.values.pop(key, None)


def with_cache(app):
    cache = Cache()

    def answer(environ, start_response):
        environ['swift.cache'] = cache
        return app(environ, start_response)

    return answer


def write(name, text):
    path = FOLDER / name
    path.write_text(text)
    return str(path)


def listen():
    listener = eventlet.listen(('127.0.0.1', 0))
    return listener, listener.getsockname()[1]


def serve(listener, app):
    logger = utils.get_logger({'log_level': 'CRITICAL'})
    eventlet.spawn(eventlet.wsgi.server, listener, app, logger, protocol=wsgi.SwiftHttpProtocol, log_output=False)


def write_ring(name, port):
    """Where Swift's parts find each other: all of it is on one device."""
    place = {'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1', 'replication_port': port}
    device = {'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'device': DEVICE, **place}
    RingData([array('H', [0])], [device], 32).save(str(FOLDER / f'{name}.ring.gz'))


(FOLDER / 'devices' / DEVICE).mkdir(parents=True)
utils.SWIFT_CONF_FILE = write(
    'swift.conf', '[swift-hash]\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = memory\ndefault = yes\n'
)
utils.validate_hash_conf()
reload_storage_policies()
for name, app in BACKENDS.items():
    listener, port = listen()
    write_ring(name, port)
    configuration = write(f'{name}.conf', f'{COMMON}[app:main]\nuse = egg:swift#{app}\n')
    serve(listener, wsgi.loadapp(configuration, allow_modify_pipeline=False))

listener, port = listen()
serve(listener, with_cache(wsgi.loadapp(write('proxy.conf', PROXY), allow_modify_pipeline=False)))
print(port, flush=True)
trampoline(sys.stdin, read=True)
