import { posix } from 'node:path';
import { guard } from '../internal/guard.js';
import { readOptions } from '../internal/options/read-options.js';
import { isObject } from '../internal/values/read.js';
import type { Integration } from '../model/contracts.js';
import { type Exception, mapFrames, type StackFrame } from '../model/event/exception.js';

/** Options of {@link rewriteFramesIntegration}. */
export interface RewriteFramesOptions {
  /** Folder that file names become relative to; without it, only the last part of a path is kept. */
  root?: string | undefined;
  /** Prepended to the remaining path. @default 'app:///' */
  prefix?: string | undefined;
  /** Rewrites a frame instead; gets a copy. */
  iteratee?: ((frame: StackFrame) => StackFrame) | undefined;
}

/**
 * Makes the file names of frames independent of where the application is installed. Runs late, after source lines were
 * read: processors and filters still see the names on disk.
 */
export function rewriteFramesIntegration(options?: RewriteFramesOptions): Integration {
  const { root, prefix, iteratee } = readOptions(
    'rewriteFramesIntegration',
    options,
    { prefix: 'app:///' },
    { root: 'string', iteratee: 'function' },
  );
  const base = root === undefined ? undefined : toPosix(root);
  const rewrite = iteratee ?? ((frame) => relocate(frame, base, prefix));
  return {
    name: 'RewriteFrames',
    enrichEvent(event) {
      const values = event.exception?.values;
      if (!values) return;
      event.exception = { ...event.exception, values: values.map((one) => rewriteException(one, rewrite)) };
    },
  };
}

function rewriteException(exception: Exception, rewrite: (frame: StackFrame) => StackFrame): Exception {
  const rewriteFrame = (frame: StackFrame): StackFrame => {
    const result: unknown = guard('rewriting of a frame', () => rewrite({ ...frame }), frame);
    return isObject(result) ? (result as StackFrame) : frame;
  };
  return mapFrames(exception, (frames) => frames.map(rewriteFrame));
}

/** Only file paths are rewritten, not Node's modules, URLs, or code without a file. */
function relocate(frame: StackFrame, root: string | undefined, prefix: string): StackFrame {
  const { filename } = frame;
  if (filename === undefined) return frame;
  const path = toPosix(filename);
  if (!path.startsWith('/')) return frame;
  frame.filename = `${prefix}${root === undefined ? posix.basename(path) : posix.relative(root, path)}`;
  return frame;
}

/** Windows paths without drive and with slashes; other paths unchanged. */
function toPosix(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\')
    ? path.replace(/^[A-Za-z]:/, '').replaceAll('\\', '/')
    : path;
}
