import { createPrivateSlot } from '../../internal/collections/private-slot.js';
import { joinList, type MeasuredJson, measure, stringify } from '../../internal/values/json.js';
import { readProperty } from '../../internal/values/read.js';
import type { Breadcrumb } from './breadcrumb.js';
import type { SentBreadcrumb } from './breadcrumb-trail.js';
import { isShared, shareLarge, sizeOfShared, stringifyPart } from './shared-parts.js';

/** The breadcrumbs of an event as one shared part; the JSON of each is kept for later events. */
export function shareBreadcrumbs(sent: readonly SentBreadcrumb[]): Breadcrumb[] {
  const list = sent.map(({ value }) => value);
  let size = 0;
  for (const one of sent) size += one.size + (one.value.message?.length ?? 0);
  // Measured as a whole, which makes V8 join the text once for all events.
  return shareLarge(list, size, () => measure(joinList(sent, stringifyOnce).text));
}

function stringifyOnce(sent: SentBreadcrumb): MeasuredJson {
  sent.json ??= measure(stringify(withKnownLevel(sent.value)));
  return sent.json;
}

const known = createPrivateSlot<Breadcrumb[]>();

/** The list with `info` in place of the level `log`, because not every server knows `log`. */
export function withKnownLevels(breadcrumbs: Breadcrumb[]): Breadcrumb[] {
  if (!isShared(breadcrumbs)) return breadcrumbs.map(withKnownLevel);
  const ofEarlierEvent = known.get(breadcrumbs);
  if (ofEarlierEvent) return ofEarlierEvent;
  const list = breadcrumbs.map(withKnownLevel);
  known.set(breadcrumbs, list);
  return shareLarge(list, sizeOfShared(breadcrumbs), () => stringifyPart(breadcrumbs));
}

function withKnownLevel(breadcrumb: Breadcrumb): Breadcrumb {
  return readProperty(breadcrumb, 'level') === 'log' ? { ...breadcrumb, level: 'info' } : breadcrumb;
}
