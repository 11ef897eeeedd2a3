import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type PageState, useConnection } from './connection.js';
import { EventView } from './event-view.jsx';
import { IssueList, TraceList } from './lists.jsx';
import './page.css';
import { linkTo, type Route, useRoute } from './route.js';
import { wordsOf } from './text.js';
import { TraceView } from './trace-view.jsx';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const THEME_KEY = 'faultline.theme';

function Page() {
  const state = useConnection();
  const route = useRoute();
  const [query, setQuery] = useState('');
  const { collection, version, greeting } = state;
  const words = useMemo(() => wordsOf(query), [query]);
  const issues = useMemo(() => collection.findIssues(words), [collection, version, words]);
  const traces = useMemo(() => collection.findTraces(words), [collection, version, words]);
  const isEmpty = collection.events.size === 0;
  return (
    <>
      <header class="top">
        <a class="brand" href={linkTo({ tab: 'issues' })}>
          <span class="mark" aria-hidden="true" />
          Faultline
        </a>
        <nav>
          <a href={linkTo({ tab: 'issues' })} aria-current={route.tab === 'issues'}>
            Issues <span class="count">{issues.length}</span>
          </a>
          <a href={linkTo({ tab: 'traces' })} aria-current={route.tab === 'traces'}>
            Traces <span class="count">{traces.length}</span>
          </a>
        </nav>
        <input
          type="search"
          placeholder="Search: message, file, tag:value, user, trace id"
          aria-label="Search"
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <span class={`status ${state.isConnected ? 'on' : 'off'}`}>{state.isConnected ? 'live' : 'not connected'}</span>
        <ThemeButton />
      </header>
      {isEmpty ? (
        <Welcome dsn={greeting?.dsn} />
      ) : (
        <main>
          <div class="list">
            {route.tab === 'issues' ? (
              <IssueList issues={issues} selected={route.group} />
            ) : (
              <TraceList traces={traces} selected={route.traceId} />
            )}
          </div>
          <div class="detail">
            <Detail route={route} state={state} />
          </div>
        </main>
      )}
    </>
  );
}

function Detail({ route, state: { collection, greeting } }: { route: Route; state: PageState }) {
  if (route.tab === 'traces') {
    if (route.traceId === undefined) return <p class="hint">Choose a trace to see its spans.</p>;
    const size = collection.traces.get(route.traceId)?.numbers.size ?? 0;
    return <TraceView key={route.traceId} traceId={route.traceId} size={size} />;
  }
  const issue = route.group === undefined ? undefined : collection.issues.get(route.group);
  if (issue === undefined) return <p class="hint">Choose an issue to see its stack.</p>;
  return <OpenIssue key={issue.group} route={route} issue={issue} folder={greeting?.folder ?? ''} />;
}

type OpenIssueProps = { route: Route & { tab: 'issues' } } & Omit<Parameters<typeof EventView>[0], 'number'>;

/** The event in the address, or else the one that was the newest when the issue was opened. */
function OpenIssue({ route, issue, folder }: OpenIssueProps) {
  const [newest] = useState(issue.latest.number);
  return <EventView issue={issue} number={route.number ?? newest} folder={folder} />;
}

function Welcome({ dsn }: { dsn: string | undefined }) {
  return (
    <div class="welcome">
      <h1>Waiting for the first event</h1>
      <p>Everything that your application sends appears here at once. Start it with:</p>
      <pre>npx faultline dev -- node app.js</pre>
      {dsn && (
        <>
          <p>or by yourself, with this destination:</p>
          <pre>FAULTLINE_DSN={dsn}</pre>
        </>
      )}
    </div>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(
    () => THEMES.find((one) => one === localStorage.getItem(THEME_KEY)) ?? 'system',
  );
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(THEME_KEY, theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  return (
    <button type="button" class="theme" title={`Colors: ${theme}`} onClick={() => setTheme(next)}>
      {theme === 'system' ? '◐' : theme === 'light' ? '☀' : '☾'}
    </button>
  );
}

render(<Page />, document.body);
