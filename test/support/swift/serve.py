"""Runs OpenStack Swift with its S3 interface: python3 serve.py FOLDER ACCOUNT CONTAINER OBJECT PROXY (ports).

Ends when its standard input closes, so that no server outlives the tests.
"""
import os
import signal
import sys

import swift.common.utils as utils

folder = sys.argv[1]
ports = dict(zip(['account', 'container', 'object', 'proxy'], map(int, sys.argv[2:])))
os.makedirs(f'{folder}/srv/d1', exist_ok=True)
with open(f'{folder}/swift.conf', 'w') as file:
    file.write('[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n')
utils.SWIFT_CONF_FILE = f'{folder}/swift.conf'
utils.validate_hash_conf()

from swift.common.ring import RingBuilder  # noqa: E402 (needs the configuration above)
from swift.container.server import ContainerController  # noqa: E402
from swift.common.wsgi import run_wsgi  # noqa: E402

COMMON = f'''[DEFAULT]
bind_ip = 127.0.0.1
bind_port = %(port)s
workers = 0
user = {os.environ['SWIFT_USER']}
swift_dir = {folder}
devices = {folder}/srv
mount_check = false
log_level = CRITICAL
log_address = {folder}/no-syslog
disable_fallocate = true
fallocate_reserve = 0
'''
STORAGE = COMMON + '''[pipeline:main]
pipeline = %(kind)s-server
[app:%(kind)s-server]
use = egg:swift#%(kind)s
# By default, an object server answers after a second although the container server has not changed
# its listing, and leaves the listing to a daemon that does not run here when it cannot connect.
conn_timeout = 60
node_timeout = 60
container_update_timeout = 60
'''
PROXY = COMMON + '''[pipeline:main]
pipeline = catch_errors cache bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
# On a busy machine, a server answers late. By default, ten late answers exclude it for a minute.
conn_timeout = 5
error_suppression_limit = 1000000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
s3_acl = no
location = us-east-1
allow_multipart_uploads = true
min_segment_size = 5242880
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
'''

open_container = ContainerController._get_container_broker


def open_current(self, *path, stale_reads_ok=False, pending_timeout=None, **options):
    return open_container(self, *path, **options)


# By default, a listing is out of date while another request holds the lock for over 0.1 s. S3 is consistent.
ContainerController._get_container_broker = open_current

for kind in ['account', 'container', 'object']:
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': ports[kind], 'device': 'd1', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')
for kind, port in ports.items():
    with open(f'{folder}/{kind}.conf', 'w') as file:
        file.write((PROXY if kind == 'proxy' else STORAGE) % {'kind': kind, 'port': port})

children = []


def end(code):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except OSError:
            pass
    os._exit(code)


for kind, port in ports.items():
    child = os.fork()
    if child == 0:
        os.close(0)
        os.open(os.devnull, os.O_RDONLY)
        try:
            run_wsgi(f'{folder}/{kind}.conf', 'proxy-server' if kind == 'proxy' else f'{kind}-server', default_port=port)
        finally:
            os._exit(1)
    children.append(child)

# A server that ends takes the others with it.
signal.signal(signal.SIGCHLD, lambda *_: end(1))
sys.stdin.read()
end(0)
