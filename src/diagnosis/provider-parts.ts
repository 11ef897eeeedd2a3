import { isPartOfKind, wasMade } from '../context/parts.js';
import { isArray, readProperty } from '../internal/values/read.js';
import { partNameOf } from '../tracing/setup/api-globals.js';
import { isPart, partsWithin } from './parts-within.js';

/** Classes of OTel whose inner parts are readable, so that a part of ours would be found. */
const TRANSPARENT = new Set(
  (
    'MultiSpanProcessor NoopSpanProcessor SimpleSpanProcessor BatchSpanProcessor ConsoleSpanExporter ' +
    'InMemorySpanExporter OTLPTraceExporter OTLPExportDelegate ZipkinExporter'
  ).split(' '),
);

const WITHOUT_EFFECT = new Set(['MultiSpanProcessor', 'NoopSpanProcessor']);

/** The parts of a tracer provider that concern us. */
export type ProviderParts = NonNullable<ReturnType<typeof readProviderParts>>;

/** Whether a processor or an exporter of ours receives spans. */
export function hasParts(provider: ProviderParts | undefined): boolean {
  return provider !== undefined && provider.processors.length + provider.exporters.length > 0;
}

/** @returns `undefined` when the parts of the provider cannot be read */
export function readProviderParts(provider: object) {
  const parts = partsWithin(provider);
  const chain = parts.filter((part) => isPart(part, 'onEnd') || isPart(part, 'export'));
  if (chain.length === 0) return undefined;
  const sampler = parts.find((part) => isPart(part, 'shouldSample'));
  const processors = chain.filter((part) => isPartOfKind(part, 'FaultlineSpanProcessor'));
  const exporters = chain.filter((part) => isPartOfKind(part, 'FaultlineSpanExporter'));
  const opaque = chain.filter((part) => !isOurs(part) && !TRANSPARENT.has(partNameOf(part) ?? ''));
  const mayHideProcessor = wasMade('FaultlineSpanProcessor') && opaque.some((part) => isPart(part, 'onEnd'));
  const mayHideExporter = wasMade('FaultlineSpanExporter') && opaque.length > 0;
  return {
    processors,
    exporters,
    /** `undefined` where it cannot be seen. */
    sampler,
    /** What the sampler's `toString` returns, cut at the first comma. */
    samplerName: describeSampler(sampler),
    /** Whether our sampler is inside another one that asks it about some spans only. */
    isSamplerBypassed: sampler !== undefined && isBypassed(sampler),
    /** Whether each span reaches more than one processor of ours, or one of them twice. */
    hasTwoProcessors: processors.length > 1 || parts.some(holdsTwo),
    /** Whether there are processors that serve neither us nor our exporter. */
    hasExistingProcessors: chain.some(isExistingPart),
    /** Whether a part of the application may hold one of ours in a private field. */
    mayHideParts: processors.length + exporters.length === 0 && (mayHideProcessor || mayHideExporter),
    /** Whether the OTel SDK is older than 2.0. */
    isLegacy: typeof readProperty(provider, 'addSpanProcessor') === 'function',
  };
}

function isOurs(part: object): boolean {
  return isPartOfKind(part, 'FaultlineSpanProcessor') || isPartOfKind(part, 'FaultlineSpanExporter');
}

function holdsTwo(list: object): boolean {
  return isArray(list) && list.filter((part) => isPartOfKind(part, 'FaultlineSpanProcessor')).length > 1;
}

function isExistingPart(part: object): boolean {
  if (!isPart(part, 'onEnd') || WITHOUT_EFFECT.has(partNameOf(part) ?? '')) return false;
  return !partsWithin(part).some(isOurs);
}

/** User samplers may return anything from `toString`, or throw. */
function describeSampler(sampler: unknown): string {
  try {
    const [first = '', ...more] = sampler === undefined ? [] : String(sampler).split(', ');
    return more.length > 0 ? `${first}, …}` : first;
  } catch {
    return '';
  }
}

/** Whether another sampler decides about some spans. One that only wraps ours does not. */
function isBypassed(sampler: object): boolean {
  if (isPartOfKind(sampler, 'FaultlineSampler')) return false;
  const inner = partsWithin(sampler).filter((part) => part !== sampler && isPart(part, 'shouldSample'));
  const isOther = (part: object) => !isPartOfKind(part, 'FaultlineSampler') && partsWithin(part).length === 1;
  return inner.some((part) => isPartOfKind(part, 'FaultlineSampler')) && inner.some(isOther);
}
