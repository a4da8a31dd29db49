/** The machine in a notebook's cell: the page's own picture, and a slider for every drive. */

import { html, render } from "lit";
import { degrees, words } from "./panels/format";
import type { Frame } from "./protocol/frame";
import type { MachineInfo, SceneInfo } from "./protocol/generated";
import { NoWebGL, View } from "./scene/view";
import { text } from "./text";
import { drives } from "./state/motors";
import { own } from "./state/own";

const HEIGHT = 420; // [px]
/** What a picture needs of a scene with one machine in the tunnel. */
const ALONE = { number: 0, environment: "tunnel", surroundings: {}, stands: [], driven: 0 };

/** What the kernel and the cell share. */
interface Traits {
  machine: MachineInfo;
  geometry: DataView;
  poses: DataView;
  lengths: Record<string, number>;
  problem: string;
}

interface Model {
  get<Name extends keyof Traits>(name: Name): Traits[Name];
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  save_changes(): void;
  on(event: string, heard: () => void): void;
  off(event: string, heard: () => void): void;
}

/** A cell: its picture, its sliders, and what ends it. */
class Cell {
  readonly canvas = document.createElement("canvas");
  readonly view: View | null;
  private readonly sliders = document.createElement("div");
  private readonly sizes: ResizeObserver;
  private running = 0;

  constructor(
    private readonly model: Model,
    private readonly place: HTMLElement,
  ) {
    this.canvas.style.cssText = `display:block;width:100%;height:${HEIGHT}px`;
    this.sliders.style.cssText =
      "display:grid;grid-template-columns:auto 1fr auto;gap:0.2rem 0.8rem;padding:0.5rem 0";
    place.append(this.canvas, this.sliders);
    this.view = this.makeView();
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.canvas);
    for (const name of ["lengths", "problem"]) model.on(`change:${name}`, this.draw);
    model.on("change:poses", this.move);
    this.draw();
    void this.load();
  }

  private makeView(): View | null {
    try {
      return new View(this.canvas, {
        reducedMotion: matchMedia("(prefers-reduced-motion: reduce)").matches,
      });
    } catch (error) {
      if (error instanceof NoWebGL) return null;
      throw error;
    }
  }

  private async load(): Promise<void> {
    if (!this.view) {
      this.canvas.replaceWith(document.createTextNode(text.noPictureDetail));
      return;
    }
    const shapes = new Blob([this.model.get("geometry") as BlobPart], {
      type: "model/gltf-binary",
    });
    const geometry = URL.createObjectURL(shapes);
    try {
      await this.view.load({
        ...ALONE,
        machine: this.model.get("machine"),
        geometry,
      } as unknown as SceneInfo);
    } finally {
      URL.revokeObjectURL(geometry);
    }
    this.fit();
    this.move();
    const picture = (now: number): void => {
      this.running = requestAnimationFrame(picture);
      this.view?.render(now);
    };
    this.running = requestAnimationFrame(picture);
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth > 0) this.view?.resize(clientWidth, clientHeight, devicePixelRatio);
  }

  /** Stand as the kernel says. */
  private readonly move = (): void => {
    const { buffer, byteOffset, byteLength } = this.model.get("poses");
    const poses = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
    const motors = new Float32Array(2 * this.model.get("machine").motors.length);
    this.view?.show({ scene: 0, unit: 0, poses, motors } as unknown as Frame);
  };

  private readonly draw = (): void => {
    const lengths = this.model.get("lengths");
    const problem = this.model.get("problem");
    render(
      html`${drives(this.model.get("machine")).map(({ name, lower, upper, turns }) => {
        const value = own(lengths, name) ?? lower;
        return html`<label for=${name}>${words(name)}</label>
          <input
            id=${name}
            type="range"
            min=${lower}
            max=${upper}
            step="any"
            .value=${String(value)}
            @input=${(event: Event) => this.set(name, event.target as HTMLInputElement)}
          />
          <span>${turns ? `${degrees(value)}°` : `${(1000 * value).toFixed(0)} mm`}</span>`;
      })}
      ${problem ? html`<p role="alert" style="grid-column:1/-1">${problem}</p>` : ""}`,
      this.sliders,
    );
  };

  private set(group: string, slider: HTMLInputElement): void {
    this.model.set("lengths", { ...this.model.get("lengths"), [group]: slider.valueAsNumber });
    this.model.save_changes();
  }

  dispose(): void {
    cancelAnimationFrame(this.running);
    this.sizes.disconnect();
    for (const name of ["lengths", "problem"]) this.model.off(`change:${name}`, this.draw);
    this.model.off("change:poses", this.move);
    this.view?.dispose();
    this.place.replaceChildren();
  }
}

export default {
  /** Draw a cell; gives back what ends it. */
  render({ model, el }: { model: Model; el: HTMLElement }): () => void {
    const cell = new Cell(model, el);
    Object.assign(el, { cell }); // for the console
    return () => cell.dispose();
  },
};
