import { type Clock, systemClock } from '../internal/clock.js';
import { describeThrown } from '../internal/values/strings.js';
import type { Ledger } from '../model/delivery/ledger.js';
import type { EnvelopeStore, StoreLimits } from '../model/delivery/store.js';
import type { Settings } from '../model/options.js';
import { FileStore } from './file-store.js';
import { type FileSystem, NODE_FILE_SYSTEM } from './file-system.js';
import { Folder } from './folder.js';
import { createOwner } from './owner.js';

/** Names the folder if the options do not. */
const DIRECTORY_VARIABLE = 'FAULTLINE_STORE_DIR';

const MIB = 1024 * 1024;
const DAY_MILLIS = 24 * 60 * 60 * 1000;

const DEFAULT_LIMITS: StoreLimits = {
  maxBytes: 32 * MIB,
  maxItems: 5000,
  maxAgeMillis: DAY_MILLIS,
  transactions: false,
};

interface StoreSurroundings {
  readonly env: NodeJS.ProcessEnv;
  /** Identifies the destination, whose envelopes are kept apart from those of others. */
  readonly destination: string;
  readonly ledger: Ledger;
  /** Called once if a folder that was named cannot be used, with what is wrong with it. */
  readonly onUnusable?: ((problem: string) => void) | undefined;
  readonly fileSystem?: FileSystem;
  readonly clock?: Clock;
}

/** Creates the store of a client; nothing is read or written yet. `undefined` if the option turns it off. */
export function createStore(
  { transportOptions }: Pick<Settings, 'transportOptions'>,
  { env, destination, ledger, onUnusable, fileSystem = NODE_FILE_SYSTEM, clock = systemClock }: StoreSurroundings,
): EnvelopeStore | undefined {
  const { store: options } = transportOptions;
  if (options === false) return undefined;
  const { directory, ...limits } = { ...DEFAULT_LIMITS, ...options };
  const owner = createOwner();
  const named = directory ?? (env[DIRECTORY_VARIABLE] || undefined);
  const folder = new Folder(fileSystem, named, destination, owner, clock);
  return new FileStore({
    folder,
    owner,
    limits,
    clock,
    onUnusable: (error) => {
      if (named !== undefined) onUnusable?.(`${named}: ${describeThrown(error)}`);
    },
    onDiscard: (reason, quantities) => {
      ledger.recover(quantities);
      ledger.discard(reason, quantities);
    },
  });
}
