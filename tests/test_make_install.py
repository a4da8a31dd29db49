"""How `make` installs the package."""

import tomllib

import make_install


def told(name):
    project = tomllib.loads((make_install.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return project["project"]["optional-dependencies"][name]


def test_extras_bring_what_they_name():
    plain = set(make_install.requirements([]))
    assert any(each.startswith("numba") for each in plain)
    dev = set(make_install.requirements(["dev"]))
    assert plain < dev
    assert {*told("plot"), *told("peers")} <= dev  # which dev names as extras
    assert not [each for each in dev if each.startswith("headframe")]


def test_a_page_that_cannot_be_built_fails_and_is_told(monkeypatch, capfd, tmp_path):
    (tmp_path / "tools").mkdir()
    failing = "import sys\nprint('no such module')\nsys.exit(3)\n"
    (tmp_path / "tools" / "build_web.py").write_text(failing, encoding="utf-8")
    monkeypatch.setattr(make_install, "ROOT", tmp_path)
    assert make_install.Page().wait() == 3
    assert "no such module" in capfd.readouterr().err


def test_what_pip_says_is_told_where_it_fails(capfd):
    code = make_install.pip("--no-index", "--find-links", "nowhere", "no-such-package-of-anybody")
    assert code
    said = capfd.readouterr()
    assert "no-such-package-of-anybody" in said.err
    assert "pip failed" in said.err
