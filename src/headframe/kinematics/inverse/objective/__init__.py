"""What inverse kinematics makes smallest, with its exact first and second derivatives."""
