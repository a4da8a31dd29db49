"""The OpenAPI description is true: what schemathesis asks for by it is answered as it says."""

import asyncio
import re
import time
from contextlib import suppress

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from played import played_app, said_by_physics
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from headframe.server.messages import FrameReport

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
HOST = "http://127.0.0.1:8710"
QUICK = settings(
    max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def said():
    return said_by_physics()


@pytest.fixture
def app(tmp_path, said, monkeypatch):
    return played_app(tmp_path, said, monkeypatch)


def bearer(app, role="operator"):
    return {"Authorization": f"Bearer {app[1].tokens[role]}", "Host": "127.0.0.1:8710"}


def get(app, headers=None, path="/openapi.json"):
    async def ask():
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app[0]), base_url=HOST, headers=headers
        ) as client:
            return await client.get(path)

    return asyncio.run(ask())


def description(app):
    answer = get(app, bearer(app))
    assert answer.status_code == 200
    return answer.json()


def test_only_those_who_have_a_session_get_it(app):
    assert get(app).status_code == 401
    assert get(app, bearer(app, "viewer")).status_code == 200


def test_there_are_no_pages_that_fetch_from_elsewhere(app):
    for path in ("/docs", "/redoc", "/docs/oauth2-redirect"):
        assert get(app, bearer(app), path).status_code == 404


def test_every_route_is_in_it(app):
    made, _ = app
    paths = description(app)["paths"]
    hidden = {"/openapi.json", "/{path}", "/ws"}
    routes = {
        (re.sub(r":\w+}", "}", route.path), method.lower())
        for route in made.routes
        for method in getattr(route, "methods", ())
    }
    told = {(path, method) for path, methods in paths.items() for method in methods}
    assert {route for route in routes if route[0] not in hidden} == told
    assert len(told) > 18


def test_words_and_ways_to_come_in(app):
    told = description(app)
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (path, method)
            open_to_all = operation.get("security") == []
            assert open_to_all == ((path, method) in {("/session", "post"), ("/health", "get")})
            assert ("401" in operation["responses"]) or path == "/health"
    assert set(told["components"]["securitySchemes"]) == {"token", "session", "password"}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("role", ["operator", "viewer", None])
def test_answers_are_as_described(app, role, mode):
    made, _ = app
    schema = schemathesis.openapi.from_asgi("/openapi.json", made, headers=bearer(app))
    headers = bearer(app, role) if role else {"Host": "127.0.0.1:8710"}
    codes = set()
    for found in schema.get_all_operations():
        operation = found.ok()

        @QUICK
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case):
            case.headers.update(headers)
            answer = case.call()
            codes.add(answer.status_code)
            case.validate_response(answer, checks=CHECKS)

        with suppress(Unsatisfiable):  # there is nothing to get wrong
            ask()
    wanted = {"operator": {200, 404}, "viewer": {200, 403}, None: {200, 401}}[role]
    assert codes >= (wanted if mode is GenerationMode.POSITIVE else {422})
    assert 500 not in codes


def way(hub):
    """What goes well, one after the other: method, path, what the path stands for, options."""
    shape = hub.scene.geometry.removeprefix("geometry/").removesuffix(".glb")
    named = {"{name}": "first"}
    forms = ("mrdf", "mjcf", "glb", "zip")
    record = [
        ("GET", "/recordings/{name}", named, {}, 200),
        ("GET", "/recordings/{name}/times", named, {}, 200),
        ("GET", "/recordings/{name}/frames", named, {"params": {"first": 0, "count": 2}}, 200),
        ("GET", "/recordings/{name}/frames", named, {"params": {"first": 0, "count": 0}}, 400),
        ("GET", "/recordings/{name}/file", named, {}, 200),
        ("POST", "/recordings/{name}/machine", named, {}, 422),
        ("POST", "/recordings/{name}/machine", named, {}, 200),
        ("PATCH", "/recordings/{name}", named, {"params": {"to": "second"}}, 200),
        ("DELETE", "/recordings/{name}", {"{name}": "second"}, {}, 200),
        ("PUT", "/recordings/{name}", named, {"content": b"x"}, 422),
    ]
    return [
        ("GET", "/session", {}, {}, 200),
        ("GET", "/health", {}, {}, 200),
        ("GET", "/topology", {}, {}, 200),
        ("GET", "/facts", {}, {}, 200),
        ("GET", "/geometry/{name}.glb", {"{name}": shape}, {}, 200),
        *(("GET", "/machine/export", {}, {"params": {"form": form}}, 200) for form in forms),
        ("GET", "/machine/export", {}, {"params": {"form": "urdf"}}, 422),
        ("POST", "/machine", {}, {"params": {"name": "a.json"}, "content": b"{}"}, 422),
        ("POST", "/machine", {}, {"params": {"name": "a.json"}, "content": b"{}"}, 200),
        ("POST", "/machine", {}, {"params": {"name": "a.txt"}, "content": b"{}"}, 415),
        ("POST", "/study/{kind}", {"{kind}": "workspace"}, {"json": {}}, 200),
        ("DELETE", "/study", {}, {}, 200),
        ("POST", "/recordings", {}, {"params": {"name": "first"}}, 201),
        ("POST", "/recordings", {}, {"params": {"name": "first"}}, 409),
        ("POST", "/recordings/stop", {}, {}, 200),
        ("GET", "/recordings", {}, {}, 200),
        *record,
    ]  # fmt: skip


def test_what_goes_well_is_as_described(app, said):
    """Schemathesis does not guess the names of things: here they are known."""
    made, access = app
    hub = made.state.hub
    schema = schemathesis.openapi.from_asgi("/openapi.json", made, headers=bearer(app))
    frames = [one for one in said if isinstance(one, FrameReport)]

    async def go(client):
        for method, path, places, options, wanted in way(hub):
            address = re.sub(r"{\w+}", lambda found, places=places: places[found[0]], path)
            answer = await client.request(method, address, **options)
            assert answer.status_code == wanted, (method, address, answer.text)
            schema[path][method].validate_response(answer)
            if (method, wanted) == ("POST", 201):
                for frame in frames:
                    hub._listen(frame, time.monotonic())
        body = {"token": access.tokens["viewer"]}
        opened = await client.post("/session", json=body)
        schema["/session"]["POST"].validate_response(opened)
        return len(way(hub))

    async def ask():
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(made), base_url=HOST, headers=bearer(app)
        ) as client:
            return await go(client)

    assert asyncio.run(ask()) > 25
