#!/usr/bin/env node
import { SDK_VERSION } from '../internal/version.js';
import { type Request, readArguments, UsageError } from './arguments.js';
import { runDev } from './dev/dev.js';
import { runDoctor } from './doctor/doctor.js';
import { describeUsage } from './help.js';
import { runSendTest } from './send-test.js';

const USAGE_EXIT_CODE = 2;

/** @returns the exit code */
async function run(request: Request): Promise<number> {
  switch (request.kind) {
    case 'help':
      process.stdout.write(describeUsage(request.topic));
      return 0;
    case 'version':
      process.stdout.write(`${SDK_VERSION}\n`);
      return 0;
    case 'dev':
      return runDev(request);
    case 'doctor':
      return runDoctor(request);
    case 'send-test':
      return runSendTest(request);
  }
}

async function main(): Promise<void> {
  try {
    process.exitCode = await run(readArguments(process.argv.slice(2)));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(
      `${error.message} "faultline --help" lists the commands, and "faultline <command> --help" their options.\n`,
    );
    process.exitCode = USAGE_EXIT_CODE;
  }
}

/** Somebody who reads the output, such as `head`, may have read enough. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main().catch((error: unknown) => {
  process.stderr.write(`faultline failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
