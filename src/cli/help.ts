import { DEFAULT_PORT, DEFAULT_WAIT_SECONDS, type Topic } from './arguments.js';

const OVERVIEW = `faultline: see errors and traces of an application on your own machine.

  faultline dev [-- node app.js]   shows what an application sends, in the terminal and on a page
  faultline doctor app.js          checks the setup of an application and its destination
  faultline send-test              sends one test error to the destination in FAULTLINE_DSN

  faultline <command> --help       describes the options of a command
  faultline --version
`;

const TOPICS: Record<Topic, string> = {
  dev: `faultline dev [--port <number>] [--stay] [-- <command>]

Listens on 127.0.0.1 and shows errors and traces as they arrive. The command is started with FAULTLINE_DSN and
FAULTLINE_TRACES_SAMPLE_RATE=1, and without FAULTLINE_TUNNEL; options in its code win over these variables. faultline ends
with the command, and with its exit code. Without a command, start applications yourself, with the DSN that is printed.

  --port <number>   port to listen on (default: ${DEFAULT_PORT}, or a free one if that is taken)
  --stay            keeps the page open when the command has ended
`,
  doctor: `faultline doctor [--send] [--wait <seconds>] <file> [arguments]
faultline doctor [--send] [--wait <seconds>] -- <command>

Starts the application, waits until it has called init, reports what is wrong with its setup and how to fix it, checks
that its destination answers and accepts its key, and stops the application. The exit code is 1 if there is a problem.

  --send            also sends one test error, and says how to find it
  --wait <seconds>  how long the application may take to call init (default: ${DEFAULT_WAIT_SECONDS})
`,
  'send-test': `faultline send-test [--dsn <dsn>]

Sends one test error and says whether the destination accepted it. The exit code is 1 if it did not.

  --dsn <dsn>       destination (default: the variable FAULTLINE_DSN)
`,
};

export function describeUsage(topic?: Topic): string {
  return topic === undefined ? OVERVIEW : TOPICS[topic];
}
