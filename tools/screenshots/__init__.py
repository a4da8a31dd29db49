"""Pictures of the page for the documentation and for its chooser.

`studio` runs servers and a browser, `camera` makes a page ready and takes its picture, and every
module of `subjects` has pictures of one part of the documentation.
"""
