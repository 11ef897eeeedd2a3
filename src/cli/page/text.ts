import { toText } from '../../receiver/read-json.js';
import { formatTime } from '../../receiver/render/describe-event.js';
import { makeInert } from '../../receiver/render/inert.js';

const MAX_LENGTH = 5000;

/** `12:01:33` */
export function clockOf(millis: number | undefined): string {
  return formatTime(millis).slice(0, 8);
}

/** The words of a search, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** A value of an event as text that fits on a page: line breaks stay, other control characters are made visible. */
export function show(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value, undefined, 2) : toText(value);
  const isLonger = text.length > MAX_LENGTH;
  const lines = text.slice(0, MAX_LENGTH).split('\n').map(makeInert);
  return `${lines.join('\n')}${isLonger ? `… (${text.length} characters; the raw event has all)` : ''}`;
}
