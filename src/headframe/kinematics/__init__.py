"""Forward and inverse kinematics, Jacobians and statics of closed-chain machines."""
