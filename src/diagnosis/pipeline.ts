import { isPartOfKind, wasMade } from '../context/parts.js';
import { isArray, readProperty } from '../internal/read.js';
import { classNameOf } from '../tracing/api-globals.js';
import { isPart, partsWithin } from './pipeline-parts.js';

/** Classes of OTel's, in which a part of ours could be seen. */
const TRANSPARENT = new Set([
  'MultiSpanProcessor',
  'NoopSpanProcessor',
  'SimpleSpanProcessor',
  'BatchSpanProcessor',
  'ConsoleSpanExporter',
  'InMemorySpanExporter',
  'OTLPTraceExporter',
  'OTLPExportDelegate',
  'ZipkinExporter',
]);

const WITHOUT_EFFECT = new Set(['MultiSpanProcessor', 'NoopSpanProcessor']);

/** What the spans of a tracer provider pass through. */
export interface Pipeline {
  readonly processors: readonly object[];
  readonly exporters: readonly object[];
  /** `undefined` where it cannot be seen. */
  readonly sampler: object | undefined;
  /** How the sampler describes itself, without the rest of a long list. */
  readonly samplerText: string;
  /** Whether ours is within that of the host, and asked about some spans only. */
  readonly isSamplerBypassed: boolean;
  /** Whether each span is given to more than one processor of ours, or to one of them twice. */
  readonly hasTwoProcessors: boolean;
  /** Whether there are processors apart from ours, and from those that serve our exporter. */
  readonly hasHostProcessors: boolean;
  /** Whether a part of the host may hold one of ours where nobody can look. */
  readonly mayHideParts: boolean;
  /** Whether it is of a version of the OTel SDK before 2.0. */
  readonly isLegacy: boolean;
}

/** @returns `undefined` where the provider does not let itself be looked into */
export function readPipeline(provider: object): Pipeline | undefined {
  const parts = partsWithin(provider);
  const chain = parts.filter((part) => isPart(part, 'onEnd') || isPart(part, 'export'));
  if (chain.length === 0) return undefined;
  const sampler = parts.find((part) => isPart(part, 'shouldSample'));
  const processors = chain.filter((part) => isPartOfKind(part, 'FaultlineSpanProcessor'));
  const exporters = chain.filter((part) => isPartOfKind(part, 'FaultlineSpanExporter'));
  const opaque = chain.filter((part) => !isOurs(part) && !TRANSPARENT.has(classNameOf(part) ?? ''));
  const mayHideProcessor = wasMade('FaultlineSpanProcessor') && opaque.some((part) => isPart(part, 'onEnd'));
  const mayHideExporter = wasMade('FaultlineSpanExporter') && opaque.length > 0;
  return {
    processors,
    exporters,
    sampler,
    samplerText: describeSampler(sampler),
    isSamplerBypassed: sampler !== undefined && isBypassed(sampler),
    hasTwoProcessors: processors.length > 1 || parts.some(holdsTwo),
    hasHostProcessors: chain.some(isOfHost),
    mayHideParts: processors.length + exporters.length === 0 && (mayHideProcessor || mayHideExporter),
    isLegacy: typeof readProperty(provider, 'addSpanProcessor') === 'function',
  };
}

function isOurs(part: object): boolean {
  return isPartOfKind(part, 'FaultlineSpanProcessor') || isPartOfKind(part, 'FaultlineSpanExporter');
}

function holdsTwo(list: object): boolean {
  return isArray(list) && list.filter((part) => isPartOfKind(part, 'FaultlineSpanProcessor')).length > 1;
}

function isOfHost(part: object): boolean {
  if (!isPart(part, 'onEnd') || WITHOUT_EFFECT.has(classNameOf(part) ?? '')) return false;
  return !partsWithin(part).some(isOurs);
}

/** OTel wants samplers to say what they do; one of the host's may say anything, or nothing. */
function describeSampler(sampler: unknown): string {
  try {
    const [first = '', ...more] = sampler === undefined ? [] : String(sampler).split(', ');
    return more.length > 0 ? `${first}, …}` : first;
  } catch {
    return '';
  }
}

/** Whether some spans are decided by another sampler, beside ours. One that only wraps ours is none. */
function isBypassed(sampler: object): boolean {
  if (isPartOfKind(sampler, 'FaultlineSampler')) return false;
  const inner = partsWithin(sampler).filter((part) => part !== sampler && isPart(part, 'shouldSample'));
  const isOther = (part: object) => !isPartOfKind(part, 'FaultlineSampler') && partsWithin(part).length === 1;
  return inner.some((part) => isPartOfKind(part, 'FaultlineSampler')) && inner.some(isOther);
}
