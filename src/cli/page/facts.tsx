import type { ComponentChildren } from 'preact';
import { toObject } from '../../receiver/read-json.js';
import { show } from './text.js';

const MAX_FACTS = 200;

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Names and values; nothing when there are none. */
export function Facts({ title, values }: { title: string; values: unknown }) {
  const facts = Object.entries(toObject(values)).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (facts.length === 0) return null;
  return (
    <Section title={title}>
      <FactTable facts={facts} />
    </Section>
  );
}

export function FactTable({ facts }: { facts: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl class="facts">
      {facts.slice(0, MAX_FACTS).map(([name, value]) => (
        <div key={name}>
          <dt>{show(name)}</dt>
          <dd>{show(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
