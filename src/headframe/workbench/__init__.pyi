# The front of this room: what others import of it. A file loads when a name of it is first used.

from .kinds import STUDIES as STUDIES
from .path import COURSE_FILE as COURSE_FILE
from .study import Bench as Bench
from .study import CancelledError as CancelledError
from .study import Standing as Standing
from .study import StudyOutcome as StudyOutcome
from .study import checked_request as checked_request
