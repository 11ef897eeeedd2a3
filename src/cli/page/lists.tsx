import { formatDuration, plural } from '../../receiver/render/describe-event.js';
import type { Issue, TraceEntry } from './collection.js';
import { LongList } from './long-list.jsx';
import { linkTo } from './route.js';
import { clockOf } from './text.js';

export function IssueList({ issues, selected }: { issues: readonly Issue[]; selected: string | undefined }) {
  return (
    <LongList
      label="Issues"
      items={issues}
      rowHeight={68}
      keyOf={({ group }) => group}
      render={({ group, latest, numbers }) => (
        <a
          class={`row level-${latest.level}`}
          href={linkTo({ tab: 'issues', group })}
          aria-current={group === selected}
        >
          <span class="row-title">{latest.title}</span>
          <span class="row-side">
            <span class="count" title={`${numbers.size} events`}>
              {numbers.size}
            </span>
          </span>
          <span class="row-place">{latest.place || latest.service}</span>
          <span class="row-side dim">{clockOf(latest.timeMillis)}</span>
        </a>
      )}
    />
  );
}

export function TraceList({ traces, selected }: { traces: readonly TraceEntry[]; selected: string | undefined }) {
  return (
    <LongList
      label="Traces"
      items={traces}
      rowHeight={68}
      keyOf={({ traceId }) => traceId}
      render={({ traceId, name, start, end, spanCount, errorCount, services }) => (
        <a
          class={`row ${errorCount > 0 ? 'level-error' : 'level-fine'}`}
          href={linkTo({ tab: 'traces', traceId })}
          aria-current={traceId === selected}
        >
          <span class="row-title">{name}</span>
          <span class="row-side">{formatDuration(end - start)}</span>
          <span class="row-place">
            {[plural(spanCount, 'span'), ...services].join(' · ')}
            {errorCount > 0 && <span class="error-count">{` · ${plural(errorCount, 'error')}`}</span>}
          </span>
          <span class="row-side dim">{clockOf(end)}</span>
        </a>
      )}
    />
  );
}
