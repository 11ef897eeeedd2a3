import { posix } from 'node:path';
import { guard } from '../internal/guard.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';
import type { Exception, StackFrame } from '../model/exception.js';

/** Options of {@link rewriteFramesIntegration}. */
export interface RewriteFramesOptions {
  /** Folder that file names become relative to; without it only the last part of a path is kept. */
  root?: string | undefined;
  /** Put before what is left. @default 'app:///' */
  prefix?: string | undefined;
  /** Rewrites a frame in place of the above; gets a copy. */
  iteratee?: ((frame: StackFrame) => StackFrame) | undefined;
}

/**
 * Makes the file names of frames the same wherever the application is installed. Runs late, when source lines have been
 * read: processors and filters still see the names as they are on disk.
 */
export function rewriteFramesIntegration(options?: RewriteFramesOptions): Integration {
  const {
    root,
    prefix = 'app:///',
    iteratee,
  } = readOptions(options, { root: 'string', prefix: 'string', iteratee: 'function' });
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
  const frames = exception.stacktrace?.frames;
  if (!frames) return exception;
  const rewritten = frames.map((frame) => {
    const result: unknown = guard('rewriting of a frame', () => rewrite({ ...frame }), frame);
    return typeof result === 'object' && result !== null ? (result as StackFrame) : frame;
  });
  return { ...exception, stacktrace: { ...exception.stacktrace, frames: rewritten } };
}

/** Only paths of files have a place in the application: not Node's modules, URLs, or code without a file. */
function relocate(frame: StackFrame, root: string | undefined, prefix: string): StackFrame {
  const { filename } = frame;
  if (filename === undefined) return frame;
  const path = toPosix(filename);
  if (!path.startsWith('/')) return frame;
  frame.filename = `${prefix}${root === undefined ? posix.basename(path) : posix.relative(root, path)}`;
  return frame;
}

/** Windows paths without their drive and with slashes, all others as they are. */
function toPosix(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\')
    ? path.replace(/^[A-Za-z]:/, '').replaceAll('\\', '/')
    : path;
}
