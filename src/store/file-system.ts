import * as fs from 'node:fs';

/** The functions of `node:fs` that the store uses; tests make them fail. */
export interface FileSystem
  extends Pick<
    typeof fs,
    | 'closeSync'
    | 'lstatSync'
    | 'mkdirSync'
    | 'openSync'
    | 'readdirSync'
    | 'realpathSync'
    | 'renameSync'
    | 'unlinkSync'
    | 'writeSync'
  > {
  readonly promises: Pick<typeof fs.promises, 'open' | 'readdir' | 'rename' | 'unlink'>;
}

export const NODE_FILE_SYSTEM: FileSystem = fs;
