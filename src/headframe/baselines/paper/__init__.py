"""The MineRobot paper's kinematics, and the methods that it is compared with."""
