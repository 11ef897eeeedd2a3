import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import './install.js';

const here = new URL('.', import.meta.url);
const root = new URL('../../', here);

/**
 * Puts what is tested where the applications find it: the built package beside their dependencies, so that it shares
 * OpenTelemetry with them as anywhere; and the application that is written in TypeScript, compiled.
 */
export default function prepare(): void {
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
