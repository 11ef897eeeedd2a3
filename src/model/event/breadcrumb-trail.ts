import { createPrivateSlot } from '../../internal/collections/private-slot.js';
import { guardOwn } from '../../internal/guard.js';
import type { MeasuredJson } from '../../internal/values/json.js';
import type { Remembered } from '../../internal/values/normalize.js';
import type { Breadcrumb } from './breadcrumb.js';

/** A breadcrumb of a trail. */
export interface TrailEntry {
  readonly breadcrumb: Breadcrumb;
  /** The breadcrumb as events contain it; set by the first of them. */
  sent: SentBreadcrumb | undefined;
}

/** A breadcrumb as it is sent: cut to the limits of a client, with JSON values only. Never changes. */
export interface SentBreadcrumb extends Remembered<Breadcrumb> {
  /** Its JSON; set when it is first needed. */
  json: MeasuredJson | undefined;
}

/** An entry whose breadcrumb is made when it is first read. */
class LateEntry implements TrailEntry {
  sent: SentBreadcrumb | undefined = undefined;
  #create: (() => Breadcrumb) | undefined;
  #breadcrumb: Breadcrumb = {};

  constructor(create: () => Breadcrumb) {
    this.#create = create;
  }

  get breadcrumb(): Breadcrumb {
    const create = this.#create;
    if (create) {
      this.#create = undefined;
      this.#breadcrumb = guardOwn('a breadcrumb', create, this.#breadcrumb);
    }
    return this.#breadcrumb;
  }
}

const entries = createPrivateSlot<readonly TrailEntry[]>();

/** The normalized form of a list that {@link BreadcrumbTrail.sharedArray} returned; set by the first event that has it. */
export const sentLists = createPrivateSlot<Remembered<Breadcrumb[]>>();

/** The entries behind a list that {@link BreadcrumbTrail.toArray} returned; `undefined` for other lists. */
export function trailOf(list: readonly Breadcrumb[]): readonly TrailEntry[] | undefined {
  return entries.get(list);
}

/**
 * Breadcrumbs of a scope, as an immutable linked list: a forked scope shares the nodes, and adding one copies nothing.
 *
 * Each node is the trail that ends with its breadcrumb. Nodes beyond the limit stay linked until twice the limit is
 * stored. Then the visible nodes are copied, so that an append costs a constant amount on average.
 */
export class BreadcrumbTrail {
  static readonly EMPTY = new BreadcrumbTrail(undefined, undefined, 0, 0);

  /** For the next event, while no breadcrumb is added. */
  #shared: Breadcrumb[] | undefined;

  private constructor(
    /** Of the newest breadcrumb. */
    private readonly entry: TrailEntry | undefined,
    private readonly previous: BreadcrumbTrail | undefined,
    /** How many breadcrumbs are visible. */
    readonly length: number,
    private readonly stored: number,
  ) {}

  /** The newest breadcrumb. */
  get last(): Breadcrumb | undefined {
    return this.entry?.breadcrumb;
  }

  /** @param max maximum number of visible breadcrumbs in the new trail; positive */
  append(breadcrumb: Breadcrumb, max: number): BreadcrumbTrail {
    return this.#append({ breadcrumb, sent: undefined }, max);
  }

  /**
   * Like `append`, for a breadcrumb that takes long to make: most of them make room for newer ones before anybody reads them.
   *
   * @param create called once at most
   */
  appendLate(create: () => Breadcrumb, max: number): BreadcrumbTrail {
    return this.#append(new LateEntry(create), max);
  }

  #append(entry: TrailEntry, max: number): BreadcrumbTrail {
    this.#shared = undefined;
    const base = this.stored >= 2 * max ? BreadcrumbTrail.#link(this.#entries(max - 1)) : this;
    return new BreadcrumbTrail(entry, base, Math.min(base.length + 1, max), base.stored + 1);
  }

  /** The newest `max` breadcrumbs, oldest first; without `max` all of them. */
  toArray(max?: number): Breadcrumb[] {
    const own = this.#entries(max);
    const list = own.map(({ breadcrumb }) => breadcrumb);
    entries.set(list, own);
    return list;
  }

  /** Like `toArray`, but returns the same list to several events, so that it must not be changed. */
  sharedArray(max: number): Breadcrumb[] {
    if (this.#shared?.length !== Math.min(this.length, max)) this.#shared = this.toArray(max);
    return this.#shared!;
  }

  /**
   * With the breadcrumbs of another trail that this one lacks, by time.
   *
   * @param max maximum number of visible breadcrumbs in the new trail, unless one of the two shows more
   * @returns this trail if it lacks none
   */
  mergeWith(other: BreadcrumbTrail, max: number): BreadcrumbTrail {
    const own = this.toArray();
    const isOwn = new Set(own);
    const added = other.toArray().filter((one) => !isOwn.has(one));
    if (added.length === 0) return this;
    const all = [...own, ...added].sort((one, another) => (one.timestamp ?? 0) - (another.timestamp ?? 0));
    const limit = Math.max(max, this.length, other.length);
    return all.reduce((trail, one) => trail.append(one, limit), BreadcrumbTrail.EMPTY);
  }

  #entries(max = this.length): TrailEntry[] {
    const length = Math.min(this.length, Math.max(max, 0));
    const result = new Array<TrailEntry>(length);
    let node: BreadcrumbTrail = this;
    for (let i = length - 1; i >= 0; i--) {
      result[i] = node.entry!;
      node = node.previous!;
    }
    return result;
  }

  static #link(own: readonly TrailEntry[]): BreadcrumbTrail {
    let trail = BreadcrumbTrail.EMPTY;
    for (const entry of own) trail = new BreadcrumbTrail(entry, trail, trail.length + 1, trail.stored + 1);
    return trail;
  }
}
