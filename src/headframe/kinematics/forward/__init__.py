"""Forward kinematics: from lengths to joints."""
