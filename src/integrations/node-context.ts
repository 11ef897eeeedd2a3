import { readFileSync } from 'node:fs';
import { arch, cpus, freemem, platform, release, totalmem, type, uptime } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { MILLIS_PER_SECOND, nowMillis, toIsoTime } from '../internal/clock.js';
import { guardOwn } from '../internal/guard.js';
import { readOptions } from '../internal/options/read-options.js';
import { nextTurn } from '../internal/patching/originals.js';
import { mergeOwn } from '../internal/values/merge-own.js';
import type { Integration } from '../model/contracts.js';
import type { Context, Contexts, Event } from '../model/event/event.js';
import { share } from '../model/event/shared-parts.js';

/** Which contexts to add; all of them by default. */
export interface NodeContextOptions {
  os?: boolean | undefined;
  app?: boolean | undefined;
  device?: boolean | undefined;
  culture?: boolean | undefined;
  runtime?: boolean | undefined;
  cloudResource?: boolean | undefined;
}

/** Reading the free memory takes longer than the rest of an event's processing. */
const MEMORY_REFRESH_MILLIS = 1000;

/**
 * Adds facts about the process and its machine: the contexts `os`, `app`, `device`, `culture`, `runtime` and
 * `cloud_resource`. An event's own contexts stay. Collected at the first event; afterwards only the memory figures are
 * updated, at most once a second. `culture` is missing when the process ends in the turn of its first event: it takes
 * too long to collect.
 */
export function nodeContextIntegration(options?: NodeContextOptions): Integration {
  const wanted = readOptions('nodeContextIntegration', options, {
    os: true,
    app: true,
    device: true,
    culture: true,
    runtime: true,
    cloudResource: true,
  });
  let collected: Facts | undefined;
  const collect = (): Facts => {
    collected ??= new Facts({
      os: wanted.os && describeSystem,
      app: wanted.app && describeApp,
      device: wanted.device && describeDevice,
      runtime: wanted.runtime && describeRuntime,
      cloud_resource: wanted.cloudResource && describeCloud,
    });
    return collected;
  };
  const addContexts = (event: Event): void => {
    event.contexts = mergeOwn<Contexts>(collect().upToDate(), event.contexts);
  };
  let isCultureDone = !wanted.culture;
  const addCulture = (): void => {
    if (!isCultureDone) collect().add('culture', describeCulture);
    isCultureDone = true;
  };
  return {
    name: 'Context',
    enrichEvent(event) {
      if (isCultureDone) return addContexts(event);
      // `Intl` loads its locale data, which takes as long as the rest of the first capture: not in the caller's turn.
      return nextTurn().then(() => {
        addCulture();
        addContexts(event);
      });
    },
    enrichEventSync(event) {
      // Called at the end of the process or of the client; in worker threads, for each event.
      if (!isMainThread) addCulture();
      addContexts(event);
    },
  };
}

type Describe = () => Context | undefined;

class Facts {
  readonly #contexts: Record<string, Context> = {};
  #measuredAtMillis = 0;

  constructor(descriptions: Record<string, Describe | false>) {
    for (const [name, describe] of Object.entries(descriptions)) if (describe) this.add(name, describe);
  }

  /** Unknown values are omitted. */
  add(name: string, describe: Describe): void {
    const context = guardOwn(`the context ${name}`, describe);
    if (context) this.#contexts[name] = share(context);
  }

  upToDate(): Record<string, Context> {
    const now = nowMillis();
    const facts = this.#contexts;
    if (Math.abs(now - this.#measuredAtMillis) < MEMORY_REFRESH_MILLIS) return facts;
    this.#measuredAtMillis = now;
    for (const [name, memory] of Object.entries(guardOwn('memory usage', measureMemory, {}))) {
      if (facts[name] !== undefined) facts[name] = share({ ...facts[name], ...memory });
    }
    return facts;
  }
}

function measureMemory(): Record<string, Context> {
  return {
    app: { app_memory: process.memoryUsage.rss(), free_memory: process.availableMemory() },
    device: { free_memory: freemem() },
  };
}

function describeSystem(): Context {
  const kernel = { kernel_version: release() };
  switch (platform()) {
    case 'linux':
      return { name: 'Linux', ...readDistribution(), ...kernel };
    case 'darwin':
      return { name: 'macOS', ...kernel };
    case 'win32':
      return { name: 'Windows', version: release() };
    default:
      return { name: type(), ...kernel };
  }
}

/** @see https://www.freedesktop.org/software/systemd/man/latest/os-release.html */
function readDistribution(): Context | undefined {
  try {
    const content = readFileSync('/etc/os-release', 'utf8');
    const read = (key: string) => new RegExp(`^${key}=(["']?)(.*)\\1$`, 'm').exec(content)?.[2];
    const [name, version] = [read('NAME'), read('VERSION_ID')];
    return name ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

function describeApp(): Context {
  return { app_start_time: toIsoTime(nowMillis() - process.uptime() * MILLIS_PER_SECOND) };
}

function describeDevice(): Context {
  const processors = cpus();
  return {
    arch: arch(),
    boot_time: toIsoTime(nowMillis() - uptime() * MILLIS_PER_SECOND),
    memory_size: totalmem(),
    processor_count: processors.length,
    cpu_description: processors[0]?.model,
    processor_frequency: processors[0]?.speed,
  };
}

function describeCulture(): Context {
  const { locale, timeZone, calendar } = new Intl.DateTimeFormat().resolvedOptions();
  return { locale, timezone: timeZone, calendar };
}

function describeRuntime(): Context {
  return { name: 'node', version: process.version };
}

/** Environment variables that identify a platform, with the variable of its region. */
const CLOUDS: readonly (readonly [variable: string, provider: string, platform?: string, region?: string])[] = [
  ['AWS_LAMBDA_FUNCTION_NAME', 'aws', 'aws_lambda', 'AWS_REGION'],
  ['ECS_CONTAINER_METADATA_URI_V4', 'aws', 'aws_ecs', 'AWS_REGION'],
  ['AWS_REGION', 'aws', undefined, 'AWS_REGION'],
  ['K_SERVICE', 'gcp', 'gcp_cloud_run'],
  ['GAE_SERVICE', 'gcp', 'gcp_app_engine'],
  ['WEBSITE_SITE_NAME', 'azure', 'azure_app_service', 'REGION_NAME'],
  ['ALIYUN_REGION_ID', 'alibaba_cloud', undefined, 'ALIYUN_REGION_ID'],
  ['TENCENTCLOUD_REGION', 'tencent_cloud', undefined, 'TENCENTCLOUD_REGION'],
  ['IBM_CLOUD_REGION', 'ibm_cloud', undefined, 'IBM_CLOUD_REGION'],
  ['VERCEL', 'vercel', undefined, 'VERCEL_REGION'],
  ['FLY_APP_NAME', 'fly.io', undefined, 'FLY_REGION'],
  ['DYNO', 'heroku'],
];

/** @see https://opentelemetry.io/docs/specs/semconv/resource/cloud/ */
function describeCloud(): Context | undefined {
  const found = CLOUDS.find(([variable]) => process.env[variable]);
  if (found === undefined) return undefined;
  const [, provider, cloudPlatform, region] = found;
  return {
    'cloud.provider': provider,
    'cloud.platform': cloudPlatform,
    'cloud.region': region === undefined ? undefined : process.env[region],
  };
}
