import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { writeToStderr } from './node/stderr.js';
import { readString } from './values/read.js';
import { stringifySafely } from './values/strings.js';

const NAMESPACE = 'faultline';

const LEVELS = ['error', 'warn', 'info', 'debug', 'verbose'] as const;

/**
 * Returns a logger for one part of the SDK. It writes to OTel's `diag`, which is silent until somebody sets a logger.
 * That logger is user code: when it throws, the message is lost and nothing else.
 */
export function createLogger(component: string): DiagLogger {
  const logger = diag.createComponentLogger({ namespace: `${NAMESPACE}/${component}` });
  return Object.fromEntries(LEVELS.map((level) => [level, withoutThrowing(logger, level)])) as unknown as DiagLogger;
}

function withoutThrowing(logger: DiagLogger, level: keyof DiagLogger): DiagLogger[keyof DiagLogger] {
  return (message, ...args) => {
    try {
      logger[level](message, ...args);
    } catch {
      // There is no other channel on which to report it.
    }
  };
}

/**
 * Writes the SDK's messages to stderr, for `debug: true`. Of OTel's other components only warnings and errors are
 * written: nobody asked for their debug output.
 *
 * @returns whether `diag` accepted the logger
 */
export function enableDebugOutput(): boolean {
  const isHeard = diag.setLogger(stderrLogger, { logLevel: DiagLogLevel.DEBUG, suppressOverrideMessage: true });
  if (!isHeard) {
    write('error', [
      'faultline/debug',
      'another version of @opentelemetry/api is loaded and refuses the logger, so debug: true writes nothing; run npm dedupe',
    ]);
  }
  return isHeard;
}

const write = (level: string, messages: readonly unknown[]): void => {
  const texts = messages.map((one) =>
    stringifySafely(readString(one, 'stack') ?? readString(one, 'message') ?? one, '[unprintable]'),
  );
  writeToStderr(`[${level}] ${texts.join(' ')}\n`);
};

const writeOwn = (level: string, messages: readonly unknown[]): void => {
  if (String(messages[0]).startsWith(NAMESPACE)) write(level, messages);
};

const stderrLogger: DiagLogger = {
  error: (...messages) => write('error', messages),
  warn: (...messages) => write('warn', messages),
  info: (...messages) => writeOwn('info', messages),
  debug: (...messages) => writeOwn('debug', messages),
  verbose: () => undefined,
};
