import type { EnvelopeFile } from '../model/store.js';
import { type FileName, formatFileName } from './file-name.js';
import { type Folder, isMissing } from './folder.js';

/** What the files of one process share. */
export interface FileContext {
  readonly folder: Folder;
  readonly clock: () => number;
  /** Identifies the process in the names of files that it holds. */
  readonly owner: string;
  /** Called after a file was written. */
  readonly onWrite: (bytes: number) => void;
  /** Called with the error if a file could not be written, renamed or deleted. */
  readonly onFailure: (error: unknown) => void;
}

/** The file of one envelope. Its name is fixed from the beginning, so that writing it twice makes one file. */
export class StoredFile implements EnvelopeFile {
  readonly #context: FileContext;
  readonly #name: string;
  readonly #heldName: string;
  readonly #content: Uint8Array;
  #state: 'absent' | 'held' | 'released' | 'removed' = 'absent';
  /** Whether `release` has begun and not ended. */
  #isReleasing = false;

  /** @param name with the process that holds the file or is going to */
  constructor(context: FileContext, name: FileName, content: Uint8Array, isHeld: boolean) {
    this.#context = context;
    this.#name = formatFileName({ ...name, holder: undefined });
    this.#heldName = formatFileName(name);
    this.#content = content;
    if (isHeld) this.#state = 'held';
  }

  holdSync(): boolean {
    if (this.#state !== 'absent') return false;
    return this.#try('held', () => this.#context.folder.writeSync(this.#heldName, this.#content));
  }

  releaseSync(): boolean {
    const { folder } = this.#context;
    if (this.#state === 'absent') return this.#try('released', () => folder.writeSync(this.#name, this.#content));
    if (this.#state === 'held') return this.#try('released', () => this.#renameSync());
    return this.#state === 'released';
  }

  async release(): Promise<boolean> {
    const { folder } = this.#context;
    this.#isReleasing = true;
    try {
      if (this.#state === 'absent') await folder.write(this.#name, this.#content);
      else if (this.#state === 'held') await folder.rename(this.#heldName, this.#name);
      this.#enter('released');
    } catch (error) {
      // `releaseSync` may have done it meanwhile.
      if (this.#state !== 'released') this.#context.onFailure(error);
    }
    this.#isReleasing = false;
    return this.#state === 'released';
  }

  async remove(): Promise<void> {
    if (this.#state !== 'held') return;
    this.#state = 'removed';
    await this.#context.folder.unlink(this.#heldName).catch((error) => {
      // Another process has taken it over, or somebody has emptied the folder.
      if (!isMissing(error)) this.#context.onFailure(error);
    });
  }

  #renameSync(): void {
    try {
      this.#context.folder.renameSync(this.#heldName, this.#name);
    } catch (error) {
      // `release` has already renamed it.
      if (!(this.#isReleasing && isMissing(error))) throw error;
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
    if (this.#state === 'absent') this.#context.onWrite(this.#content.byteLength);
    this.#state = state;
  }
}
