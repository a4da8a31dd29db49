"""The studies by name."""

from __future__ import annotations

from .motion_file import FileRequest, read_path
from .path import PathRequest, plan_path
from .section_study import SectionRequest, study_section
from .study import Study
from .sweep import SweepRequest, plan_sweep
from .workspace import PictureRequest, WorkspaceRequest, draw_workspace, study_workspace

STUDIES: dict[str, tuple[type, Study]] = {
    "workspace": (WorkspaceRequest, study_workspace),
    "workspace_picture": (PictureRequest, draw_workspace),
    "section": (SectionRequest, study_section),
    "path": (PathRequest, plan_path),
    "path_file": (FileRequest, read_path),
    "sweep": (SweepRequest, plan_sweep),
}
