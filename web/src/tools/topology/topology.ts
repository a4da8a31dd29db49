/** The machine's graph at its three stages; a cylinder shows what it moves, here and in the picture. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Matrix4 } from "three";
import { fixed, words as plain } from "../../panels/format";
import { theme } from "../../panels/theme";
import type {
  GraphEdge,
  GraphNode,
  GraphSheet,
  ItepSheet,
  LitPart,
  TopologySheet,
} from "../../protocol/generated";
import { words } from "../../text/tools/topology";
import { linkMatrix } from "../poses";
import { Holder } from "../sheets";
import { ToolPart, toolStyles } from "../tool";
import { ACTUATORS, curve, DASHED, faded, ground, head, kindsOf, shortened } from "./drawing";
import { Pins } from "./pins";
import { topologyStyles } from "./styles";
import { own } from "../../state/own";

const STAGES = ["raw", "contracted", "iteps"] as const;
type Stage = (typeof STAGES)[number];
/** Colours of links in the picture. */
export const LIGHTS = {
  ground: "#8fa8bd",
  moves: "#39d06a",
  actuator: "#ff8c1a",
  locked: "#b5651d",
} as const;

const TALL = 34; // of a graph at most [rem]

/** Words in a graph: what kind, how large, about which place, turned by an angle [deg]. */
interface Words {
  kind: string;
  words: string;
  size: number;
  x: number;
  y: number;
  angle?: number;
}

@customElement("hf-topology")
export class TopologyPart extends ToolPart {
  @state() private stage: Stage = "raw";
  /** Groups by index; -1 is none. */
  @state() private pointed = -1;
  @state() private kept = -1;

  private scene = -1;
  private shown = -1;
  private pins: Pins | null = null;
  private readonly sheets = new Holder<TopologySheet>("topology", () => this.requestUpdate());
  private readonly matrix = new Matrix4();

  override connectedCallback(): void {
    super.connectedCallback();
    const { view } = this.bench;
    if (!view) return;
    const move = (): void => this.movePins();
    view.overlay.drawing.add(move);
    this.until(() => {
      view.overlay.drawing.delete(move);
      this.darken();
    });
  }

  protected override willUpdate(): void {
    const { scene } = this.bench.store.facts;
    if (!scene) return;
    if (scene.number !== this.scene) {
      this.scene = scene.number;
      this.pointed = this.kept = this.shown = -1;
      this.darken();
    }
    this.sheets.follow(scene.number);
  }

  /** The group that is looked at; in the third stage always one. */
  private get active(): number {
    const chosen = this.pointed >= 0 ? this.pointed : this.kept;
    if (chosen >= 0 || this.stage !== "iteps") return chosen;
    return (this.sheets.sheet?.iteps.length ?? 0) > 0 ? 0 : -1;
  }

  protected override updated(): void {
    if (this.active === this.shown) return;
    this.shown = this.active;
    this.darken();
    const { sheet } = this.sheets;
    const itep = sheet?.iteps[this.shown];
    const overlay = this.bench.view?.overlay;
    if (!sheet || !itep || !overlay) return;
    overlay.light(
      Object.fromEntries(Object.entries(itep.links).map(([link, lit]) => [link, LIGHTS[lit]])),
    );
    this.pins = new Pins(overlay, itep.pins, sheet.colors);
    this.movePins();
  }

  private darken(): void {
    this.bench.view?.overlay.light({});
    this.pins?.dispose();
    this.pins = null;
  }

  private movePins(): void {
    const { frame, facts } = this.bench.store;
    if (!this.pins || !frame || !facts.scene) return;
    const { links } = facts.scene.machine;
    this.pins.move((link) => linkMatrix(frame, links.indexOf(link), this.matrix));
  }

  // ------------------------------------------------------------------ hands

  private point(group: number): void {
    this.pointed = group;
  }

  private leave(group: number): void {
    if (this.pointed === group) this.pointed = -1;
  }

  private keep(group: number): void {
    this.kept = this.kept === group ? -1 : group;
    this.reveal("topology-detail");
  }

  private pressed(event: KeyboardEvent, group: number): void {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    this.keep(group);
  }

  // ---------------------------------------------------------------- drawing

  override render(): TemplateResult {
    const { sheet, failure } = this.sheets;
    if (!sheet)
      return html`<p class="dim" data-testid="topology-wait">
        ${failure ? words.failed(failure) : words.loading}
      </p>`;
    const itep = sheet.iteps[this.active] ?? null;
    const graph = this.stage === "iteps" ? (itep?.graph ?? sheet.contracted) : sheet[this.stage];
    const lit = itep && this.stage !== "iteps" ? itep[this.stage] : null;
    return html`<div class="segments" role="group" aria-label=${words.stageNames}>
        ${STAGES.map(
          (stage) =>
            html`<button
              data-testid="topology-stage-${stage}"
              aria-pressed=${this.stage === stage}
              @click=${() => (this.stage = stage)}
            >
              ${words.stages[stage]}
            </button>`,
        )}
      </div>
      <p class="dim" data-testid="topology-facts">${this.facts(sheet)}</p>
      ${this.renderGroups(sheet)} ${this.renderGraph(graph, lit, sheet)}
      <div class="detail" data-testid="topology-detail">
        ${itep ? this.renderItep(itep, sheet) : html`<p class="dim">${words.hint}</p>`}
      </div>
      ${this.renderLegend(graph, sheet)} ${itep ? this.renderFigures(itep) : nothing}`;
  }

  private facts(sheet: TopologySheet): string {
    const { links, joints, actuators } = sheet.counts;
    const parts = [words.counts(links ?? 0, joints ?? 0, actuators ?? 0)];
    if (this.stage !== "raw" && sheet.four_bars.length > 0)
      parts.push(words.fourBars(sheet.four_bars.length));
    if (sheet.leftover.length > 0) parts.push(words.leftover(sheet.leftover.length));
    return `${words.explained[this.stage]} ${parts.join(", ")}.`;
  }

  private renderGroups(sheet: TopologySheet): TemplateResult {
    if (sheet.iteps.length === 0) return html`<p>${words.none}</p>`;
    return html`<div class="groups" role="group" aria-label=${words.groups}>
      ${sheet.iteps.map(
        ({ group, type }, n) =>
          html`<button
            data-testid="topology-group-${group}"
            aria-pressed=${this.kept === n}
            ?data-active=${this.active === n}
            @pointerenter=${() => this.point(n)}
            @pointerleave=${() => this.leave(n)}
            @focus=${() => this.point(n)}
            @blur=${() => this.leave(n)}
            @click=${() => this.keep(n)}
          >
            ${badge(type, sheet)}
            <span>${plain(group)}</span>
          </button>`,
      )}
    </div>`;
  }

  private renderGraph(
    graph: GraphSheet,
    lit: LitPart | null,
    sheet: TopologySheet,
  ): TemplateResult {
    const dark = (part: readonly number[] | undefined, n: number): boolean =>
      part !== undefined && !part.includes(n);
    const [left, top, wide, high] = graph.box;
    return html`<div class="sheet">
      <div
        class="graph"
        .style=${`aspect-ratio: ${wide / high}; max-width: calc(${wide / high} * min(${TALL}rem, 46dvh))`}
      >
        <svg
          data-testid="topology-graph"
          viewBox=${graph.box.join(" ")}
          role="group"
          aria-label=${words.graph}
        >
          ${graph.hulls.map(
            (hull) =>
              svg`<polygon class="hull rim" ?data-faint=${hull.faint} points=${ground(hull, graph.nodes)}
              stroke-width=${2 * graph.radius + 22} />
            <polygon class="hull" ?data-faint=${hull.faint} points=${ground(hull, graph.nodes)}
              stroke-width=${2 * graph.radius + 19} />`,
          )}
          ${graph.edges.map((edge, n) => this.renderEdge(edge, dark(lit?.edges, n), sheet, graph))}
          ${graph.nodes.map((node, n) => this.renderNode(node, dark(lit?.nodes, n), graph))}
        </svg>
        ${this.wordsOf(graph, lit).map(
          ({ kind, words: shown, size, x, y, angle = 0 }) =>
            html`<span
              class="words ${kind}"
              .style=${`left: ${(100 * (x - left)) / wide}%; top: ${(100 * (y - top)) / high}%;
              font-size: ${(100 * size) / wide}cqw;
              transform: translate(-50%, -50%) rotate(${angle}deg)`}
              >${shown}</span
            >`,
        )}
      </div>
    </div>`;
  }

  /** What is written into the graph; nothing of what is dark stands out. */
  private wordsOf({ nodes, edges, hulls, fonts }: GraphSheet, lit: LitPart | null): Words[] {
    const found: Words[] = [];
    nodes.forEach((node, n) => {
      const dark = lit !== null && !lit.nodes.includes(n);
      const shade = node.faint || dark ? "quiet" : node.main ? "main" : "";
      const { number, name, x, y } = node;
      found.push({ kind: `number ${shade}`, words: String(number), size: fonts[0], x, y });
      if (name !== "")
        found.push({
          kind: `name ${shade}`,
          words: shortened(name),
          size: fonts[1],
          x: node.name_x,
          y: node.name_y,
        });
    });
    edges.forEach((edge, n) => {
      const dark = lit !== null && !lit.edges.includes(n);
      const cylinder = ACTUATORS.includes(edge.kind);
      // cylinders have their names always, joints while they are looked at
      const wanted = cylinder || (!edge.faint && (lit !== null || this.stage === "iteps"));
      if (!edge.label || dark || !wanted) return;
      found.push({
        kind: `label ${edge.kind}`,
        words: shortened(edge.label),
        size: cylinder ? fonts[2] : fonts[3],
        x: edge.label_x,
        y: edge.label_y,
        angle: edge.label_angle,
      });
    });
    for (const { name, x, y } of hulls)
      if (name) found.push({ kind: "hull-name", words: name, size: fonts[3], x, y });
    return found;
  }

  private renderEdge(
    edge: GraphEdge,
    dark: boolean,
    sheet: TopologySheet,
    { thick }: GraphSheet,
  ): SVGTemplateResult {
    const plainColor = own(sheet.colors, edge.kind) ?? "#888888";
    const color = edge.faint ? faded(plainColor) : plainColor;
    const path = curve(edge.line, edge.both);
    const width = edge.faint ? 0.65 * thick : thick;
    const driven = edge.group >= 0;
    const name = driven ? (sheet.iteps[edge.group]?.group ?? "") : edge.joint;
    return svg`<g class="edge" ?data-dark=${dark} ?data-faint=${edge.faint} data-kind=${edge.kind}
        data-group=${edge.group} data-name=${name}>
      <path class="line" d=${path} stroke=${color} stroke-width=${width} ?data-dashed=${DASHED.includes(edge.kind)} />
      <polygon points=${head(edge.line, "end")} fill=${color} />
      ${edge.both ? svg`<polygon points=${head(edge.line, "start")} fill=${color} />` : nothing}
      ${
        driven
          ? svg`<path class="hit" d=${path} tabindex="0" role="button" aria-label=${plain(name)}
              data-testid="topology-edge-${name}"
              aria-pressed=${this.kept === edge.group}
              @pointerenter=${() => this.point(edge.group)}
              @pointerleave=${() => this.leave(edge.group)}
              @focus=${() => this.point(edge.group)}
              @blur=${() => this.leave(edge.group)}
              @click=${() => this.keep(edge.group)}
              @keydown=${(event: KeyboardEvent) => this.pressed(event, edge.group)}
            ><title>${plain(name)}</title></path>`
          : svg`<path class="hit" d=${path}><title>${name}</title></path>`
      }
    </g>`;
  }

  private renderNode(node: GraphNode, dark: boolean, { radius }: GraphSheet): SVGTemplateResult {
    return svg`<g class="node" ?data-dark=${dark} ?data-faint=${node.faint} ?data-main=${node.main}
        data-name=${node.name || (node.links[0] ?? "")}>
      <circle cx=${node.x} cy=${node.y} r=${radius}><title>${node.links.join(", ")}</title></circle>
      ${node.marked ? svg`<circle class="ring" cx=${node.x} cy=${node.y} r=${0.79 * radius} />` : nothing}
    </g>`;
  }

  private renderLegend(graph: GraphSheet, sheet: TopologySheet): TemplateResult {
    const kinds = kindsOf(graph.edges, Object.keys(sheet.colors));
    const sample = (color: string, dashed = false, both = false): TemplateResult =>
      html`<svg viewBox="0 0 44 14" aria-hidden="true">
        <path class="line" d="M2,7H34" stroke=${color} ?data-dashed=${dashed} />
        <polygon points="42,7 29,2 29,12" fill=${color} />
        ${both ? svg`<polygon points="2,7 15,2 15,12" fill=${color} />` : nothing}
      </svg>`;
    const grey = faded(sheet.colors.fixed ?? "#9aa1a8");
    return html`<ul class="legend" aria-label=${words.legend} data-testid="topology-legend">
      ${kinds.map(
        (kind) =>
          html`<li>
            ${sample(own(sheet.colors, kind) ?? "", DASHED.includes(kind))}
            ${own(words.kinds, kind) ?? kind}
          </li>`,
      )}
      ${
        graph.edges.some(({ both, faint }) => both && !faint)
          ? html`<li>${sample(sheet.colors.revolute ?? "", false, true)} ${words.closes}</li>`
          : nothing
      }
      ${
        graph.hulls.length > 0
          ? html`<li>
              <svg viewBox="0 0 44 14" aria-hidden="true">
                <rect class="swatch" x="8" y="1" width="26" height="12" rx="4" />
              </svg>
              ${words.fourBar}
            </li>`
          : nothing
      }
      ${
        graph.nodes.some(({ marked }) => marked)
          ? html`<li>
              <svg viewBox="0 0 44 14" aria-hidden="true">
                <circle cx="22" cy="7" r="6.5" fill="#2b3a49" />
                <circle cx="22" cy="7" r="4.6" fill="none" stroke="white" stroke-width="1.2" />
              </svg>
              ${words.effector}
            </li>`
          : nothing
      }
      ${
        graph.edges.some(({ faint }) => faint)
          ? html`<li>${sample(grey)} ${this.stage === "iteps" ? words.rest : words.merged}</li>`
          : nothing
      }
    </ul>`;
  }

  private renderItep(itep: ItepSheet, sheet: TopologySheet): TemplateResult {
    const { equation } = itep;
    return html`<h3>
        ${badge(itep.type, sheet)}
        <span data-testid="topology-type">${plain(itep.group)} · ${words.type(itep.type)}</span>
        <span class="dim">${words.types[itep.type]}</span>
      </h3>
      <div class="equation" data-testid="topology-equation">
        ${equation.lines.map((line) => html`<div>${line}</div>`)}
      </div>
      ${itep.reason ? html`<p class="dim">${itep.reason}</p>` : nothing}`;
  }

  private renderFigures(itep: ItepSheet): TemplateResult {
    const { equation } = itep;
    const alone = itep.members.length === 1 && itep.members[0] === itep.group;
    return html`<p class="dim">${words.solvers[equation.solver]}</p>
      <dl class="figures" data-testid="topology-figures">
        ${equation.unknowns.map(
          ({ symbol, joint }) =>
            html`<dt class="symbol">${symbol}</dt>
              <dd>${plain(joint)}</dd>`,
        )}
        ${equation.figures.map(
          ({ symbol, value, unit }) =>
            html`<dt class="symbol">${symbol}</dt>
              <dd>${fixed(value, 4)} <span class="unit">${unit}</span></dd>`,
        )}
        ${
          itep.path.length > 0
            ? html`<dt>${words.path}</dt>
                <dd>${itep.path.map(plain).join(" – ")}</dd>`
            : nothing
        }
        ${
          itep.driving
            ? html`<dt>${words.drives}</dt>
                <dd>${plain(itep.driving)}</dd>`
            : nothing
        }
        ${
          itep.locked_by
            ? html`<dt>${words.closedBy}</dt>
                <dd>${words.locked(plain(itep.locked_by))}</dd>`
            : nothing
        }
        ${
          alone
            ? nothing
            : html`<dt>${words.members}</dt>
                <dd>${itep.members.map(plain).join(", ")}</dd>`
        }
      </dl>`;
  }

  static override styles = [theme, toolStyles, topologyStyles];
}

/** The letter of a type on its colour. */
function badge(type: string, { badges }: TopologySheet): TemplateResult {
  const color = own(badges, type) ?? "#77818c";
  return html`<span
    class="badge"
    role="img"
    aria-label=${words.type(type)}
    .style=${`background-color: ${darker(color)}`}
    >${type}</span
  >`;
}

/** A colour that white letters are read on. */
function darker(color: string): string {
  return `color-mix(in srgb, ${color}, #000 30%)`;
}
