import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modulesIntegration } from '../../src/integrations/modules.js';
import type { Client, Integration } from '../../src/model/contracts.js';
import type { Event } from '../../src/model/event/event.js';
import { isShared } from '../../src/model/event/shared-parts.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faultline-modules-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function writeManifest(path: string, manifest: unknown): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, 'package.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
}

/** Makes the application depend on packages and installs them. */
function install(versions: Record<string, string>): void {
  writeManifest('.', { dependencies: versions });
  for (const [name, version] of Object.entries(versions)) writeManifest(`node_modules/${name}`, { version });
}

async function modulesOf(integration: Integration, event: Event = {}): Promise<Event['modules']> {
  await integration.enrichEvent?.(event, {}, {} as Client);
  return event.modules;
}

describe('the modules of an event', () => {
  it('are those that the application depends on, in the versions that are installed', async () => {
    writeManifest('.', {
      dependencies: { a: '^1.0.0', '@scope/b': '2' },
      devDependencies: { c: '~3.0.0', missing: '4', private: 'git+https://oauth2:TOKEN@host/x.git' },
    });
    writeManifest('node_modules/a', { version: '1.2.3' });
    writeManifest('node_modules/@scope/b', { version: '2.1.0' });
    writeManifest('node_modules/c', { version: '3.0.9' });
    const modules = await modulesOf(modulesIntegration({ folder }));
    expect(modules).toMatchObject({ a: '1.2.3', '@scope/b': '2.1.0', c: '3.0.9' });
    expect(modules).not.toHaveProperty('missing');
    expect(JSON.stringify(modules)).not.toContain('TOKEN');
  });

  it('are also found in the folders around that of the application, where workspaces install them', async () => {
    writeManifest('node_modules/a', { version: '1.2.3' });
    writeManifest('packages/app', { dependencies: { a: '*' } });
    expect(await modulesOf(modulesIntegration({ folder: join(folder, 'packages/app') }))).toMatchObject({ a: '1.2.3' });
  });

  it('are left out when what they call their version is none', async () => {
    writeManifest('.', { dependencies: { a: '1' } });
    writeManifest('node_modules/a', { version: 'https://user:TOKEN@host/' });
    expect(await modulesOf(modulesIntegration({ folder }))).not.toHaveProperty('a');
  });

  it('are also those that require has loaded', async () => {
    writeManifest('node_modules/@scope/loaded', { version: '5.0.0', main: 'lib/index.js' });
    mkdirSync(join(folder, 'node_modules/@scope/loaded/lib'));
    writeFileSync(join(folder, 'node_modules/@scope/loaded/lib/index.js'), '');
    createRequire(join(folder, 'main.js'))('@scope/loaded');
    expect(await modulesOf(modulesIntegration({ folder }))).toMatchObject({ '@scope/loaded': '5.0.0' });
  });

  it('are by default those of the working directory', async () => {
    expect(await modulesOf(modulesIntegration())).toMatchObject({ vitest: expect.stringMatching(/^4\./) });
  });

  it('are collected once, and at hand from then on', async () => {
    install({ a: '1' });
    const integration = modulesIntegration({ folder });
    await modulesOf(integration);
    install({ a: '2' });
    const event: Event = {};
    expect(integration.enrichEvent?.(event, {}, {} as Client)).toBeUndefined();
    expect(event.modules).toMatchObject({ a: '1' });
  });

  it('are collected once for concurrent events, too', async () => {
    install({ a: '1' });
    const integration = modulesIntegration({ folder });
    const all = await Promise.all(Array.from({ length: 10 }, () => modulesOf(integration)));
    for (const modules of all) expect(modules).toMatchObject({ a: '1' });
  });

  it('are one shared part of all events', async () => {
    install({ a: '1' });
    const integration = modulesIntegration({ folder });
    const modules = await modulesOf(integration);
    expect(isShared(modules)).toBe(true);
    expect(await modulesOf(integration)).toBe(modules);
  });

  it('give way to what the event says itself', async () => {
    install({ a: '1', b: '1' });
    const modules = await modulesOf(modulesIntegration({ folder }), { modules: { a: 'mine' } });
    expect(modules).toEqual({ a: 'mine' });
  });

  it('are at most 500 of the application', async () => {
    const dependencies = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`module-${index}`, '1']));
    install(dependencies);
    const modules = await modulesOf(modulesIntegration({ folder }));
    expect(Object.keys(modules!).filter((name) => name.startsWith('module-'))).toHaveLength(500);
  });

  it.each([
    ['is missing', undefined],
    ['is no JSON', '{'],
    ['is a text', '"x"'],
    ['is null', 'null'],
    ['has something else for dependencies', { dependencies: 5, devDependencies: { a: 5 } }],
    ['is larger than 1 MiB', { dependencies: { a: '1' }, x: 'x'.repeat(1024 * 1024) }],
  ])('are without those of a package.json that %s', async (_, manifest) => {
    if (manifest !== undefined) writeManifest('.', manifest);
    expect(await modulesOf(modulesIntegration({ folder }))).not.toHaveProperty('a');
  });

  it('are left out of transactions', () => {
    const event: Event = { type: 'transaction' };
    expect(modulesIntegration({ folder }).enrichEvent?.(event, {}, {} as Client)).toBeUndefined();
    expect(event).toEqual({ type: 'transaction' });
  });
});
