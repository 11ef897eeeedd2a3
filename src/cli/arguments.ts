import { parseArgs } from 'node:util';

export const DEFAULT_PORT = 4747;
export const DEFAULT_WAIT_SECONDS = 10;
const MAX_PORT = 65_535;

/** What the command line asks for. */
export type Request =
  | { readonly kind: 'help'; readonly topic?: Topic }
  | { readonly kind: 'version' }
  | { readonly kind: 'dev'; readonly command: readonly string[]; readonly port?: number; readonly stay: boolean }
  | {
      readonly kind: 'doctor';
      readonly command: readonly string[];
      readonly send: boolean;
      readonly waitSeconds: number;
    }
  | { readonly kind: 'send-test'; readonly dsn?: string };

export type Topic = 'dev' | 'doctor' | 'send-test';

/** Bad input: the message says what is wrong with it. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const OPTIONS_OF = {
  dev: { port: { type: 'string', short: 'p' }, stay: { type: 'boolean' } },
  doctor: { send: { type: 'boolean' }, wait: { type: 'string' } },
  'send-test': { dsn: { type: 'string' } },
} as const;

const HELP = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;

/**
 * Reads the arguments after `faultline`.
 *
 * @throws UsageError
 */
export function readArguments(args: readonly string[]): Request {
  const [first, ...rest] = args;
  if (first === undefined || first === 'help') return { kind: 'help', topic: isTopic(rest[0]) ? rest[0] : undefined };
  if (first.startsWith('-')) {
    const { values, positionals } = parse([first], HELP);
    if (values['version']) return { kind: 'version' };
    if (values['help'] || positionals.length === 0) return { kind: 'help' };
  }
  if (!isTopic(first)) throw new UsageError(`There is no command ${JSON.stringify(first)}.`);
  const end = rest.indexOf('--');
  const own = end < 0 ? rest : rest.slice(0, end);
  const behind = end < 0 ? [] : rest.slice(end + 1);
  const { values, positionals } = parse(own, { ...OPTIONS_OF[first], help: HELP.help });
  if (values['help']) return { kind: 'help', topic: first };
  switch (first) {
    case 'dev':
      if (positionals.length > 0) {
        throw new UsageError(`The command belongs after --: write "faultline dev -- ${positionals.join(' ')}".`);
      }
      return { kind: 'dev', command: behind, port: readPort(values['port']), stay: values['stay'] === true };
    case 'doctor':
      return {
        kind: 'doctor',
        command: commandOf(positionals, behind),
        send: values['send'] === true,
        waitSeconds: readSeconds(values['wait']),
      };
    case 'send-test':
      if (positionals.length + behind.length > 0) throw new UsageError('send-test takes options only.');
      return { kind: 'send-test', dsn: typeof values['dsn'] === 'string' ? values['dsn'] : undefined };
  }
}

function parse(
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The first sentence says what is wrong, the others say what Node expects.
    throw new UsageError(`${(error as Error).message.split(/\.(?:\s|$)/)[0]}.`);
  }
}

function isTopic(name: string | undefined): name is Topic {
  return name !== undefined && Object.hasOwn(OPTIONS_OF, name);
}

/** `doctor app.js` means `node app.js`; with flags for Node, it is `doctor -- node --flag app.js`. */
function commandOf(positionals: readonly string[], behind: readonly string[]): string[] {
  if (positionals.length === 0 && behind.length === 0) {
    throw new UsageError('doctor needs the file that starts the application: write "faultline doctor app.js".');
  }
  return positionals.length > 0 ? [process.execPath, ...positionals, ...behind] : [...behind];
}

function readPort(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const port = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
  if (!(port <= MAX_PORT))
    throw new UsageError(`--port must be a number from 0 to ${MAX_PORT}, but is ${JSON.stringify(value)}.`);
  return port;
}

function readSeconds(value: unknown): number {
  if (value === undefined) return DEFAULT_WAIT_SECONDS;
  const seconds = Number(value);
  if (!(seconds >= 1 && seconds <= 3600)) {
    throw new UsageError(`--wait must be a number of seconds from 1 to 3600, but is ${JSON.stringify(value)}.`);
  }
  return seconds;
}
