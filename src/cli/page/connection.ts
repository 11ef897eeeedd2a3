import { useEffect, useState } from 'preact/hooks';
import type { EventSummary, Greeting } from '../dev/summary.js';
import { Collection } from './collection.js';

/** What the page knows. `version` changes with each drawing that has something new. */
export interface PageState {
  readonly greeting?: Greeting | undefined;
  readonly isConnected: boolean;
  readonly collection: Collection;
  readonly version: number;
}

/** Follows the server; new events are drawn once for each frame at most. */
export function useConnection(): PageState {
  const [state, setState] = useState<PageState>({ isConnected: false, collection: new Collection(1), version: 0 });
  useEffect(() => {
    const source = new EventSource('/api/stream');
    let isScheduled = false;
    const current: { greeting?: Greeting; isConnected: boolean; collection: Collection } = {
      isConnected: false,
      collection: new Collection(1),
    };
    const draw = () => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
        setState(({ version }) => ({ ...current, version: version + 1 }));
      });
    };
    source.addEventListener('greeting', ({ data }) => {
      const greeting: Greeting = JSON.parse(data);
      if (greeting.run !== current.greeting?.run) current.collection = new Collection(greeting.maxEvents);
      current.greeting = greeting;
      current.isConnected = true;
      draw();
    });
    source.addEventListener('message', ({ data }) => {
      for (const summary of JSON.parse(data) as EventSummary[]) current.collection.add(summary);
      draw();
    });
    source.addEventListener('error', () => {
      current.isConnected = false;
      draw();
    });
    return () => source.close();
  }, []);
  return state;
}

/** What the server answers; `undefined` while it has not, an error if it has nothing. */
export function useJson<Value>(path: string | undefined, version = 0): Value | Error | undefined {
  const [loaded, setLoaded] = useState<{ path: string; value: Value | Error } | undefined>();
  useEffect(() => {
    if (path === undefined) return undefined;
    const abort = new AbortController();
    load<Value>(path, abort.signal).then(
      (value) => setLoaded({ path, value }),
      (error: Error) => {
        if (!abort.signal.aborted) setLoaded({ path, value: error });
      },
    );
    return () => abort.abort();
  }, [path, version]);
  return loaded?.path === path ? loaded?.value : undefined;
}

async function load<Value>(path: string, signal: AbortSignal): Promise<Value> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error('This event is no longer kept.');
  return response.json();
}
