import type { Breadcrumb } from './breadcrumb.js';

/**
 * Breadcrumbs of a scope, as an immutable linked list: a forked scope shares the nodes, and adding one copies nothing.
 *
 * Each node is the trail that ends with its breadcrumb. Nodes beyond the limit stay linked until twice the limit is
 * stored. Then the visible nodes are copied, so that an append costs a constant amount on average.
 */
export class BreadcrumbTrail {
  static readonly EMPTY = new BreadcrumbTrail(undefined, undefined, 0, 0);

  private constructor(
    /** The newest breadcrumb. */
    readonly last: Breadcrumb | undefined,
    private readonly previous: BreadcrumbTrail | undefined,
    /** How many breadcrumbs are visible. */
    readonly length: number,
    private readonly stored: number,
  ) {}

  /** @param max maximum number of visible breadcrumbs in the new trail; positive */
  append(breadcrumb: Breadcrumb, max: number): BreadcrumbTrail {
    const base = this.stored >= 2 * max ? BreadcrumbTrail.#link(this.toArray().slice(1 - max || Infinity)) : this;
    return new BreadcrumbTrail(breadcrumb, base, Math.min(base.length + 1, max), base.stored + 1);
  }

  /** The newest `max` breadcrumbs, oldest first; without `max` all of them. */
  toArray(max = this.length): Breadcrumb[] {
    const length = Math.min(this.length, Math.max(max, 0));
    const result = new Array<Breadcrumb>(length);
    let node: BreadcrumbTrail = this;
    for (let i = length - 1; i >= 0; i--) {
      result[i] = node.last!;
      node = node.previous!;
    }
    return result;
  }

  static #link(breadcrumbs: readonly Breadcrumb[]): BreadcrumbTrail {
    let trail = BreadcrumbTrail.EMPTY;
    for (const breadcrumb of breadcrumbs) {
      trail = new BreadcrumbTrail(breadcrumb, trail, trail.length + 1, trail.stored + 1);
    }
    return trail;
  }
}
