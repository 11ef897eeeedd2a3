import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const here = new URL('.', import.meta.url);
const root = new URL('../../', here);

/**
 * Installs what the applications depend on, unless that has been done since it last changed, and puts what is tested
 * where they find it: the built package beside the other dependencies, so that it shares OpenTelemetry with them as
 * anywhere; and the application that is written in TypeScript, compiled.
 */
export default function prepare(): void {
  if (!isInstalled()) execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: here });
  const faultline = new URL('node_modules/faultline/', here);
  rmSync(faultline, { recursive: true, force: true });
  mkdirSync(faultline, { recursive: true });
  cpSync(new URL('package.json', root), new URL('package.json', faultline));
  cpSync(new URL('dist', root), new URL('dist', faultline), { recursive: true });

  const source = readFileSync(new URL('apps/nest.ts', here), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  writeFileSync(new URL('apps/nest.cjs', here), outputText);
}

function isInstalled(): boolean {
  const changedAt = (path: string) => statSync(new URL(path, here), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json');
}
