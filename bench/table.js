// The table of a run, for terminals and for `docs/performance.md`.

/** A share of what an operation allocates. */
const NOISE = 0.03;

/** Scenarios whose operation is a trace of so many spans. */
const SPANS = { 'sampled-trace': 11, 'unsampled-trace': 11, 'tracing-off': 11, 'beside-otel': 11 };

/** How `docs/performance.md` says what differs from the row above. */
const VARIANTS = {
  'faultline (OTel API)': "made with OpenTelemetry's `Tracer`",
  'faultline beside OTel': 'beside an OpenTelemetry setup',
};

/**
 * One line for each own system of each scenario.
 *
 * @param {import('./results.js').Results} results
 * @param {import('./results.js').Results} [last] with which it is compared
 */
export function formatTable(results, last) {
  const lastTitle = last && `${last.versions.faultline}, ${last.date}`;
  const header = ['', 'system', 'figure', '× OpenTelemetry', '× peer', 'goal', ...(last ? [lastTitle] : [])];
  const lines = linesOf(results).map(({ name, scenario, key, system }) => {
    const before = last?.scenarios[name]?.systems[key];
    return [
      name,
      system.title,
      formatFigure(system, scenario.unit),
      system.otel ? formatRatio(system.otel) : '',
      system.peer ? formatRatio(system.peer) : '',
      formatGoal(scenario),
      ...(last ? [before ? formatPast(before, scenario.unit) : ''] : []),
    ];
  });
  const { integrations } = results;
  return [
    ...(lines.length > 0 ? [align([header, ...lines])] : []),
    ...(integrations ? [align(integrationRows(integrations))] : []),
  ].join('\n\n');
}

/**
 * The tables of `docs/performance.md`, by the names of their places there.
 *
 * @param {import('./results.js').Results} results
 */
export function formatMarkdown(results) {
  const { versions, date, rounds, machine, integrations } = results;
  const scenarios = linesOf(results).map(({ name, scenario, system, isFirst }) => [
    isFirst ? scenario.title : `${scenario.title}, ${VARIANTS[system.title] ?? system.title}`,
    formatFigure(system, scenario.unit),
    SPANS[name] ? `${(system.median / SPANS[name]).toFixed(1)} ${scenario.unit}` : '',
    system.otel ? system.otel[0].toFixed(2) : '',
    system.peer ? system.peer[0].toFixed(2) : '',
    `${formatGoal(scenario)}${isReached(scenario, system) ? ' ✓' : ''}`,
  ]);
  const header = ['scenario', 'figure', 'per span', '× OpenTelemetry', '× peer', 'goal'];
  const sources = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const origin = `Measured on ${date} in ${rounds} rounds: ${sources.join(', ')}; ${machine}.`;
  return {
    bench: `${toMarkdown([header, ...scenarios])}\n\n${origin}`,
    'integration costs': toMarkdown(integrationRows(integrations)),
  };
}

/** Every default integration, the most expensive ones first. */
function integrationRows({ all, costs }) {
  const sum = ({ exception, request }) => exception + request;
  const rows = Object.entries(costs).sort(([, a], [, b]) => sum(b) - sum(a));
  const cells = rows.map(([name, cost]) => [
    name,
    formatCost(cost.exception, all.exception),
    formatCost(cost.request, all.request),
  ]);
  return [
    ['integration', 'exception', 'HTTP request'],
    ['all', formatCost(all.exception, 0), formatCost(all.request, 0)],
    ...cells,
  ];
}

/** Without what two measurements of the same differ by. */
function formatCost(kilobytes, all) {
  return kilobytes < NOISE * all ? '' : `${kilobytes.toFixed(1)} kB`;
}

function toMarkdown([header, ...rows]) {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @returns for each line: the scenario, and one of its own systems, which are those with ratios or a goal of their own */
function linesOf({ scenarios }) {
  return Object.entries(scenarios).flatMap(([name, scenario]) =>
    Object.entries(scenario.systems)
      .filter(([key]) => key.startsWith('faultline'))
      .map(([key, system], i) => ({ name, scenario, key, system, isFirst: i === 0 })),
  );
}

/** A ratio says more than a figure: it hardly depends on the machine. */
function formatPast(system, unit) {
  const { otel, peer } = system;
  if (otel) return `${otel[0].toFixed(2)} × OpenTelemetry`;
  return peer ? `${peer[0].toFixed(2)} × peer` : formatFigure(system, unit);
}

function formatFigure({ median, deliveredShare = 1 }, unit) {
  const figure = median < 100 ? median.toFixed(1) : Math.round(median).toLocaleString('en-US');
  const loss = deliveredShare < 1 ? `, ${Math.round(deliveredShare * 100)}% delivered` : '';
  return `${figure} ${unit}${loss}`;
}

function formatRatio([median, min, max]) {
  return `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
}

function formatGoal({ goal: { of, max }, unit }) {
  if (of === 'figure') return `${max.toLocaleString('en-US')} ${unit}`;
  return `${max} × ${of === 'otel' ? 'OpenTelemetry' : 'peer'}`;
}

function isReached({ goal: { of, max } }, { median, otel, peer, deliveredShare = 1 }) {
  const value = of === 'figure' ? median : (of === 'otel' ? otel : peer)?.[0];
  return value <= max && deliveredShare === 1;
}

function align(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
