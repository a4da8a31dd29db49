"""The studies by name."""

from __future__ import annotations

from .section_study import SectionRequest, study_section
from .study import Study
from .workspace import WorkspaceRequest, study_workspace

STUDIES: dict[str, tuple[type, Study]] = {
    "workspace": (WorkspaceRequest, study_workspace),
    "section": (SectionRequest, study_section),
}
