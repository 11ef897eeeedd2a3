import type { Clock } from '../internal/clock.js';
import { createLogger } from '../internal/diag.js';
import { type EnvelopeItemType, traitsOf } from '../model/delivery/item-types.js';
import { type DiscardReason, type Quantities, sumQuantities } from '../model/delivery/outcome.js';
import type {
  EnvelopeStore,
  MaySend,
  SerializedEnvelope,
  StoreLimits,
  TakenEnvelope,
} from '../model/delivery/store.js';
import { groupForFiles, writeWhatFits } from './file-groups.js';
import { type FileName, formatCounts, formatFileName, parseCounts, parseFileName } from './file-name.js';
import { type Folder, isMissing } from './folder.js';
import { type Entry, hasOnlyReports, type Inventory, mayBeTaken, type Size, takeInventory } from './inventory.js';
import { formatRecords, readRecords } from './records.js';
import { type FileContext, StoredFile } from './stored-file.js';

/** When this process has written this share of a limit, it lists the folder to count what others have written. */
const UNSEEN_SHARE = 1 / 8;

const CANNOT_STORE =
  'unsent envelopes cannot be stored on disk; they are counted and discarded. transportOptions.store.directory names another folder, transportOptions.store: false turns the store off';
const CANNOT_READ =
  'a stored file cannot be read; it stays where it is, and is tried again later. Check whose it is, and whether too many files are open';

const log = createLogger('store');

interface StoreParts {
  readonly folder: Folder;
  readonly owner: string;
  readonly limits: StoreLimits;
  readonly clock: Clock;
  /** Called once if the folder cannot be used, with what the file system says. */
  readonly onUnusable?: ((error: unknown) => void) | undefined;
  /** Called for each envelope that the store gives up. */
  readonly onDiscard: (reason: DiscardReason, quantities: Quantities) => void;
}

/**
 * Envelopes in a folder that any number of processes share: one file each, or one file for many if they are written at the
 * same time. To take a file is to rename it, which succeeds for one process only; what dead processes held is taken over.
 * Nothing is written twice, locked or waited for, so that a process may be killed at any moment.
 */
export class FileStore implements EnvelopeStore {
  readonly #parts: StoreParts;
  readonly #context: FileContext;
  #serial = 0;
  /** Remaining file names of the last listing; the next one to take is the last. Only names, because there may be many. */
  #backlog: string[] = [];
  #reading: StoredFile | undefined;
  /** Of all files at the last listing, and of what this process has written since. */
  #listed: Readonly<Size> = { bytes: 0, items: 0 };
  #written: Size = { bytes: 0, items: 0 };
  readonly #warnings = new Set<string>();
  mayTakeLater = false;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    const { folder } = parts;
    const onWrite = (name: FileName) => this.#noteWritten(name);
    const onFailure = (error: unknown) => this.#warnOnce(CANNOT_STORE, error);
    this.#context = { folder, beingDeleted: new Set(), onWrite, onFailure };
  }

  get path(): string | undefined {
    return this.#warnings.has(CANNOT_STORE) ? undefined : this.#parts.folder.path;
  }

  accepts(type: EnvelopeItemType | undefined): boolean {
    const { isStored } = traitsOf(type);
    return isStored === 'transactions' ? this.#parts.limits.transactions : isStored;
  }

  group<Envelope extends SerializedEnvelope>(envelopes: readonly Envelope[]): Envelope[][] {
    return groupForFiles(envelopes, this.#parts.limits);
  }

  writeSync<Envelope extends SerializedEnvelope>(envelopes: readonly Envelope[], notBeforeMillis?: number): Envelope[] {
    const write = (part: readonly Envelope[]) => this.createFile(...part).releaseSync(notBeforeMillis);
    return this.group(envelopes).flatMap((group) => writeWhatFits(group, write));
  }

  createFile(...envelopes: readonly SerializedEnvelope[]): StoredFile {
    this.#serial += 1;
    const { owner, clock } = this.#parts;
    const content = formatRecords(envelopes);
    const createdMillis = clock();
    const name = {
      priority: envelopes[0]!.priority,
      createdMillis,
      bytes: content.byteLength,
      envelopes: envelopes.length,
      start: 0,
      counts: formatCounts(sumQuantities(envelopes.map(({ quantities }) => quantities))),
      owner,
      serial: this.#serial,
      holder: { owner, sinceMillis: createdMillis },
    };
    return new StoredFile(this.#context, name, content);
  }

  async take(maySend: MaySend = () => true): Promise<TakenEnvelope | undefined> {
    for (;;) {
      const file = this.#reading;
      const record = file?.readNext();
      if (file === undefined || record === undefined) {
        this.#reading = await this.#takeFile(maySend);
        if (this.#reading === undefined) return undefined;
      } else if (!maySend(record.quantities)) {
        this.#reading = undefined;
        await file.release();
        // A new listing would find the same file.
        if (this.#backlog.length === 0) return undefined;
      } else if (record.body) {
        return { quantities: record.quantities, body: record.body, file };
      } else {
        log.warn('a stored envelope is damaged; it is discarded');
        this.#parts.onDiscard('internal_sdk_error', record.quantities);
        await file.remove();
      }
    }
  }

  isEmpty(): boolean {
    try {
      return !this.#parts.folder.listSync().some((file) => {
        const name = parseFileName(file);
        return name !== undefined && mayBeTaken(name, this.#parts.owner, this.#parts.clock());
      });
    } catch {
      // Reported when something is stored or taken.
      return true;
    }
  }

  releaseSync(): void {
    for (const file of this.#context.beingDeleted) file.finishUnlinkSync();
    this.#reading?.releaseSync();
  }

  async #takeFile(maySend: MaySend): Promise<StoredFile | undefined> {
    try {
      if (this.#backlog.length === 0) await this.#list();
    } catch (error) {
      this.mayTakeLater = true;
      this.#warnOnce(CANNOT_STORE, error);
    }
    for (let file = this.#backlog.pop(); file !== undefined; file = this.#backlog.pop()) {
      const name = parseFileName(file)!;
      const taken = maySend(parseCounts(name.counts)) ? await this.#tryToTake(file, name) : undefined;
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  /** @returns `undefined` if another process was faster, or the file cannot be read */
  async #tryToTake(file: string, name: FileName): Promise<StoredFile | undefined> {
    const { folder, owner, clock } = this.#parts;
    const held: FileName = { ...name, notBeforeMillis: undefined, holder: { owner, sinceMillis: clock() } };
    const heldFile = formatFileName(held);
    try {
      await folder.rename(file, heldFile);
    } catch (error) {
      if (!isMissing(error)) this.#noteUnreadable(error);
      return undefined;
    }
    try {
      const content = await folder.read(heldFile, name.bytes);
      return new StoredFile(this.#context, held, content, readRecords(content, name));
    } catch (error) {
      this.#noteUnreadable(error);
      await folder.rename(heldFile, formatFileName({ ...name, holder: undefined })).catch(() => undefined);
    }
    return undefined;
  }

  #noteUnreadable(error: unknown): void {
    this.mayTakeLater = true;
    this.#warnOnce(CANNOT_READ, error);
  }

  async #list(): Promise<void> {
    const { available, hasPostponed, surplus, leftovers } = this.#takeInventory(await this.#parts.folder.list());
    this.mayTakeLater = hasPostponed;
    this.#backlog = available.map(({ file }) => file);
    for (const file of leftovers) await this.#parts.folder.unlink(file).catch(() => undefined);
    for (const entry of surplus) await this.#evict(entry);
  }

  async #evict(entry: Entry): Promise<void> {
    // Another process may have been faster.
    const isDeleted = await this.#parts.folder.unlink(entry.file).then(
      () => true,
      () => false,
    );
    if (isDeleted) this.#parts.onDiscard('cache_overflow', parseCounts(entry.name.counts));
  }

  #noteWritten(name: FileName): void {
    if (hasOnlyReports(name)) return;
    const { maxBytes, maxItems } = this.#parts.limits;
    this.#written.bytes += name.bytes;
    this.#written.items += name.envelopes;
    const exceeds = (share: number, { bytes, items }: Size) => bytes > maxBytes * share || items > maxItems * share;
    const all = { bytes: this.#listed.bytes + this.#written.bytes, items: this.#listed.items + this.#written.items };
    if (exceeds(1, all) || exceeds(UNSEEN_SHARE, this.#written)) this.#evictSync();
  }

  #evictSync(): void {
    const { folder, onDiscard } = this.#parts;
    try {
      for (const { file, name } of this.#takeInventory(folder.listSync()).surplus) {
        folder.unlinkSync(file);
        onDiscard('cache_overflow', parseCounts(name.counts));
      }
    } catch (error) {
      if (!isMissing(error)) this.#warnOnce(CANNOT_STORE, error);
    }
  }

  #takeInventory(files: readonly string[]): Inventory {
    const { limits, owner, clock } = this.#parts;
    const inventory = takeInventory(files, limits, owner, clock());
    this.#listed = inventory.size;
    this.#written = { bytes: 0, items: 0 };
    return inventory;
  }

  /** A disk that is full now is still full for the next envelope. */
  #warnOnce(message: string, error: unknown): void {
    if (this.#warnings.has(message)) return;
    this.#warnings.add(message);
    log.warn(message, error);
    if (message === CANNOT_STORE) this.#parts.onUnusable?.(error);
  }
}
