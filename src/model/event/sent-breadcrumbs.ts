import { joinList, stringify } from '../../internal/values/json.js';
import { readProperty } from '../../internal/values/read.js';
import type { Breadcrumb } from './breadcrumb.js';
import type { SentBreadcrumb } from './breadcrumb-trail.js';
import { isShared, shareLarge, sizeOfShared, stringifyPart } from './shared-parts.js';

/** The breadcrumbs of an event as one shared part; the JSON of each is kept for later events. */
export function shareBreadcrumbs(sent: readonly SentBreadcrumb[]): Breadcrumb[] {
  const list = sent.map(({ breadcrumb }) => breadcrumb);
  let size = 0;
  for (const one of sent) size += one.size + (one.breadcrumb.message?.length ?? 0);
  return shareLarge(list, size, () => joinList(sent, stringifyOnce));
}

function stringifyOnce(sent: SentBreadcrumb): string {
  sent.json ??= stringify(withKnownLevel(sent.breadcrumb));
  return sent.json;
}

/** The list with `info` in place of the level `log`, because not every server knows `log`. */
export function withKnownLevels(breadcrumbs: Breadcrumb[]): Breadcrumb[] {
  const list = breadcrumbs.map(withKnownLevel);
  return isShared(breadcrumbs) ? shareLarge(list, sizeOfShared(breadcrumbs), () => stringifyPart(breadcrumbs)) : list;
}

function withKnownLevel(breadcrumb: Breadcrumb): Breadcrumb {
  return readProperty(breadcrumb, 'level') === 'log' ? { ...breadcrumb, level: 'info' } : breadcrumb;
}
