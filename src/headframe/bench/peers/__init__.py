"""The engines that Headframe is compared with, each tuned as a user who knows it would."""

from .base import Answer, Peer, Start
from .drake_peer import DrakePeer
from .mujoco_mjcf_peer import MujocoMjcfPeer
from .mujoco_peer import MujocoPeer
from .scipy_peer import ScipyPeer

__all__ = ["Answer", "DrakePeer", "MujocoMjcfPeer", "MujocoPeer", "Peer", "ScipyPeer", "Start"]
