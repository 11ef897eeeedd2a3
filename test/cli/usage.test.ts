import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from '../../src/cli/arguments.js';
import { startTool } from './tool.js';

describe('the command line', () => {
  it('prints its version, which is that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await startTool(['--version']).ended()).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('explains itself', async () => {
    const { code, stdout } = await startTool(['--help']).ended();
    expect(code).toBe(0);
    for (const command of ['dev', 'doctor', 'send-test']) expect(stdout).toContain(`faultline ${command}`);
  });

  it('ends as usual when nobody reads its output any more', async () => {
    const run = startTool(['--help']);
    run.child.stdout!.destroy();
    const [code] = await once(run.child, 'exit');
    expect([code, run.output().stderr]).toEqual([0, '']);
  });

  it.each([
    [['start'], 'There is no command "start".'],
    [['--bogus'], "Unknown option '--bogus'."],
    [['dev', '--bogus'], "Unknown option '--bogus'."],
    [['dev', 'node', 'app.js'], 'The command belongs after --: write "faultline dev -- node app.js".'],
    [['dev', '--port', '70000'], '--port must be a number from 0 to 65535, but is "70000".'],
    [['dev', '--port', '--stay'], "Option '--port' argument is ambiguous."],
    [['dev', '--port='], '--port must be a number from 0 to 65535, but is "".'],
    [['doctor'], 'doctor needs the file that starts the application: write "faultline doctor app.js".'],
    [['doctor', '--wait', 'soon', 'app.js'], '--wait must be a number of seconds from 1 to 3600, but is "soon".'],
    [['doctor', '--wait', '0.5', 'app.js'], '--wait must be a number of seconds from 1 to 3600, but is "0.5".'],
    [['dev', '--version'], "Unknown option '--version'."],
    [['dev', '-v'], "Unknown option '-v'."],
    [['send-test', 'now'], 'send-test takes options only.'],
  ])('says what is wrong with %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(new UsageError(message));
  });

  it('has the exit code 2 for bad input', async () => {
    const { code, stdout, stderr } = await startTool(['start']).ended();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'There is no command "start". "faultline --help" lists the commands, and "faultline <command> --help" their options.\n',
    );
  });

  it.each([
    [[], { kind: 'help' }],
    [['dev', '--help'], { kind: 'help', topic: 'dev' }],
    [['dev'], { kind: 'dev', command: [], stay: false }],
    [
      ['dev', '--', 'npm', 'start', '--', '--port', '1'],
      { kind: 'dev', command: ['npm', 'start', '--', '--port', '1'] },
    ],
    [['doctor', 'app.js', '--send'], { kind: 'doctor', command: [process.execPath, 'app.js'], send: true }],
    [['doctor', '--', 'npm', 'start'], { kind: 'doctor', command: ['npm', 'start'], send: false, waitSeconds: 10 }],
    [['send-test', '--dsn', 'x'], { kind: 'send-test', dsn: 'x' }],
  ])('reads %j', (args, request) => {
    expect(readArguments(args)).toMatchObject(request);
  });
});
