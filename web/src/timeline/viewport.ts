/**
 * The moving window over the timeline: which rows are drawn, and that what the user reads does not
 * move. At the bottom it follows; elsewhere it holds on to the first visible row, whatever grows
 * above it. It refuses to know what a row shows.
 */

import { signal, type ReadonlySignal } from "@preact/signals";
import { indexOfRow } from "../store/look-up";
import type { Row } from "../store/state";
import { Geometry } from "./geometry";

/** Rows drawn beyond what is seen, above and below, in pixels. */
const OVERSCAN = 700;
/** Nearer to the end than this, the user is at the end. */
const AT_END = 24;
/** Nearer to the beginning than this, older events are wanted. */
const NEAR_START = 1600;

/** The rows that are drawn, from `start` up to but without `end`. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** What the window holds on to: a row, and how far its upper edge is above the visible part. */
interface Anchor {
  readonly row: Row;
  readonly above: number;
}

interface Parts {
  readonly scroller: HTMLElement;
  readonly before: HTMLElement;
  readonly after: HTMLElement;
}

export class Viewport {
  private readonly geometry: Geometry;
  private rows: readonly Row[] = [];
  private parts: Parts | null = null;
  private anchor: Anchor | null = null;
  private drawn: Window = { start: 0, end: 0 };
  /** Where the timeline stood when we last looked or put it. */
  private lastTop = 0;
  private readonly follows = signal(true);
  /** The order of the last row that the user has had before the eyes. */
  private readonly seen = signal(0);
  private readonly observer = new ResizeObserver(() => this.settle());

  constructor(
    estimate: (row: Row) => number,
    /** Space above the first row, in pixels. */
    private readonly lead: number,
    private readonly redraw: () => void,
    private readonly wantOlder: () => void,
  ) {
    this.geometry = new Geometry(estimate);
  }

  get following(): ReadonlySignal<boolean> {
    return this.follows;
  }

  get seenOrder(): ReadonlySignal<number> {
    return this.seen;
  }

  attach(parts: Parts): () => void {
    this.parts = parts;
    this.observer.observe(parts.scroller);
    return () => {
      this.observer.disconnect();
      this.parts = null;
    };
  }

  /** Watches a drawn row for its height. */
  watch(element: HTMLElement): () => void {
    this.observer.observe(element);
    return () => this.observer.unobserve(element);
  }

  /** Takes over the rows and says which of them to draw. */
  window(rows: readonly Row[]): Window {
    this.notice();
    this.rows = rows;
    this.geometry.setRows(rows);
    this.drawn = this.windowAt(this.target());
    return this.drawn;
  }

  /** After every drawing and every change of height: measures, and puts the visible part back. */
  settle(): void {
    const { parts } = this;
    if (parts === null) return;
    this.notice();
    let index = this.drawn.start;
    for (
      let element = parts.before.nextElementSibling;
      element !== null && element !== parts.after;
      element = element.nextElementSibling
    ) {
      this.geometry.measure(index, element.getBoundingClientRect().height);
      index += 1;
    }
    parts.before.style.height = `${this.geometry.top(this.drawn.start)}px`;
    parts.after.style.height = `${this.geometry.total - this.geometry.top(this.drawn.end)}px`;
    const target = this.target();
    if (Math.abs(parts.scroller.scrollTop - target) > 0.5) parts.scroller.scrollTop = target;
    this.lastTop = parts.scroller.scrollTop;
    if (this.follows.peek()) this.seen.value = this.rows.at(-1)?.order ?? 0;
    this.redrawIfMoved(target);
    this.askForOlder(target);
  }

  /** After the user has scrolled. */
  scrolled(): void {
    this.notice();
    this.redrawIfMoved(this.lastTop);
    this.askForOlder(this.lastTop);
  }

  toEnd(): void {
    this.follows.value = true;
    this.redraw();
  }

  /** Brings a row into view, unless it is wholly visible already. */
  reveal(row: Row): void {
    const { parts } = this;
    const index = indexOfRow(this.rows, row.id, row.order);
    if (parts === null || index < 0) return;
    const { scrollTop, clientHeight } = parts.scroller;
    const top = this.lead + this.geometry.top(index);
    const bottom = this.lead + this.geometry.top(index + 1);
    if (top >= scrollTop && bottom <= scrollTop + clientHeight) return;
    const fits = bottom - top < clientHeight;
    const below = top > scrollTop;
    this.follows.value = false;
    this.anchor = { row, above: below && fits ? bottom - top - clientHeight + MARGIN : -MARGIN };
    this.redraw();
  }

  /**
   * Takes over where the user has scrolled to. The browser tells of it only with the next frame: what
   * is drawn before that must not put the timeline back.
   */
  private notice(): void {
    if (this.parts === null) return;
    const { scrollTop, clientHeight, scrollHeight } = this.parts.scroller;
    if (Math.abs(scrollTop - this.lastTop) < 1) return;
    const atEnd = scrollHeight - clientHeight - scrollTop < AT_END;
    this.lastTop = scrollTop;
    this.hold(scrollTop);
    if (atEnd !== this.follows.peek()) this.follows.value = atEnd;
    if (atEnd) this.seen.value = this.rows.at(-1)?.order ?? 0;
  }

  private hold(scrollTop: number): void {
    const index = this.geometry.at(scrollTop - this.lead);
    const row = this.rows[index];
    this.anchor = row === undefined ? null : { row, above: scrollTop - this.lead - this.geometry.top(index) };
  }

  /** Where the visible part has to begin. */
  private target(): number {
    const height = this.parts?.scroller.clientHeight ?? innerHeight;
    const last = Math.max(0, this.lead + this.geometry.total + TAIL - height);
    if (this.follows.peek() || this.anchor === null) return last;
    const index = indexOfRow(this.rows, this.anchor.row.id, this.anchor.row.order);
    // A row that has found its true place is not the one to hold on to.
    if (index < 0) return this.parts?.scroller.scrollTop ?? last;
    return Math.max(0, Math.min(last, this.lead + this.geometry.top(index) + this.anchor.above));
  }

  private windowAt(scrollTop: number): Window {
    const height = this.parts?.scroller.clientHeight ?? innerHeight;
    const from = scrollTop - this.lead;
    return {
      start: this.geometry.at(from - OVERSCAN),
      end: Math.min(this.geometry.count, this.geometry.at(from + height + OVERSCAN) + 1),
    };
  }

  private redrawIfMoved(scrollTop: number): void {
    const wanted = this.windowAt(scrollTop);
    if (wanted.start === this.drawn.start && wanted.end === this.drawn.end) return;
    this.keepFocus(wanted);
    this.redraw();
  }

  /** The focus must not be lost with a row that leaves the window. */
  private keepFocus(wanted: Window): void {
    const row = document.activeElement?.closest<HTMLElement>("[data-row]");
    const id = row?.dataset["row"];
    if (id === undefined) return;
    const stays = this.rows.slice(wanted.start, wanted.end).some((other) => other.id === id);
    if (!stays) this.parts?.scroller.focus({ preventScroll: true });
  }

  private askForOlder(scrollTop: number): void {
    if (scrollTop < NEAR_START) this.wantOlder();
  }
}

const MARGIN = 12;
/** Space below the last row, in pixels; the style sheet has the same. */
const TAIL = 16;
