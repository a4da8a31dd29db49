"""The methods of the MineRobot paper, kept beside the package's own to be compared with."""
