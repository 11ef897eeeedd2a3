import { init } from '../index.js';
import { toLine } from '../receiver/render/inert.js';
import { dsnToString, findDsnProblem } from '../transport/dsn.js';
import { type Request, UsageError } from './arguments.js';
import { askDestination, explainAnswer, explainTest, sendTestError } from './destination.js';

const MAX_LINE_LENGTH = 500;

/** Sends one test error to a destination. @returns the exit code */
export async function runSendTest({ dsn }: Extract<Request, { kind: 'send-test' }>): Promise<number> {
  const wanted = dsn ?? process.env['FAULTLINE_DSN'];
  if (!wanted) throw new UsageError('There is no destination: set FAULTLINE_DSN, or pass --dsn.');
  // The application's variables must not keep the test from being sent.
  const always = { enabled: true, sampleRate: 1 };
  const client = init({ dsn: wanted, ...always, defaultIntegrations: false, quiet: true, environment: 'test' });
  if (client.dsn === undefined) throw new UsageError(`This DSN cannot be used: ${findDsnProblem(wanted)}.`);
  const answer = explainAnswer(await askDestination(client), dsnToString(client.dsn));
  const { isGood, message } = answer.isGood ? explainTest(await sendTestError(client), client.dsn) : answer;
  await client.close(0);
  process.stdout.write(`${toLine(message, MAX_LINE_LENGTH)}\n`);
  return isGood ? 0 : 1;
}
