"""The MineRobot paper's inverse kinematics, and the methods that it is compared with."""
