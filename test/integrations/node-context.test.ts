import { cpus, totalmem } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type NodeContextOptions, nodeContextIntegration } from '../../src/integrations/node-context.js';
import type { Client, Integration } from '../../src/model/contracts.js';
import type { Contexts, Event } from '../../src/model/event/event.js';
import { isShared } from '../../src/model/event/shared-parts.js';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const CLIENT = { settings: {} } as Client;

async function contextsOf(integration: Integration, event: Event = {}): Promise<Contexts> {
  await integration.enrichEvent?.(event, {}, CLIENT);
  return event.contexts!;
}

describe('the contexts of an event', () => {
  it('describe the process and its machine', async () => {
    const contexts = await contextsOf(nodeContextIntegration());
    expect(contexts).toMatchObject({
      os: { name: expect.any(String), kernel_version: expect.any(String) },
      app: { app_start_time: expect.stringMatching(/^\d{4}-.*Z$/), app_memory: expect.any(Number) },
      device: {
        arch: process.arch,
        boot_time: expect.stringMatching(/^\d{4}-.*Z$/),
        memory_size: totalmem(),
        free_memory: expect.any(Number),
        processor_count: cpus().length,
      },
      culture: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: expect.any(String) },
      runtime: { name: 'node', version: process.version },
    });
    const startMillis = Date.now() - process.uptime() * 1000;
    const { app } = contexts as { app: { app_start_time: string } };
    expect(Math.abs(Date.parse(app.app_start_time) - startMillis)).toBeLessThan(1000);
  });

  it('are added at once when the process ends, except for the culture, which takes too long to find out', async () => {
    const integration = nodeContextIntegration();
    const atEnd = (event: Event): string[] => {
      integration.enrichEventSync?.(event, {}, CLIENT);
      return Object.keys(event.contexts ?? {});
    };
    expect(atEnd({})).toEqual(['os', 'app', 'device', 'runtime']);
    await contextsOf(integration);
    expect(atEnd({})).toContain('culture');
  });

  it.each<[keyof NodeContextOptions, string]>([
    ['os', 'os'],
    ['app', 'app'],
    ['device', 'device'],
    ['culture', 'culture'],
    ['runtime', 'runtime'],
    ['cloudResource', 'cloud_resource'],
  ])('leave one out when %s is false', async (option, name) => {
    vi.stubEnv('VERCEL', '1');
    const all = Object.keys(await contextsOf(nodeContextIntegration())).sort();
    expect(all).toEqual(['app', 'cloud_resource', 'culture', 'device', 'os', 'runtime']);
    const contexts = await contextsOf(nodeContextIntegration({ [option]: false }));
    expect(Object.keys(contexts).sort()).toEqual(all.filter((one) => one !== name));
  });

  it('give way to what the event says itself, and keep its other contexts', async () => {
    const event: Event = { contexts: { os: { name: 'mine' }, state: { a: 1 } } };
    const { os, state, device } = await contextsOf(nodeContextIntegration(), event);
    expect({ os, state }).toEqual({ os: { name: 'mine' }, state: { a: 1 } });
    expect(device).toHaveProperty('arch');
  });

  it('are shared parts of all events', async () => {
    const contexts = await contextsOf(nodeContextIntegration());
    for (const name of ['os', 'app', 'device', 'runtime']) expect(isShared(contexts[name])).toBe(true);
  });

  it('do not keep the second event waiting', async () => {
    const integration = nodeContextIntegration();
    await contextsOf(integration);
    const event: Event = {};
    expect(integration.enrichEvent?.(event, {}, CLIENT)).toBeUndefined();
    expect(event.contexts).toHaveProperty('runtime');
  });

  it('measure the memory once a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const rss = vi.spyOn(process.memoryUsage, 'rss');
    const integration = nodeContextIntegration();
    const memoryAt = async (millis: number) => {
      vi.setSystemTime(millis);
      return (await contextsOf(integration))['app']!['app_memory'];
    };
    rss.mockReturnValueOnce(1).mockReturnValueOnce(2).mockReturnValueOnce(3);
    expect(await memoryAt(1_000_000)).toBe(1);
    expect(await memoryAt(1_000_999)).toBe(1);
    expect(await memoryAt(1_001_000)).toBe(2);
    // The clock was put back.
    expect(await memoryAt(1)).toBe(3);
    rss.mockRestore();
  });

  it('do not change in one event when another one measures the memory again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const rss = vi.spyOn(process.memoryUsage, 'rss').mockReturnValueOnce(1).mockReturnValueOnce(2);
    const integration = nodeContextIntegration();
    const first = await contextsOf(integration);
    vi.setSystemTime(1_010_000);
    expect((await contextsOf(integration))['app']!['app_memory']).toBe(2);
    expect(first['app']!['app_memory']).toBe(1);
    rss.mockRestore();
  });

  it('go on without the memory when it cannot be measured', async () => {
    const rss = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
      throw new Error('EMFILE');
    });
    const contexts = await contextsOf(nodeContextIntegration());
    expect(contexts).toMatchObject({ app: { app_start_time: expect.any(String) }, runtime: { name: 'node' } });
    rss.mockRestore();
  });

  it.each<[environment: Record<string, string>, expected: { provider: string; platform?: string; region?: string }]>([
    [
      { AWS_LAMBDA_FUNCTION_NAME: 'f', AWS_REGION: 'eu-1' },
      { provider: 'aws', platform: 'aws_lambda', region: 'eu-1' },
    ],
    [{ AWS_REGION: 'eu-1' }, { provider: 'aws', region: 'eu-1' }],
    [{ K_SERVICE: 'shop' }, { provider: 'gcp', platform: 'gcp_cloud_run' }],
    [
      { WEBSITE_SITE_NAME: 'shop', REGION_NAME: 'west' },
      { provider: 'azure', platform: 'azure_app_service', region: 'west' },
    ],
    [
      { VERCEL: '1', VERCEL_REGION: 'fra1' },
      { provider: 'vercel', region: 'fra1' },
    ],
  ])('tell the cloud by the environment: %j', async (environment, { provider, platform, region }) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect((await contextsOf(nodeContextIntegration()))['cloud_resource']).toEqual({
      'cloud.provider': provider,
      'cloud.platform': platform,
      'cloud.region': region,
    });
  });
});
