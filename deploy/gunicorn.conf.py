"""For a gunicorn of one's own: gunicorn -c deploy/gunicorn.conf.py fairbones.wsgi:app.

It does what `fairbones serve` does, in SQLite mode and in Redis mode, from the same FAIRBONES_*
variables. Change here what those do not cover, after the last line: `bind = "unix:/run/..."`.
Leave workers, worker_class, threads, preload_app and the hooks alone: the service counts on them.
"""

from fairbones.serving.hooks import gunicorn_settings

globals().update(gunicorn_settings())
