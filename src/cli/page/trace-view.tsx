import { useState } from 'preact/hooks';
import { countLevels, formatDuration, plural } from '../../receiver/render/describe-event.js';
import type { WaterfallRow } from '../../receiver/render/waterfall.js';
import { useJson } from './connection.js';
import { FactTable } from './facts.jsx';
import { show } from './text.js';
import { type Trace, WaterfallView } from './waterfall.jsx';

interface TraceViewProps {
  readonly traceId: string;
  /** Changes when more of the trace has arrived. */
  readonly size: number;
}

export function TraceView({ traceId, size }: TraceViewProps) {
  const trace = useJson<Trace>(`/api/traces/${encodeURIComponent(traceId)}`, size);
  const [selected, setSelected] = useState<WaterfallRow | undefined>();
  if (trace === undefined) return <p class="hint">Loading…</p>;
  if (trace instanceof Error) return <p class="hint">{trace.message}</p>;
  const { rows, start, end, services } = trace.waterfall;
  const facts = [
    formatDuration((end - start) * 1000),
    plural(rows.length, 'span'),
    ...countLevels(trace.errors.map(({ level }) => level)),
    services.map(show).join(' → '),
  ];
  return (
    <div class="trace">
      <header>
        <h1>{show(rows[0]?.description || traceId)}</h1>
        <p class="dim">{facts.join(' · ')}</p>
        <p class="dim mono">trace {traceId}</p>
      </header>
      <WaterfallView
        trace={trace}
        selected={selected?.spanId}
        onSelect={(row) => setSelected(row.spanId === selected?.spanId ? undefined : row)}
      />
      {selected && (
        <aside>
          <h2>
            {show(selected.op)} {show(selected.description)}
          </h2>
          <FactTable
            facts={[
              ['duration', formatDuration((selected.end - selected.start) * 1000)],
              ['status', selected.status || 'unset'],
              ['service', selected.service],
              ['span id', selected.spanId],
              ...Object.entries(selected.attributes),
            ]}
          />
        </aside>
      )}
    </div>
  );
}
