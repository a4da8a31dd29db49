# The front of this room: what others import of it. A file loads when a name of it is first used.

from .curve import POSITION_ONLY as POSITION_ONLY
from .curve import via_poses as via_poses
from .profile import arched as arched
from .serpentines import Serpentine as Serpentine
from .serpentines import serpentine as serpentine
from .trajectories import SURELY_MISSED as SURELY_MISSED
from .trajectories import Trajectory as Trajectory
from .trajectories import check_plan_file as check_plan_file
from .trajectories import drive_limits as drive_limits
from .trajectories import reached_alone as reached_alone
from .trajectories import trajectory as trajectory
from .via_file import LARGEST_VIA_FILE as LARGEST_VIA_FILE
from .via_file import ViaFile as ViaFile
from .via_file import ViaFileError as ViaFileError
from .via_file import read_via_file as read_via_file
from .workspaces import SIZE_UNITS as SIZE_UNITS
from .workspaces import Sampler as Sampler
from .workspaces import Workspace as Workspace
from .workspaces import check_cloud_file as check_cloud_file
from .workspaces import moving_inputs as moving_inputs
from .workspaces import workspace as workspace
