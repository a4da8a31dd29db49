/** The film's controls: scrub, play, step, speed; and the other run beside it. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { clock, fixed, words as plain } from "../../panels/format";
import { put } from "../../panels/group";
import { pauseIcon, playIcon, restartIcon, stepIcon } from "../../panels/icons";
import { part, scaleToSlider, sliderToScale } from "../../panels/scales";
import { theme } from "../../panels/theme";
import type { MachineInfo } from "../../protocol/generated";
import { words } from "../../text/tools/record";
import { toolStyles } from "../tool";
import type { Item } from "./api";
import { differences, type Screening } from "./screening";

@customElement("hf-film")
export class FilmPart extends LitElement {
  @property({ attribute: false }) screening!: Screening;
  @property({ attribute: false }) machine!: MachineInfo;
  /** Recordings to compare with. */
  @property({ attribute: false }) others: readonly Item[] = [];

  private dragging = false;

  /** Show where the film is; called ten times a second. */
  paint(): void {
    if (!this.hasUpdated) return;
    const { player, shown } = this.screening;
    put(this.at(".now"), clock(player.time));
    put(this.at(".tick"), String(this.screening.index + 1));
    put(this.at(".simulated"), shown ? `${fixed(shown.time, 2)} s` : "–");
    const bar = this.at<HTMLInputElement>(".scrub");
    if (bar && !this.dragging) bar.value = String(player.time);
    bar?.setAttribute("aria-valuetext", clock(player.time));
    bar?.style.setProperty("--part", part(player.time, 0, player.seconds).toFixed(4));
    const play = this.at(".play");
    if (play && play.dataset["playing"] !== String(player.playing)) this.requestUpdate();
    this.paintDifferences();
  }

  private paintDifferences(): void {
    const { shown, beside } = this.screening;
    if (!shown || !beside) return;
    const found = differences(shown, beside);
    const rows = this.renderRoot.querySelectorAll<HTMLElement>("tbody tr");
    const worst = Math.max(0, ...found.map(Math.abs));
    rows.forEach((row, i) => {
      const cells = row.querySelectorAll<HTMLElement>("td");
      put(cells[0]!, fixed(1e3 * (shown.lengths[i] ?? NaN), 1));
      put(cells[1]!, fixed(1e3 * (beside.lengths[i] ?? NaN), 1));
      put(cells[2]!, fixed(1e3 * found[i]!, 1));
      row.toggleAttribute("data-worst", worst > 5e-5 && Math.abs(found[i]!) === worst);
    });
    put(this.at(".worst"), `${fixed(1e3 * worst, 1)} mm`);
  }

  private at<E extends HTMLElement>(selector: string): E | null {
    return this.renderRoot.querySelector<E>(selector);
  }

  override render(): TemplateResult {
    const { film, player } = this.screening;
    const { facts } = film;
    return html`<div class="head">
        <b data-testid="film-name">${facts.name}</b>
        <button data-testid="film-live" @click=${() => this.dispatchEvent(new CustomEvent("live"))}>
          ${words.live}
        </button>
      </div>
      <div class="film">
        <b class="now" data-testid="film-time">0:00</b>
        <input
          class="scrub"
          type="range"
          min="0"
          max=${String(player.seconds)}
          step="any"
          value="0"
          data-testid="film-scrub"
          aria-label=${words.position}
          @input=${(event: Event) => {
            this.dragging = true;
            player.pause();
            player.seek((event.target as HTMLInputElement).valueAsNumber);
          }}
          @change=${() => (this.dragging = false)}
          @pointerup=${() => (this.dragging = false)}
          @pointercancel=${() => (this.dragging = false)}
        />
        <span class="dim" data-testid="film-length">${clock(player.seconds)}</span>
      </div>
      <div class="row">
        <div class="segments">
          ${this.button("film-start", words.start, restartIcon, () => this.seekStart())}
          ${this.button("film-back", words.back, stepIcon, () => this.step(-1), "back")}
          <button
            class="square play primary"
            data-testid="film-play"
            data-playing=${String(player.playing)}
            aria-label=${player.playing ? words.pause : words.play}
            title=${player.playing ? words.pause : words.play}
            @click=${this.toggle}
          >
            <svg viewBox="0 0 24 24">${player.playing ? pauseIcon : playIcon}</svg>
          </button>
          ${this.button("film-forward", words.forward, stepIcon, () => this.step(1))}
        </div>
        <label class="speed">
          <span class="dim">${words.speed}</span>
          <input
            type="range"
            min="0"
            max="1"
            step="0.005"
            .value=${String(scaleToSlider(player.speed))}
            data-testid="film-speed"
            aria-valuetext="${fixed(player.speed, 2)}×"
            @input=${(event: Event) => {
              player.speed = sliderToScale((event.target as HTMLInputElement).valueAsNumber);
              this.requestUpdate();
            }}
          />
          <span data-testid="film-pace">${fixed(player.speed, 2)}×</span>
        </label>
      </div>
      <dl class="figures">
        <dt>${words.simulated}</dt>
        <dd class="simulated" data-testid="film-simulated">–</dd>
        <dt>${words.physics}</dt>
        <dd>${facts.dynamics ? `${words.dynamics} (${facts.formulation})` : words.kinematics}</dd>
        <dt>${words.tick}</dt>
        <dd><span class="tick" data-testid="film-tick">1</span> / ${facts.count}</dd>
      </dl>
      ${this.renderEnd()} ${this.renderCompare()}`;
  }

  private renderEnd(): TemplateResult | typeof nothing {
    const { whole, too_long: tooLong } = this.screening.film.facts;
    if (whole) return nothing;
    const said = tooLong ? words.tooLong : words.cutHere;
    return html`<p class="warning" data-testid="film-cut">${said}</p>`;
  }

  private renderCompare(): TemplateResult {
    const { other } = this.screening;
    return html`<label>
        <span class="caption">${words.compare}</span>
        <select
          data-testid="film-compare"
          @change=${(event: Event) =>
            this.dispatchEvent(
              new CustomEvent("compare", { detail: (event.target as HTMLSelectElement).value }),
            )}
        >
          <option value="" ?selected=${!other}>${words.nothing}</option>
          ${this.others.map(
            ({ name }) =>
              html`<option value=${name} ?selected=${other?.facts.name === name}>${name}</option>`,
          )}
        </select>
      </label>
      ${other ? this.renderDifferences() : nothing}`;
  }

  private renderDifferences(): TemplateResult {
    return html`<p class="dim">${words.ghost}</p>
      <table data-testid="film-differences">
        <thead>
          <tr>
            <th scope="col">${words.cylinder}</th>
            <th scope="col">${words.here}</th>
            <th scope="col">${words.there}</th>
            <th scope="col">${words.difference}</th>
          </tr>
        </thead>
        <tbody>
          ${this.machine.cylinders.map(
            ({ name }) =>
              html`<tr>
                <th scope="row">${plain(name)}</th>
                <td></td>
                <td></td>
                <td></td>
              </tr>`,
          )}
        </tbody>
      </table>
      <dl class="figures">
        <dt>${words.largest}</dt>
        <dd class="worst" data-testid="film-worst">–</dd>
      </dl>`;
  }

  private button(
    id: string,
    label: string,
    icon: TemplateResult | typeof stepIcon,
    act: () => void,
    kind = "",
  ): TemplateResult {
    return html`<button
      class="square ${kind}"
      data-testid=${id}
      aria-label=${label}
      title=${label}
      @click=${act}
    >
      <svg viewBox="0 0 24 24">${icon}</svg>
    </button>`;
  }

  private readonly toggle = (): void => {
    const { player } = this.screening;
    if (player.playing) player.pause();
    else player.play();
    this.requestUpdate();
  };

  private seekStart(): void {
    this.screening.player.seek(0);
    this.paint();
  }

  private step(ticks: number): void {
    this.screening.step(ticks);
    this.paint();
    this.requestUpdate();
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      .head {
        display: flex;
        justify-content: space-between;
        align-items: center;
        gap: 0.5rem;
        overflow-wrap: anywhere;
      }
      .film {
        display: grid;
        grid-template-columns: 4rem 1fr auto;
        align-items: center;
        gap: 0.5rem;
      }
      .scrub {
        --part: 0;
        width: 100%;
      }
      input.scrub[type="range"]::-webkit-slider-runnable-track {
        background: linear-gradient(
          90deg,
          var(--accent) calc(var(--part) * 100%),
          var(--line-2) calc(var(--part) * 100%)
        );
      }
      input.scrub[type="range"]::-moz-range-track {
        background: linear-gradient(
          90deg,
          var(--accent) calc(var(--part) * 100%),
          var(--line-2) calc(var(--part) * 100%)
        );
      }
      .back svg {
        transform: scaleX(-1);
      }
      .speed {
        display: grid;
        grid-template-columns: auto 1fr 3.2rem;
        align-items: center;
        gap: 0.5rem;
        flex: 1;
      }
      .speed span:last-child {
        text-align: right;
      }
      select {
        width: 100%;
      }
      table {
        border-collapse: collapse;
        font-size: 0.92rem;
      }
      th,
      td {
        padding: 0.15rem 0.3rem;
        text-align: right;
        border-bottom: 1px solid var(--line);
      }
      th:first-child {
        text-align: left;
        font-weight: 400;
        overflow-wrap: anywhere;
      }
      thead th {
        color: var(--dim);
        font-weight: 400;
      }
      tr[data-worst] td:last-child {
        color: var(--accent);
        font-weight: 700;
      }
    `,
  ];
}
