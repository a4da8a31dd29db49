"""The protocol's version.

One more whenever a program that knows the version before would read or send something wrong. A
message or a field that only adds something does not count.
"""

VERSION = 3
