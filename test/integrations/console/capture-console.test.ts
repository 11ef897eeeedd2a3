import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, captureException, captureMessage } from '../../../src/index.js';
import {
  type CaptureConsoleOptions,
  captureConsoleIntegration,
} from '../../../src/integrations/console/capture-console.js';
import { consoleIntegration } from '../../../src/integrations/console/console.js';
import type { ReceivedErrorEvent } from '../../support/receiver.js';
import { tell } from '../../support/story.js';

const METHODS = ['debug', 'info', 'warn', 'error', 'log', 'trace', 'assert'] as const;

/** The console under test is one that writes nowhere. */
let written: Record<string, unknown[][]>;
beforeEach(() => {
  written = {};
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      written[method] ??= [];
      written[method].push(args);
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function eventsOf(
  story: () => unknown,
  options: CaptureConsoleOptions = {},
  clientOptions: ClientOptions = {},
): Promise<readonly ReceivedErrorEvent[]> {
  let events: readonly ReceivedErrorEvent[] = [];
  await tell(
    { defaultIntegrations: false, integrations: [captureConsoleIntegration(options)], ...clientOptions },
    story,
    ({ receiver }) => {
      events = receiver.events;
    },
  );
  return events;
}

describe('what is written to the console', () => {
  it.each([
    ['debug', 'debug'],
    ['info', 'info'],
    ['log', 'info'],
    ['trace', 'info'],
    ['warn', 'warning'],
    ['error', 'error'],
  ] as const)('with console.%s is captured as a message of level %s', async (method, level) => {
    const events = await eventsOf(() => console[method]('hello %s', 'world', { id: 1 }));
    expect(events).toMatchObject([
      {
        message: 'hello world { id: 1 }',
        level,
        logger: 'console',
        extra: { arguments: ['hello %s', 'world', { id: 1 }] },
      },
    ]);
    expect(events[0]?.exception).toBeUndefined();
    expect(written).toEqual({ [method]: [['hello %s', 'world', { id: 1 }]] });
  });

  it('is captured without a credential that is an argument of its own', async () => {
    const [event] = await eventsOf(() => console.warn('password', 'letmein', { id: 1 }));
    expect(event).toMatchObject({
      message: 'password [Filtered] { id: 1 }',
      extra: { arguments: ['password', '[Filtered]', { id: 1 }] },
    });
  });

  it('is captured as an exception, when an error is among it', async () => {
    const events = await eventsOf(() => console.warn('failed:', new RangeError('too far')));
    expect(events).toMatchObject([
      {
        level: 'warning',
        logger: 'console',
        exception: {
          values: [
            {
              type: 'RangeError',
              value: 'too far',
              mechanism: { type: 'auto.core.capture_console', handled: true },
            },
          ],
        },
      },
    ]);
  });

  it('is captured as unhandled, when told so', async () => {
    const [event] = await eventsOf(() => console.error(new Error('x')), { handled: false });
    expect(event?.exception?.values?.[0]?.mechanism?.handled).toBe(false);
  });

  it('gets a stack, when messages have one', async () => {
    const [event] = await eventsOf(() => console.error('x'), {}, { attachStacktrace: true });
    const [exception] = event?.exception?.values ?? [];
    expect(exception?.mechanism).toMatchObject({ type: 'auto.core.capture_console', synthetic: true });
    expect(exception?.stacktrace?.frames?.some(({ filename }) => filename?.includes('capture-console.test'))).toBe(
      true,
    );
  });

  it('is not captured with methods that were not asked for', async () => {
    const story = () => METHODS.forEach((method) => void console[method](false as never, 'x'));
    const events = await eventsOf(story, { levels: ['error', 'nonsense' as 'warn'] });
    expect(events).toHaveLength(1);
  });

  it('is not captured when it is nothing', async () => {
    expect(await eventsOf(() => console.log())).toEqual([]);
  });

  it('comes with its own breadcrumb', async () => {
    const integrations = [consoleIntegration(), captureConsoleIntegration()];
    const [event] = await eventsOf(() => console.error('x'), {}, { integrations });
    expect(event?.breadcrumbs).toMatchObject([{ category: 'console', message: 'x' }]);
  });

  it('is not captured again when it is an error that is captured otherwise, too', async () => {
    const error = new Error('x');
    const events = await eventsOf(() => {
      console.error(error);
      captureException(error);
      console.error(error);
    });
    expect(events).toHaveLength(1);
  });
});

it.each<[args: unknown[], message: string | undefined]>([
  [[true, 'fine'], undefined],
  [[false, 'cart is %s', 'empty'], 'Assertion failed: cart is empty'],
  [[0], 'Assertion failed'],
])('console.assert(...%j) is captured as %s', async (args, message) => {
  const events = await eventsOf(() => console.assert(...(args as [boolean])));
  expect(events.map((event) => [event.level, event.message])).toEqual(message ? [['error', message]] : []);
});

it('what a hook logs while it looks at such an event is not captured, also when it takes its time', async () => {
  const beforeSend: ClientOptions['beforeSend'] = async (event) => {
    console.error('at once');
    await new Promise((resolve) => setTimeout(resolve, 5));
    console.error('later');
    return event;
  };
  const events = await eventsOf(() => console.error('from the application'), {}, { beforeSend });
  expect(events.map(({ message }) => message)).toEqual(['from the application']);
  expect(written['error']).toHaveLength(3);
});

it('what an argument throws while it is looked at reaches nobody', async () => {
  const hostile = {
    [Symbol.for('nodejs.util.inspect.custom')]() {
      throw new Error('no');
    },
  };
  const events = await eventsOf(() => {
    console.log(hostile);
    captureMessage('alive');
  });
  expect(events.map(({ message }) => message)).toEqual(['alive']);
});

it('what the console itself throws reaches the caller', async () => {
  vi.mocked(console.error).mockImplementation(() => {
    throw new Error('EPIPE');
  });
  const events = await eventsOf(() => expect(() => console.error('x')).toThrow('EPIPE'));
  expect(events).toHaveLength(1);
});

it('once the client is closed, the console is as it was', async () => {
  const before = METHODS.map((method) => console[method]);
  await eventsOf(() => expect(console.log).not.toBe(before[4]));
  expect(METHODS.map((method) => console[method])).toEqual(before);
});
