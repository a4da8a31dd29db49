"""The engines that Headframe is compared with, each tuned as a user who knows it would."""

from .base import Peer, PeerAnswer, Start
from .drake_peer import DrakePeer
from .mujoco_mjcf_peer import MujocoMjcfPeer
from .mujoco_peer import MujocoPeer
from .scipy_peer import ScipyPeer

__all__ = ["DrakePeer", "MujocoMjcfPeer", "MujocoPeer", "Peer", "PeerAnswer", "ScipyPeer", "Start"]
