"""3DT: the looks of a robot in one text file: its components and their rigid bodies."""

from .fitting import bodies_by_link, read_for
from .model import Body, Component, Model
from .reading import ModelReading, model_from, read_model, read_model_text
from .writing import model_text

__all__ = [
    "Body",
    "Component",
    "Model",
    "ModelReading",
    "bodies_by_link",
    "model_from",
    "model_text",
    "read_for",
    "read_model",
    "read_model_text",
]
