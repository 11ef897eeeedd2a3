import { expect, it } from 'vitest';
import { captureMessage, type Event, init, isEnabled } from '../../src/index.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

it('an integration that is added later is set up once and sees later events', async () => {
  let setups = 0;
  const integration = {
    name: 'Late',
    setup: () => {
      setups += 1;
    },
    processEvent: (event: object) => ({ ...event, tags: { late: 'yes' } }),
  };
  await tell(
    {},
    ({ client }) => {
      captureMessage('before');
      client.addIntegration(integration);
      client.addIntegration(integration);
      captureMessage('after');
      expect(client.getIntegrationByName('Late')).toBe(integration);
    },
    ({ receiver }) => expect(receiver.events.map(({ tags }) => tags)).toEqual([undefined, { late: 'yes' }]),
  );
  expect(setups).toBe(1);
});

it('what earlier integrations make of events is sanitized after one was added', async () => {
  const early = { name: 'Early', processEvent: (event: Event) => ({ ...event, tags: 5 }) as never };
  await tell(
    { integrations: [early] },
    ({ client }) => {
      client.addIntegration({ name: 'Late' });
      captureMessage('a');
    },
    ({ receiver }) => expect(receiver.events.map(({ tags }) => tags)).toEqual([undefined]),
  );
});

it('a client has getters for its options, its DSN and its transport, and is enabled with a destination', async () => {
  await tell({ environment: 'test' }, ({ client }) => {
    expect(client.getOptions()).toBe(client.settings);
    expect(client.getDsn()).toBe(client.dsn);
    expect(client.getTransport()).toMatchObject({ send: expect.any(Function), flush: expect.any(Function) });
    expect(isEnabled()).toBe(true);
  });
  const client = init({ enabled: false });
  expect(client.getTransport()).toBeUndefined();
  expect(isEnabled()).toBe(false);
  resetOpenTelemetry();
});
