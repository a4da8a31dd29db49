import { BoxGeometry, Group, Matrix4, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { InstancedMesh } from "three";
import { describe, expect, it } from "vitest";

import type { ThingInfo } from "../src/protocol/generated";
import { Outermost } from "../src/scene/framing";
import { addShown } from "../src/scene/outline";
import { Things } from "../src/scene/things";

const thing = (shape: number, x: number, fixed = false): ThingInfo => ({
  name: `t${x}`,
  shape,
  fixed,
  position: [x, 0, 0.5],
  quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
});

/** Two kinds: a cube, and a beam of two meshes. */
function model(): Group {
  const scene = new Group();
  const cube = new Mesh(new BoxGeometry(1, 1, 1));
  cube.userData.link = 0;
  const beam = new Group();
  beam.userData.link = 1;
  beam.add(new Mesh(new BoxGeometry(4, 0.2, 0.2)), new Mesh(new BoxGeometry(0.5, 0.5, 0.5)));
  scene.add(cube, beam);
  return scene;
}

const meshes = (things: Things): InstancedMesh[] => things.root.children as InstancedMesh[];

function placeOf(mesh: InstancedMesh, instance: number): Vector3 {
  const matrix = new Matrix4();
  mesh.getMatrixAt(instance, matrix);
  return new Vector3().setFromMatrixPosition(matrix);
}

describe("things", () => {
  const infos = [thing(0, 1), thing(1, 5, true), thing(0, 3)];

  it("draws all of a kind together, each where it is", () => {
    const things = new Things(infos, model(), new MeshBasicMaterial());
    expect(meshes(things).map(({ count }) => count)).toEqual([2, 1, 1]);
    const [cubes, beam] = meshes(things);
    expect(placeOf(cubes!, 0).x).toBe(1);
    expect(placeOf(cubes!, 1).x).toBe(3);
    expect(placeOf(beam!, 0).toArray()).toEqual([5, 0, 0.5]);
  });

  it("turns them as they are told", () => {
    const things = new Things(infos, model(), new MeshBasicMaterial());
    const outermost = new Outermost();
    things.root.updateMatrixWorld(true);
    addShown(things.root, outermost);
    const far = Math.max(...outermost.points.map(({ y }) => y));
    expect(far).toBeCloseTo(2, 6); // the beam of 4 m lies along y
  });

  it("moves one and leaves the others", () => {
    const things = new Things(infos, model(), new MeshBasicMaterial());
    things.move(2, new Vector3(7, 8, 9), new Quaternion());
    things.move(99, new Vector3(), new Quaternion());
    const [cubes] = meshes(things);
    expect(placeOf(cubes!, 1).toArray()).toEqual([7, 8, 9]);
    expect(placeOf(cubes!, 0).x).toBe(1);
    expect(things.matrixOf(2)!.slice(12, 15)).toEqual([7, 8, 9]);
    expect(things.matrixOf(99)).toBeNull();
  });

  it("leaves out a kind without any shape", () => {
    const things = new Things([thing(4, 0)], model(), new MeshBasicMaterial());
    expect(meshes(things)).toEqual([]);
  });
});
