import { BoxGeometry, Group, Matrix4, Mesh, MeshStandardMaterial, PerspectiveCamera } from "three";
import { describe, expect, it } from "vitest";
import { Machine } from "../src/scene/machine";
import { Overlay } from "../src/scene/overlay";
import { machineOf } from "./machines";

const POSES = new Float32Array([0, 0, 0, 1, 0, 0, 0, 5, 1, 0, 1, 0, 0, 0]);

/** A machine of two boxes, one at the origin and one at (5, 1, 0). */
function twoBoxes(): Machine {
  const model = new Group();
  for (const link of [0, 1]) {
    const box = new Mesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial());
    box.userData.link = link;
    model.add(box);
  }
  const info = { ...machineOf("", [], 0), links: ["base", "arm"] };
  const machine = new Machine(info, model, new MeshStandardMaterial());
  machine.show(POSES);
  machine.root.updateMatrixWorld(true);
  return machine;
}

/** An overlay of a window of 200 by 100 pixels, seen from y = -10 along y. */
function overlayOf(machine: Machine): Overlay {
  const camera = new PerspectiveCamera(60, 2, 0.1, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(5, -10, 0);
  camera.lookAt(5, 0, 0);
  camera.updateMatrixWorld();
  const box = { left: 0, top: 0, width: 200, height: 100 };
  const canvas = { getBoundingClientRect: () => box } as unknown as HTMLCanvasElement;
  const overlay = new Overlay(canvas, camera);
  overlay.follow(machine);
  return overlay;
}

describe("overlay", () => {
  it("tells which link is pointed at, and where", () => {
    const picked = overlayOf(twoBoxes()).pick(100, 50);
    expect(picked?.link).toBe("arm");
    expect(picked?.point[0]).toBeCloseTo(5, 6);
    expect(picked?.point[1]).toBeCloseTo(0.5, 6);
    expect(overlayOf(twoBoxes()).pick(199, 1)).toBeNull();
  });

  it("lights links, which are picked all the same, and puts the light out", () => {
    const machine = twoBoxes();
    const overlay = overlayOf(machine);
    overlay.light({ arm: "#ff0000", nothing: "#00ff00" });
    expect(overlay.lights).toEqual(["arm"]);
    expect(overlay.pick(100, 50)?.link).toBe("arm");
    const count = (): number => {
      let meshes = 0;
      machine.root.traverse((part) => (meshes += part instanceof Mesh ? 1 : 0));
      return meshes;
    };
    expect(count()).toBe(3);
    overlay.light({});
    expect(count()).toBe(2);
  });

  it("shows ghosts where they are put, without what is lit", () => {
    const machine = twoBoxes();
    const overlay = overlayOf(machine);
    overlay.light({ arm: "#ff0000" });
    const ghost = overlay.ghost("#ffffff", ["arm"])!;
    const moved = new Float32Array(POSES);
    moved[9] = 3;
    expect(ghost.show(moved)).toBe(true);
    expect(ghost.show(new Float32Array(7))).toBe(false);
    const arm = overlay.group.getObjectByName("ghost arm")!;
    expect(arm.children).toHaveLength(1);
    expect(new Matrix4().copy(arm.matrix).elements.slice(12, 15)).toEqual([5, 1, 3]);
    ghost.dispose();
    expect(overlay.group.children).toHaveLength(0);
  });

  it("forgets everything with the machine", () => {
    const overlay = overlayOf(twoBoxes());
    overlay.light({ base: "#ff0000" });
    overlay.follow(null);
    expect(overlay.lights).toEqual([]);
    expect(overlay.pick(100, 50)).toBeNull();
    expect(overlay.ghost("#ffffff")).toBeNull();
  });
});
