import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: 'bundled.mjs',
  output: [
    { file: 'rolled.cjs', format: 'cjs', inlineDynamicImports: true },
    { file: 'rolled.mjs', format: 'es', inlineDynamicImports: true },
  ],
  plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), json()],
  onLog: (level, log) => level === 'warn' && log.code === 'UNRESOLVED_IMPORT' && console.error(log.message),
};
