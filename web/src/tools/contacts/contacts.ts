/** What touches: marks and forces in the picture, the shapes that are touched, and a list. */

import { css, html, nothing, svg, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { words as plain } from "../../panels/format";
import { doneWith, theme } from "../../panels/theme";
import type { Frame } from "../../protocol/frame";
import { FLAGS, type SceneInfo } from "../../protocol/generated";
import { SLIDING, STICKING, touchesOf } from "../../scene/contacts";
import { words } from "../../text/tools/contacts";
import { ToolPart, toolStyles } from "../tool";
import { nameOf, newtons, pairsOf, type Pair } from "./pairs";

const LISTED = 8; // pairs

@customElement("hf-contacts")
export class ContactsPart extends ToolPart {
  @state() private problem = "";

  protected override paint(_frame: Frame): void {
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    const { scene } = this.bench.store.facts;
    if (!scene) return nothing;
    const { view } = this.bench;
    return html`<p class="dim">${view ? words.hint : words.noPicture}</p>
      <div class="row">
        ${this.check("marks", words.marks, view?.showsContacts ?? false, (on) =>
          view?.showContacts(on),
        )}
        ${this.check("shapes", words.shapes, view?.showsShapes ?? false, (on) => this.shapes(on))}
      </div>
      ${this.problem ? html`<p class="warning" role="alert">${this.problem}</p>` : nothing}
      ${this.renderLegend()} ${this.renderTouches(scene)}`;
  }

  private check(id: string, name: string, on: boolean, set: (on: boolean) => void): TemplateResult {
    return html`<label class="check">
      <input
        type="checkbox"
        data-testid="contacts-${id}"
        .checked=${on}
        ?disabled=${this.bench.view === null}
        @change=${(event: Event) => {
          set((event.target as HTMLInputElement).checked);
          doneWith(event.target);
          this.requestUpdate();
        }}
      />
      ${name}
    </label>`;
  }

  private shapes(on: boolean): void {
    this.problem = "";
    this.bench.view?.showShapes(on).catch((error: unknown) => {
      this.problem = words.failed(error instanceof Error ? error.message : String(error));
    });
  }

  private renderLegend(): TemplateResult {
    const marks = [
      [svg`<circle cx="8" cy="8" r="5" fill=${STICKING} />`, words.sticking],
      [svg`<path d="M8 2l6 6-6 6-6-6z" fill=${SLIDING} />`, words.sliding],
      [
        svg`<path d="M8 1l4 6H9v8H7V7H4z" fill="none" stroke="currentColor" stroke-width="1.4" />`,
        words.arrow,
      ],
      [
        svg`<path d="M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6" fill="none" stroke="#7dffb0" stroke-width="1.2" />`,
        words.edges,
      ],
    ] as const;
    return html`<section>
      <h3 class="caption">${words.legend}</h3>
      <ul class="legend" data-testid="contacts-legend">
        ${marks.map(
          ([mark, said]) =>
            html`<li><svg viewBox="0 0 16 16" aria-hidden="true">${mark}</svg>${said}</li>`,
        )}
      </ul>
    </section>`;
  }

  private renderTouches(scene: SceneInfo): TemplateResult {
    const frame = this.bench.store.seen;
    const touches = frame ? touchesOf(frame.contacts) : [];
    if (!frame || touches.length === 0) {
      const dynamic = ((frame?.flags ?? 0) & FLAGS.DYNAMICS) !== 0;
      const said = dynamic ? words.nothing : words.kinematic;
      return html`<p class="dim" data-testid="contacts-none">${said}</p>`;
    }
    const sliding = touches.filter(({ sticking }) => !sticking).length;
    const pairs = pairsOf(touches);
    return html`<dl class="figures">
        <dt>${words.count}</dt>
        <dd data-testid="contacts-count">${touches.length}</dd>
        <dt>${words.slide}</dt>
        <dd data-testid="contacts-sliding">${sliding}</dd>
        <dt>${words.strongest}</dt>
        <dd>${newtons(touches[0]!.force.length())}</dd>
      </dl>
      <table data-testid="contacts-list">
        <caption class="caption">
          ${words.list}
        </caption>
        <thead>
          <tr>
            <th scope="col">${words.of}</th>
            <th scope="col">${words.on}</th>
            <th scope="col">${words.force}</th>
            <th scope="col">${words.state}</th>
          </tr>
        </thead>
        <tbody>
          ${pairs.slice(0, LISTED).map((pair) => this.renderPair(pair, scene.members))}
        </tbody>
      </table>`;
  }

  private renderPair({ a, b, force, sliding }: Pair, members: readonly string[]): TemplateResult {
    const called = (member: number): string =>
      member === 0 ? words.ground : plain(nameOf(members, member));
    return html`<tr>
      <td>${called(b)}</td>
      <td>${called(a)}</td>
      <td class="number">${newtons(force)}</td>
      <td>${sliding ? words.slides : words.holds}</td>
    </tr>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      .check {
        display: flex;
        align-items: center;
        gap: 0.45rem;
        min-height: 2rem;
      }
      .legend {
        display: grid;
        gap: 0.3rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .legend li {
        display: grid;
        grid-template-columns: 1.3rem 1fr;
        align-items: center;
        gap: 0.5rem;
      }
      .legend svg {
        width: 1.2rem;
        height: 1.2rem;
        fill: none;
      }
      table {
        border-collapse: collapse;
        font-size: 0.92rem;
      }
      caption {
        text-align: left;
        padding-bottom: 0.3rem;
      }
      th,
      td {
        padding: 0.15rem 0.3rem;
        text-align: left;
        border-bottom: 1px solid var(--line);
        overflow-wrap: anywhere;
      }
      thead th {
        color: var(--dim);
        font-weight: 400;
      }
      .number {
        text-align: right;
        white-space: nowrap;
      }
    `,
  ];
}
