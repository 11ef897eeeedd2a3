import { newerOf } from '../../internal/node/package-version.js';
import { majorOf, SDK_VERSION } from '../../internal/version.js';
import type { Check } from './check.js';

/** What is wrong with `init`: its options, and copies of Faultline that were left without it. */
export const INIT_PROBLEMS: readonly Check[] = [
  {
    code: 'no-dsn',
    feature: 'delivery',
    applies: ({ settings }) => settings.dsn === undefined && !settings.spotlight && !settings.transport,
    message: 'There is no dsn, so nothing is sent.',
    remedy: "init({ ...options, dsn: 'https://publickey@errors.example.com/1' }); // or set the variable FAULTLINE_DSN",
  },
  {
    code: 'invalid-dsn',
    feature: 'delivery',
    applies: ({ settings, client }) => settings.dsn !== undefined && client.dsn === undefined && !settings.spotlight,
    message: ({ observed }) => `The dsn is invalid, so nothing is sent: ${observed.dsnProblem}.`,
    remedy: "init({ ...options, dsn: 'https://publickey@errors.example.com/1' });",
  },
  {
    code: 'options-rejected',
    feature: 'everything',
    applies: ({ observed }) => observed.optionProblems.length > 0,
    message: ({ observed }) => `Options or variables are wrong: ${observed.optionProblems.join('. ')}.`,
    remedy: 'init({ ...options }); // corrected: docs/options.md lists all names and values',
  },
  {
    code: 'names-without-effect',
    feature: 'everything',
    applies: ({ withoutEffect }) => withoutEffect.size > 0,
    message: ({ withoutEffect }) =>
      `These names of faultline/sentry have no effect: ${Array.from(withoutEffect, ([name, instead]) => `${name} (${instead})`).join(', ')}.`,
    remedy: 'init(options); // without these names: docs/migrate.md says what to use instead',
  },
  {
    code: 'loaded-twice',
    feature: 'everything',
    applies: ({ copies }) => new Set(copies.map(majorOf)).size > 1,
    message: ({ copies }) =>
      `Faultline is in this process ${copies.length} times (${copies.join(', ')}); copies of incompatible versions share neither scopes nor clients.`,
    remedy: ({ copies }) => `npm install faultline@${copies.reduce(newerOf)} && npm dedupe`,
  },
  {
    code: 'copy-without-init',
    feature: 'everything',
    applies: ({ capturingCopies }) => capturingCopies.length > 0,
    message: ({ capturingCopies }) =>
      `${capturingCopies.map(({ version, captures }) => `Faultline ${version} captures without init (captures: ${captures})`).join(', ')}; copies of incompatible versions share no client, so these events are lost.`,
    remedy: `npm install faultline@${SDK_VERSION} && npm dedupe`,
  },
  {
    code: 'captured-before-init',
    feature: 'everything',
    applies: ({ observed }) => observed.capturesBeforeInit > 0,
    message: ({ observed }) =>
      `Captures before init: ${observed.capturesBeforeInit}; they are lost. Call init first, or start with --import faultline/register.`,
    remedy: 'init(options);',
  },
];
