"""Messages: read strictly, refused with all their faults."""

import dataclasses
import json
import math

import pytest
from pydantic import TypeAdapter

from headframe.errors import ProtocolError
from headframe.protocol import read, up, write
from headframe.protocol.codec import LARGEST_MESSAGE
from headframe.protocol.down import Pong, Refused, Status
from headframe.protocol.typescript import _members

EXAMPLES = [
    up.Hello(1),
    up.Levers({"boom": -0.5}, 0.01, True, 12.5),
    up.Ping(3.0),
    up.GoTo("boom", 2.0),
    up.LetFloat("boom", True),
    up.SpinMotor("cutting_motor", -1.0),
    up.EmergencyStop(),
    up.Release(),
    up.TakeSeat(),
    up.Pause(True),
    up.Step(5),
    up.TimeScale(0.1),
    up.Rewind(3.25),
    up.Restart(),
    up.SetPhysics(True, "simgc", "", 1.62),
    up.SetPhysics(),
    up.Reach("cutter_head", (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), 7),
    up.Inspect(7),
    up.Play(3, 0.5, 1.25),
    up.StopPlaying(),
    up.Select("support", ("3", "4")),
    up.Select("support"),
    up.ChooseScene("longwall"),
    up.ChooseScene("yard", "tcchs"),
    up.ChooseMachine("tcchs"),
]


def test_there_is_an_example_of_every_message():
    assert {type(example) for example in EXAMPLES} == set(_members(up.Up))


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: message.type)
def test_messages_come_back_as_they_were(message):
    assert read(json.dumps(dataclasses.asdict(message))) == message


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "message"),
        ("{", "message"),
        ("[]", "message"),
        ("null", "message"),
        ("[" * 5000, "message"),
        ('{"type":"nonsense"}', "message"),
        ('{"version":1}', "message"),
        ('{"type":"hello"}', "hello.version"),
        ('{"type":"hello","version":"1"}', "hello.version"),
        ('{"type":"hello","version":1,"more":2}', "hello.more"),
        ('{"type":"go_to","group":"boom","length":NaN}', "go_to.length"),
        ('{"type":"go_to","group":"","length":1}', "go_to.group"),
        ('{"type":"time_scale","scale":5}', "time_scale.scale"),
        ('{"type":"step","count":0}', "step.count"),
        ('{"type":"rewind","time":-1}', "rewind.time"),
        ('{"type":"rewind","time":1e307}', "rewind.time"),
        ('{"type":"rewind","time":1e999}', "rewind.time"),
        ('{"type":"ping","sent":-1e300}', "ping.sent"),
        ('{"type":"reach","link":"l","position":[0,0,1e9]}', "reach.position.2"),
        ('{"type":"spin_motor","motor":"m","speed":1.01}', "spin_motor.speed"),
        ('{"type":"set_physics","gravity":-1}', "set_physics.gravity"),
        ('{"type":"levers","levers":{"a":2},"age":0,"present":true,"sent":0}', "levers.levers.a"),
        ('{"type":"levers","levers":{},"age":-1,"present":true,"sent":0}', "levers.age"),
        ('{"type":"levers","levers":{},"age":0,"present":1,"sent":0}', "levers.present"),
    ],
)
def test_wrong_messages_are_refused_with_their_place(text, place):
    with pytest.raises(ProtocolError) as caught:
        read(text)
    assert str(caught.value).startswith(f"{place}: found ")


def test_all_faults_are_told_at_once():
    with pytest.raises(ProtocolError) as caught:
        read('{"type":"levers","levers":{"a":2},"age":-1,"present":0,"sent":"x","y":1}')
    assert str(caught.value).count("found") == 5


def test_error_does_not_repeat_a_long_message():
    with pytest.raises(ProtocolError) as caught:
        read(json.dumps({"type": "choose_machine", "name": "x" * 10_000}))
    assert len(str(caught.value)) < 300


def test_message_that_is_too_large():
    with pytest.raises(ProtocolError, match="expected at most 65536"):
        read(" " * (LARGEST_MESSAGE + 1))


def test_what_is_not_finite_is_never_sent():
    assert json.loads(write(Refused("ping", "ü"))) == {
        "about": "ping", "text": "ü", "type": "refused",
    }  # fmt: skip
    with pytest.raises(ValueError, match="JSON"):
        write(Pong(math.nan))


def test_status_has_no_default():
    """So that a field that is forgotten is an error."""
    wanting = [f.name for f in dataclasses.fields(Status) if f.default is dataclasses.MISSING]
    assert len(wanting) == len(dataclasses.fields(Status)) - 1


def test_every_number_of_every_message_has_bounds():
    def numbers(schema, place):
        if isinstance(schema, dict):
            if schema.get("type") in ("number", "integer"):
                yield place, schema
            for key, part in schema.items():
                yield from numbers(part, f"{place}.{key}")
        elif isinstance(schema, list):
            for n, part in enumerate(schema):
                yield from numbers(part, f"{place}.{n}")

    found = dict(numbers(TypeAdapter(up.Up).json_schema(), ""))
    assert len(found) > 15
    assert [place for place, s in found.items() if not {"minimum", "maximum"} <= s.keys()] == []


def test_a_few_problems_are_told_and_the_others_counted():
    levers = {f"lever {n}": "far" for n in range(11)}
    text = json.dumps({"type": "levers", "levers": levers, "age": 0.0, "present": True, "sent": 0})
    with pytest.raises(ProtocolError) as caught:
        read(text)
    told = str(caught.value).split("; ")
    assert len(told) == 9
    assert told[-1] == "and 3 more"
