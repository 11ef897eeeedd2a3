import { toObject, toText } from '../../receiver/read-json.js';
import type { Json } from '../../receiver/received.js';
import {
  breadcrumbsOf,
  describeBreadcrumb,
  exceptionsIn,
  formatTime,
  isUnhandled,
  levelOf,
  messageOf,
  serviceOf,
  toMillis,
  traceOf,
} from '../../receiver/render/describe-event.js';
import type { Issue } from './collection.js';
import { useJson } from './connection.js';
import { Facts, Section } from './facts.jsx';
import { linkTo } from './route.js';
import { Stack } from './stack.jsx';
import { clockOf, show } from './text.js';
import { heightOf, type Trace, WaterfallView } from './waterfall.jsx';

const MAX_TRACE_ROWS = 12;

interface EventViewProps {
  readonly issue: Issue;
  readonly number: number;
  readonly folder: string;
}

export function EventView({ issue, number, folder }: EventViewProps) {
  const event = useJson<Json>(`/api/events/${number}`);
  if (event === undefined) return <p class="hint">Loading…</p>;
  if (event instanceof Error) return <p class="hint">{event.message}</p>;
  const exceptions = exceptionsIn(event);
  return (
    <article class="event">
      <Heading event={event} issue={issue} number={number} />
      {exceptions.map((exception, index) => (
        <Section key={index} title={index === 0 ? 'Stack' : 'Caused by'}>
          {index > 0 && <ExceptionTitle exception={exception} />}
          <Stack exception={exception} folder={folder} />
        </Section>
      ))}
      <TraceOfEvent event={event} />
      <Breadcrumbs event={event} />
      <Facts title="Tags" values={event['tags']} />
      <Facts title="Request" values={event['request']} />
      <Facts title="User" values={event['user']} />
      <Facts title="Extra" values={event['extra']} />
      {Object.entries(toObject(event['contexts']))
        .filter(([name]) => name !== 'trace')
        .map(([name, values]) => (
          <Facts key={name} title={show(name)} values={values} />
        ))}
    </article>
  );
}

function Heading({ event, issue, number }: { event: Json; issue: Issue; number: number }) {
  const [caught] = exceptionsIn(event);
  const level = levelOf(event);
  const chips = [serviceOf(event), event['transaction'], event['environment'], event['release']].map(toText);
  return (
    <header>
      <div class="event-nav">
        <span class={`badge level-${level}`}>{show(level)}</span>
        {isUnhandled(event) && <span class="badge unhandled">unhandled</span>}
        <span class="dim">{formatTime(toMillis(event['timestamp']))}</span>
        <span class="spacer" />
        <Neighbours issue={issue} number={number} />
        <a class="quiet" href={`/api/events/${number}`} target="_blank" rel="noreferrer">
          Raw event
        </a>
      </div>
      {caught ? (
        <ExceptionTitle exception={caught} isMain />
      ) : (
        <h1 class="message">{show(messageOf(event) || '(no message)')}</h1>
      )}
      <p class="chips">
        {chips
          .filter((chip) => chip !== '')
          .map((chip) => (
            <span key={chip} class="chip">
              {show(chip)}
            </span>
          ))}
      </p>
    </header>
  );
}

function ExceptionTitle({ exception, isMain = false }: { exception: Json; isMain?: boolean }) {
  const Title = isMain ? 'h1' : 'h3';
  return (
    <>
      <Title>{show(toText(exception['type']) || 'Error')}</Title>
      <p class="value">{show(exception['value'])}</p>
    </>
  );
}

/** The way to the other events of the issue. */
function Neighbours({ issue, number }: { issue: Issue; number: number }) {
  const numbers = [...issue.numbers];
  const index = numbers.indexOf(number);
  const link = (to: number | undefined, label: string, symbol: string) =>
    to === undefined ? (
      <span class="step dim">{symbol}</span>
    ) : (
      <a class="step" href={linkTo({ tab: 'issues', group: issue.group, number: to })} title={label} aria-label={label}>
        {symbol}
      </a>
    );
  return (
    <span class="steps">
      {link(index > 0 ? numbers[index - 1] : undefined, 'Earlier event', '‹')}
      <span title={`first seen ${clockOf(issue.firstMillis)}`}>
        {index + 1} of {numbers.length}
      </span>
      {link(index >= 0 ? numbers[index + 1] : undefined, 'Later event', '›')}
    </span>
  );
}

function TraceOfEvent({ event }: { event: Json }) {
  const { traceId, spanId } = traceOf(event);
  const trace = useJson<Trace>(traceId ? `/api/traces/${encodeURIComponent(traceId)}` : undefined);
  if (trace === undefined || trace instanceof Error || trace.waterfall.rows.length === 0) return null;
  return (
    <Section title="Trace">
      <div class="event-trace" style={{ height: heightOf(trace, MAX_TRACE_ROWS) }}>
        <WaterfallView trace={trace} selected={spanId} />
      </div>
      <a class="quiet" href={linkTo({ tab: 'traces', traceId })}>
        Open trace
      </a>
    </Section>
  );
}

function Breadcrumbs({ event }: { event: Json }) {
  const breadcrumbs = breadcrumbsOf(event).map(describeBreadcrumb);
  if (breadcrumbs.length === 0) return null;
  return (
    <Section title="Breadcrumbs">
      <ol class="breadcrumbs">
        {breadcrumbs.map(({ timeMillis, category, level, text }, index) => (
          <li key={index} class={`level-${level}`}>
            <time>{formatTime(timeMillis)}</time>
            <span class="category">{show(category)}</span>
            <span class="text">{show(text)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
