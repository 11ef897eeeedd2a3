import { sumQuantities } from '../model/delivery/outcome.js';
import type { EnvelopeFile } from '../model/delivery/store.js';
import { type FileName, formatCounts, formatFileName } from './file-name.js';
import { type Folder, isMissing, readUser } from './folder.js';
import type { StoredRecord } from './records.js';

/** What the files of one process share. */
export interface FileContext {
  readonly folder: Folder;
  readonly beingDeleted: Set<StoredFile>;
  /** Called after a file was written. */
  readonly onWrite: (name: FileName) => void;
  /** Called with the error if a file could not be written, renamed or deleted. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * A file with one or several envelopes, which are settled one after the other: each time, the file gets the name that says
 * what is left of it. The first name is fixed from the beginning, so that writing it twice makes one file.
 */
export class StoredFile implements EnvelopeFile {
  readonly #context: FileContext;
  /** Current name; its holder is this process. */
  #name: FileName;
  readonly #content: Uint8Array;
  /** Records that are not settled. */
  readonly #records: StoredRecord[];
  /** Number of records that were returned. */
  #read = 0;
  #state: 'absent' | 'held' | 'released' | 'removed' = 'absent';
  /** Who owns the file. */
  #user = readUser();
  /** Its name once it is released, from the moment that this begins. */
  #releasedAs: string | undefined;
  /** Whether `releaseSync` has taken the place of a write in the background. */
  #isOvertaken = false;
  /** Current path, followed by the targets of pending renames. */
  readonly #paths: string[];
  /** Settles when the last change is made. */
  #changed: Promise<unknown> = Promise.resolve();

  /** @param records of a file that this process holds */
  constructor(context: FileContext, name: FileName, content: Uint8Array, records?: StoredRecord[]) {
    this.#context = context;
    this.#name = name;
    this.#content = content;
    this.#records = records ?? [];
    this.#paths = [formatFileName(name)];
    if (records) this.#state = 'held';
  }

  get isShared(): boolean {
    return this.#records.length > 1;
  }

  get isOnDisk(): boolean {
    return this.#state === 'held' || this.#state === 'released';
  }

  /** @returns the next record; `undefined` if there is none, or the process does not hold the file any longer */
  readNext(): StoredRecord | undefined {
    if (this.#state !== 'held' || this.#read === this.#records.length) return undefined;
    this.#read += 1;
    return this.#records[this.#read - 1];
  }

  holdSync(): boolean {
    if (this.#state !== 'absent') return false;
    return this.#try('held', () => this.#context.folder.writeSync(formatFileName(this.#name), this.#content));
  }

  releaseSync(notBeforeMillis?: number): boolean {
    const { folder } = this.#context;
    this.#leaveToFormerUser();
    // The same name once more, so that two writes make one file.
    const path = this.#releasedAs ?? this.#releasedPath(notBeforeMillis);
    if (this.#state === 'absent') {
      this.#isOvertaken = true;
      return this.#try('released', () => folder.writeSync(path, this.#content));
    }
    if (this.#state === 'held') return this.#try('released', () => this.#moveSync(path));
    return this.#state === 'released';
  }

  async release(notBeforeMillis?: number): Promise<boolean> {
    this.#leaveToFormerUser();
    const path = this.#releasedPath(notBeforeMillis);
    this.#releasedAs = path;
    try {
      // Another process may have taken what `releaseSync` has written meanwhile: a second copy would be sent again.
      if (this.#state === 'absent') await this.#context.folder.write(path, this.#content, () => !this.#isOvertaken);
      else if (this.#state === 'held') await this.#move(path);
      if (!this.#isOvertaken) this.#enter('released');
    } catch (error) {
      // `releaseSync` may have done it meanwhile.
      if (this.#state !== 'released') this.#context.onFailure(error);
      // Until the next attempt, what is left of it may change.
      this.#releasedAs = undefined;
    }
    return this.#state === 'released';
  }

  async remove(): Promise<void> {
    if (this.#state !== 'held') return;
    this.#records.shift();
    this.#read -= 1;
    const [next] = this.#records;
    try {
      if (next === undefined) await this.#unlink();
      else {
        const counts = formatCounts(sumQuantities(this.#records.map((one) => one.quantities)));
        this.#name = { ...this.#name, envelopes: this.#records.length, start: next.start, counts };
        await this.#move(formatFileName(this.#name));
      }
    } catch (error) {
      // Another process has taken it over, somebody has emptied the folder, or `releaseSync` was faster.
      if (!isMissing(error)) this.#context.onFailure(error);
    }
  }

  /** Finishes the deletion that is under way: a process that ends now would leave the file to others, which send it again. */
  finishUnlinkSync(): void {
    for (const path of this.#paths) {
      try {
        this.#context.folder.unlinkSync(path);
      } catch (error) {
        if (!isMissing(error)) this.#context.onFailure(error);
      }
    }
  }

  #releasedPath(notBeforeMillis?: number): string {
    return formatFileName({ ...this.#name, notBeforeMillis, holder: undefined });
  }

  /** The process has become another user, who cannot rename the file, and writes it again. */
  #leaveToFormerUser(): void {
    if (this.#state === 'held' && this.#user !== readUser()) this.#state = 'absent';
    this.#user = readUser();
  }

  #unlink(): Promise<void> {
    const { folder, beingDeleted } = this.#context;
    this.#state = 'removed';
    beingDeleted.add(this);
    return this.#change(() => folder.unlink(this.#paths[0]!)).finally(() => beingDeleted.delete(this));
  }

  #move(path: string): Promise<void> {
    this.#paths.push(path);
    return this.#change(async () => {
      const [from] = this.#paths;
      try {
        await this.#context.folder.rename(from!, path);
        this.#paths.shift();
      } catch (error) {
        this.#paths.splice(1, 1);
        throw error;
      }
    });
  }

  /** Runs changes one after the other. */
  #change(change: () => Promise<void>): Promise<void> {
    const changed = this.#changed.then(change);
    this.#changed = changed.catch(() => undefined);
    return changed;
  }

  #moveSync(path: string): void {
    for (const [index, from] of this.#paths.entries()) {
      try {
        this.#context.folder.renameSync(from, path);
        return;
      } catch (error) {
        // A pending rename has completed meanwhile.
        if (!isMissing(error) || index === this.#paths.length - 1) throw error;
      }
    }
  }

  #try(state: 'held' | 'released', act: () => void): boolean {
    try {
      act();
    } catch (error) {
      this.#context.onFailure(error);
      return false;
    }
    this.#enter(state);
    return true;
  }

  #enter(state: 'held' | 'released'): void {
    if (this.#state === 'absent') this.#context.onWrite(this.#name);
    this.#state = state;
  }
}
