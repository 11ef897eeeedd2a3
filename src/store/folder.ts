import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '../internal/clock.js';
import { guardOwn } from '../internal/guard.js';
import type { FileSystem } from './file-system.js';

/** Version of the names and contents of files; part of the path, so that versions never read each other's files. */
const FORMAT = 'v1';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const WRITABLE_BY_GROUP_OR_OTHERS = 0o022;
const WRITABLE_BY_OTHERS = 0o002;
/** Set on shared folders such as `/tmp`: nobody can replace what belongs to another user. */
const STICKY = 0o1000;
const ROOT = 0;
const TEMPORARY_SUFFIX = '.tmp';
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** Opening a pipe would wait for somebody who writes to it. */
const EXISTING_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The folder for one destination, with access for its user alone: `<directory>/faultline-<user>/<format>-<destination>`.
 * It is opened when it is first needed, and created when something is first written. Methods throw or reject with the
 * errors of the file system, and if others could read or change what is in the folder.
 */
export class Folder {
  readonly #fs: FileSystem;
  readonly #directory: string | undefined;
  readonly #destination: string;
  readonly #owner: string;
  readonly #clock: Clock;
  #temporaryFiles = 0;
  #path: string | undefined;
  /** For whom it is. */
  #user: number | undefined;

  /**
   * @param directory by default the system's temporary folder
   * @param destination what identifies the destination; only its hash is part of the path
   * @param owner named by temporary files, so that others can delete them once it is dead
   * @param clock its time is in their names, too: of another machine, nobody knows which processes are dead
   */
  constructor(fs: FileSystem, directory: string | undefined, destination: string, owner: string, clock: Clock) {
    this.#fs = fs;
    // The application may change its working directory.
    this.#directory =
      directory === undefined ? undefined : guardOwn('the working directory', () => resolve(directory), directory);
    this.#owner = owner;
    this.#clock = clock;
    this.#destination = createHash('sha256').update(destination).digest('hex').slice(0, 16);
  }

  /** Where it is, or will be made. */
  get path(): string {
    return this.#known ?? join(this.#directory ?? tmpdir(), ...this.#names());
  }

  /** Writes a file, completely or not at all: under another name at first. */
  writeSync(file: string, content: Uint8Array): void {
    try {
      this.#writeSync(this.#open(), file, content);
    } catch (error) {
      this.#noteMissing(error);
      this.#writeSync(this.#open(), file, content);
    }
  }

  /** Like `writeSync`. @param isWanted asked last, before the file gets its name */
  async write(file: string, content: Uint8Array, isWanted: () => boolean): Promise<void> {
    try {
      await this.#write(this.#open(), file, content, isWanted);
    } catch (error) {
      this.#noteMissing(error);
      await this.#write(this.#open(), file, content, isWanted);
    }
  }

  renameSync(from: string, to: string): void {
    const path = this.#open();
    this.#fs.renameSync(join(path, from), join(path, to));
  }

  async rename(from: string, to: string): Promise<void> {
    const path = this.#open();
    await this.#fs.promises.rename(join(path, from), join(path, to));
  }

  unlinkSync(file: string): void {
    this.#fs.unlinkSync(join(this.#open(), file));
  }

  async unlink(file: string): Promise<void> {
    await this.#fs.promises.unlink(join(this.#open(), file));
  }

  /** Reads a file, up to `maxBytes`. Rejects for pipes, folders and links. */
  async read(file: string, maxBytes: number): Promise<Buffer> {
    const path = join(this.#open(), file);
    const handle = await this.#fs.promises.open(path, EXISTING_FILE);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new Error(`${path} is not a file`);
      const content = Buffer.alloc(Math.min(stats.size, maxBytes));
      const { bytesRead } = await handle.read(content, 0, content.byteLength, 0);
      return content.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** The names of all files; none if the folder does not exist. */
  listSync(): string[] {
    try {
      return this.#fs.readdirSync(this.#find());
    } catch (error) {
      this.#noteMissing(error);
      return [];
    }
  }

  /** Like `listSync`. */
  async list(): Promise<string[]> {
    try {
      return await this.#fs.promises.readdir(this.#find());
    } catch (error) {
      this.#noteMissing(error);
      return [];
    }
  }

  /** Somebody may have deleted the folder. @throws any other error */
  #noteMissing(error: unknown): void {
    if (!isMissing(error)) throw error;
    this.#path = undefined;
  }

  #writeSync(path: string, file: string, content: Uint8Array): void {
    const fs = this.#fs;
    const temporary = this.#createTemporary(path);
    try {
      const descriptor = fs.openSync(temporary, NEW_FILE, PRIVATE_FILE);
      try {
        for (let written = 0; written < content.byteLength; ) written += fs.writeSync(descriptor, content, written);
      } finally {
        fs.closeSync(descriptor);
      }
      fs.renameSync(temporary, join(path, file));
    } catch (error) {
      attempt(() => fs.unlinkSync(temporary));
      throw error;
    }
  }

  async #write(path: string, file: string, content: Uint8Array, isWanted: () => boolean): Promise<void> {
    const { promises: fs } = this.#fs;
    const temporary = this.#createTemporary(path);
    try {
      const handle = await fs.open(temporary, NEW_FILE, PRIVATE_FILE);
      try {
        await handle.writeFile(content);
      } finally {
        await handle.close();
      }
      await (isWanted() ? fs.rename(temporary, join(path, file)) : fs.unlink(temporary));
    } catch (error) {
      await fs.unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  #createTemporary(path: string): string {
    this.#temporaryFiles += 1;
    return join(path, `${this.#owner}-${this.#temporaryFiles}-${this.#clock()}${TEMPORARY_SUFFIX}`);
  }

  /** Of the folders below the system's temporary one: for each user, and for each destination and format. */
  #names(): readonly string[] {
    return [`faultline-${readUser() ?? userInfo().username}`, `${FORMAT}-${this.#destination}`];
  }

  /** @returns the path of the folder, which is created if necessary */
  #open(): string {
    return this.#resolveOnce((path) => create(this.#fs, path));
  }

  /** @returns the path of the folder. @throws ENOENT if it does not exist */
  #find(): string {
    return this.#resolveOnce(() => undefined);
  }

  #resolveOnce(prepare: (path: string) => void): string {
    this.#path = this.#known ?? this.#resolve(prepare);
    this.#user = readUser();
    return this.#path;
  }

  get #known(): string | undefined {
    return this.#user === readUser() ? this.#path : undefined;
  }

  #resolve(prepare: (path: string) => void): string {
    const fs = this.#fs;
    if (this.#directory !== undefined) {
      prepare(this.#directory);
      checkShared(fs, this.#directory);
    }
    // The system's temporary folder may be a link (macOS), and others may write to it.
    let path = this.#directory ?? fs.realpathSync(tmpdir());
    for (const name of this.#names()) {
      path = join(path, name);
      prepare(path);
      checkPrivate(fs, path);
    }
    return path;
  }
}

/** Who owns what the process creates. A server may begin as root, and go on as a user who has no access to root's folder. */
export function readUser(): number | undefined {
  return process.geteuid?.();
}

/** Who began to write a temporary file, and when: 0 where its name does not say so. `undefined` for any other file. */
export function readTemporaryOwner(file: string): { owner: string; sinceMillis: number } | undefined {
  if (!file.endsWith(TEMPORARY_SUFFIX)) return undefined;
  const [owner = '', , since] = file.slice(0, -TEMPORARY_SUFFIX.length).split('-');
  return { owner, sinceMillis: Number(since) || 0 };
}

/** Whether a file or its folder does not exist, or no longer. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}

/** Not `recursive`: Node loops forever if the system reports an existing parent as missing, as in `/proc`. */
function create(fs: FileSystem, path: string): void {
  try {
    createFolder(fs, path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) throw error;
    create(fs, parent);
    createFolder(fs, path);
  }
}

function createFolder(fs: FileSystem, path: string): void {
  try {
    fs.mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Others may list a folder that users name, but not replace what is in it. */
function checkShared(fs: FileSystem, path: string): void {
  const { mode, uid } = checkFolder(fs, path);
  if (uid !== readUser() && uid !== ROOT) throw new Error(`${path} belongs to another user`);
  if ((mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0) throw new Error(`every user may write to ${path}`);
}

function checkPrivate(fs: FileSystem, path: string): void {
  const { mode, uid } = checkFolder(fs, path);
  if (uid !== readUser()) throw new Error(`${path} belongs to another user`);
  if ((mode & WRITABLE_BY_GROUP_OR_OTHERS) !== 0) throw new Error(`other users may write to ${path}`);
}

/** @returns owner and mode; on Windows, which has no modes, those of a private folder */
function checkFolder(fs: FileSystem, path: string): { mode: number; uid: number | undefined } {
  // Not followed: a link would lead envelopes elsewhere.
  const stats = fs.lstatSync(path);
  if (stats.isSymbolicLink()) throw new Error(`${path} is a symbolic link`);
  if (!stats.isDirectory()) throw new Error(`${path} is not a folder`);
  return process.platform === 'win32' ? { mode: PRIVATE_FOLDER, uid: readUser() } : stats;
}

function attempt(call: () => void): void {
  try {
    call();
  } catch {
    // It was never there, or cannot be deleted.
  }
}
